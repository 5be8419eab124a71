/** The used part of VS Code's Git extension, version 1 of its API. */
import * as vscode from 'vscode';

export interface GitApi {
  /** `uninitialized` until the repositories of the window's folders are open. */
  readonly state: string;
  readonly onDidChangeState: vscode.Event<string>;
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: RepositoryState;
  /** Fired for operations of the extension itself, which are the user's. */
  readonly onDidCommit?: vscode.Event<void>;
  readonly onDidCheckout?: vscode.Event<void>;
}

/** The changes by the lists of the Source Control view. Earlier versions of the extension have no list of untracked files. */
export interface RepositoryState {
  readonly HEAD?: Head;
  readonly onDidChange: vscode.Event<void>;
  readonly mergeChanges: readonly GitChange[];
  readonly indexChanges: readonly GitChange[];
  readonly workingTreeChanges: readonly GitChange[];
  readonly untrackedChanges?: readonly GitChange[];
}

export interface GitChange {
  readonly uri: { readonly fsPath: string };
  /** 7 is an untracked file. */
  readonly status: number;
}

export interface Head {
  /** The branch's name. */
  readonly name?: string;
  readonly commit?: string;
}

/** Undefined where the extension is missing or disabled. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>('vscode.git');
  const exported = await extension?.activate();
  return exported?.enabled ? exported.getAPI(1) : undefined;
}
