/** The commands for comments on the lines of the active editor. Loaded with the first of them. */
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import type { LineComments } from './lineComments';

/**
 * Asks the user for a comment on the selected lines, or on the line of the cursor.
 *
 * @param comments undefined while there is no session
 * @param newSession starts a session; undefined when the user cancels
 */
export async function commentForAgent(
  comments: () => Promise<LineComments | undefined>,
  newSession: () => Promise<Session | undefined>,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void window.showInformationMessage(t('No file is open.'));
    return;
  }
  const { document, viewColumn } = editor;
  const range = linesOf(editor);
  const known = (await comments())?.sessionFor(document.uri);
  const session = known ?? (await newSession());
  if (!session) {
    return;
  }
  if (!known) {
    // The new session's chat may have covered the file.
    await vscode.window.showTextDocument(document, { ...(viewColumn !== undefined && { viewColumn }), selection: editor.selection });
  }
  await (await comments())?.write(session, document, range);
}

/** Deletes the comments on the lines of the active editor that are not sent. */
export function deleteComments(comments: LineComments | undefined): void {
  const editor = vscode.window.activeTextEditor;
  const range = editor && linesOf(editor);
  const count = range && comments ? comments.remove(editor.document.uri, { start: range.start.line, end: range.end.line }) : 0;
  if (count === 0) {
    void window.showInformationMessage(t('There is no unsent comment on this line.'));
  }
}

/** The selected lines. A selection that ends before the first character of a line ends in the line before. */
function linesOf({ document, selection: { isEmpty, start, end } }: vscode.TextEditor): vscode.Range {
  const last = !isEmpty && end.character === 0 ? Math.max(start.line, end.line - 1) : end.line;
  return new vscode.Range(start.line, 0, last, document.lineAt(last).text.length);
}
