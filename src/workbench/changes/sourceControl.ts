/** What the Source Control view and code lenses show, with types that take inert text alone, as `window.ts` has them. Loaded with the first changes. */
import * as vscode from 'vscode';
import type { InertText } from '../shared/escape';

export interface SourceControlGroup extends Omit<vscode.SourceControlResourceGroup, 'label'> {
  label: InertText;
}

export interface SourceControl extends Omit<vscode.SourceControl, 'label' | 'createResourceGroup' | 'statusBarCommands'> {
  createResourceGroup(id: string, label: InertText): SourceControlGroup;
}

export function createSourceControl(id: string, label: InertText): SourceControl {
  return vscode.scm.createSourceControl(id, label) as unknown as SourceControl;
}

/** What stands above a line, and the command that it runs. */
export interface Lens {
  readonly range: vscode.Range;
  readonly title: InertText;
  readonly command: string;
  readonly args: readonly unknown[];
}

export function registerLenses(
  selector: vscode.DocumentSelector,
  onDidChange: vscode.Event<void>,
  lensesOf: (document: vscode.TextDocument) => readonly Lens[],
): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses: onDidChange,
    provideCodeLenses: (document) =>
      lensesOf(document).map(({ range, title, command, args }) => new vscode.CodeLens(range, { title, command, arguments: [...args] })),
  });
}
