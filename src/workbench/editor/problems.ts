/** **ACP: Add Problems from Active File**. */
import * as vscode from 'vscode';
import type { ContentBlock } from '../../core/model/content';
import { t } from '../shared/l10n';
import { problemsBlock } from '../../application/editor/problemsBlock';
import { window } from '../shared/window';

/**
 * Returns the problems of the active editor, or of the last one before the conversation. Shows a message and returns undefined when there are
 * none.
 */
export async function problemsOfActiveEditor(
  embedded: boolean,
): Promise<{ readonly uri: vscode.Uri; readonly block: ContentBlock } | undefined> {
  const document = frontDocument();
  if (!document) {
    void window.showInformationMessage(t('No file is open.'));
    return undefined;
  }
  const diagnostics = vscode.languages.getDiagnostics(document.uri);
  if (diagnostics.length === 0) {
    const file = vscode.workspace.asRelativePath(document.uri);
    void window.showInformationMessage(t('{file} has no problems.', { file }));
    return undefined;
  }
  const { converter } = await import('../../application/editor/lspConverter');
  const { uri, version } = document;
  const block = problemsBlock({ uri: converter.asUri(uri), version, diagnostics: converter.asDiagnosticsSync([...diagnostics]) }, embedded);
  return { uri, block };
}

/** Returns the document in front. No text editor is active while a conversation is in front, so the visible editors are checked. */
function frontDocument(): vscode.TextDocument | undefined {
  const isFile = ({ document }: vscode.TextEditor) => document.uri.scheme === 'file' || document.uri.scheme === 'untitled';
  return [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find((editor) => editor && isFile(editor))?.document;
}
