/** The Source Control view, code lenses and hovers, with types that take only inert text, like those of `window.ts`. Loaded with the first changes. */
import * as vscode from 'vscode';
import type { InertText } from '../../../application/shared/escape';
import { commandUri, type HunkLink, type HunkLinks } from './hunkLinks';

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

/**
 * @param codesOf returns the code of a line's hover; lines count from 0
 * @param linksOf returns the links below it
 */
export function registerHovers(
  selector: vscode.DocumentSelector,
  codesOf: (document: vscode.TextDocument, line: number) => readonly CodeHover[],
  linksOf: (document: vscode.TextDocument, line: number) => readonly HunkLinks[],
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(selector, {
    provideHover: (document, { line }) => {
      // Neither trusted nor with HTML: the code comes from a file, and the title from an agent.
      const codes = codesOf(document, line).map(({ title, code }) =>
        new vscode.MarkdownString().appendText(title).appendCodeblock(code, document.languageId),
      );
      const links = linksOf(document, line).flatMap((each) => [
        ...(each.title === undefined ? [] : [new vscode.MarkdownString().appendText(each.title)]),
        linksIn(each.links),
      ]);
      const texts = [...codes, ...links];
      return texts.length > 0 ? new vscode.Hover(texts) : undefined;
    },
  });
}

/** The only trusted text. It has our words alone, and runs no command but those of its links. */
function linksIn(links: readonly HunkLink[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(
    links.map(({ title, command, args }) => `[${title}](${commandUri(command, args)})`).join(' | '),
  );
  markdown.isTrusted = { enabledCommands: [...new Set(links.map(({ command }) => command))] };
  return markdown;
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
