/** The lines that a comment is on. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { readProtectedPaths } from '../settings/agentSettings';
import type { KeptThread, LineSpan } from '../../application/comments/sessionComments';

/** Returns a thread without comments on these lines. */
export function newThread(uri: vscode.Uri, span: LineSpan): KeptThread {
  return { uri: uri.toString(), place: uri.scheme === 'file' ? uri.fsPath : path.posix.basename(uri.path), span, comments: [] };
}

/** Returns a thread's place for the user: the file's name with the lines, from 1. */
export function placeName({ place, span: { start, end } }: Pick<KeptThread, 'place' | 'span'>): string {
  return `${path.basename(place)}:${start === end ? start + 1 : `${start + 1}-${end + 1}`}`;
}

/** Returns the text of the lines; undefined where the text of the file must not be sent to the session's agent. */
export async function quotedLines({ roots, consents }: Session, uri: vscode.Uri, first: number, end: number): Promise<string | undefined> {
  if (uri.scheme === 'file') {
    const { maySendText } = await import('../../policy/readAccess');
    if (!(await maySendText(uri.fsPath, { roots, consents, setting: readProtectedPaths }))) {
      return undefined;
    }
  }
  return linesOf(uri, first, end);
}

async function linesOf(uri: vscode.Uri, first: number, end: number): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  const last = document.lineAt(Math.min(end, document.lineCount - 1));
  return document.getText(new vscode.Range(Math.min(first, last.lineNumber), 0, last.lineNumber, last.text.length));
}
