/** The Source Control view, code lenses and hovers, with types that take only inert text, like those of `window.ts`. Loaded with the first changes. */
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

/** Lines of code below a title. */
export interface CodeHover {
  readonly title: InertText;
  readonly code: string;
}

/** @param hoversOf returns the hovers of a line, from 0 */
export function registerHovers(
  selector: vscode.DocumentSelector,
  hoversOf: (document: vscode.TextDocument, line: number) => readonly CodeHover[],
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(selector, {
    provideHover: (document, { line }) => {
      const texts = hoversOf(document, line).map(({ title, code }) =>
        // Neither trusted nor with HTML: the code comes from a file, and the title from an agent.
        new vscode.MarkdownString().appendText(title).appendCodeblock(code, document.languageId),
      );
      return texts.length > 0 ? new vscode.Hover(texts) : undefined;
    },
  });
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
