/** A commit keeps what it contains: hears of commits from VS Code's Git extension, where that is on. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunGit } from '../../changes/disk/git';
import { DisposableStore } from '../../util/disposable';
import { inPool } from '../../util/pool';
import { realPathOf } from '../../util/realPath';
import type { PendingFiles } from './pendingFiles';

/** Of the Git extension's API, version 1, what is used here. */
interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly HEAD?: { readonly commit?: string }; readonly onDidChange: vscode.Event<void> };
}

const AT_ONCE = 4;

export function followCommits(changes: Pick<PendingFiles, 'pending'>, git: Promise<RunGit | undefined>): DisposableStore {
  const store = new DisposableStore();
  void follow(store, changes, git).catch(() => undefined);
  return store;
}

async function follow(store: DisposableStore, changes: Pick<PendingFiles, 'pending'>, git: Promise<RunGit | undefined>): Promise<void> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>('vscode.git');
  const exported = await extension?.activate();
  if (!exported?.enabled) {
    return;
  }
  const api = exported.getAPI(1);
  const watch = (repository: Repository): void => {
    let head = repository.state.HEAD?.commit;
    store.add(
      repository.state.onDidChange(() => {
        const now = repository.state.HEAD?.commit;
        if (now !== head) {
          head = now;
          void (now !== undefined && keepCommitted(changes, git, repository.rootUri.fsPath, now).catch(() => undefined));
        }
      }),
    );
  };
  api.repositories.forEach(watch);
  store.add(api.onDidOpenRepository(watch));
}

async function keepCommitted(
  changes: Pick<PendingFiles, 'pending'>,
  git: Promise<RunGit | undefined>,
  folder: string,
  commit: string,
): Promise<void> {
  const [run, top] = await Promise.all([git, realPathOf(folder)]);
  const files = changes.pending.filter(({ file }) => file.hunks && file.path.startsWith(top + path.sep));
  await inPool(files, AT_ONCE, async ({ changes: { review }, file }) => {
    const name = path.relative(top, file.path).split(path.sep).join('/');
    const text = await run?.(top, ['cat-file', 'blob', `${commit}:${name}`]);
    if (text) {
      review?.committed(file.path, text.toString());
    }
  });
}
