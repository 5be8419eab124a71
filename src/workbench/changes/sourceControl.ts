/** The Source Control view and code lenses, with types that take only inert text, like those of `window.ts`. Loaded with the first changes. */
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

/** A code lens above a line. A lens without a command is plain text. */
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
