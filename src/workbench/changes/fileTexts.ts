/** Texts of files as the editor has them, for the review of changes. */
import * as vscode from 'vscode';
import { looksBinary } from '../../changes/turns/fileStates';
import { diskBytes } from '../../util/checkedBytes';

/** Undefined when the bytes are no text. */
export async function decodeText(path: string, bytes: Uint8Array): Promise<string | undefined> {
  return looksBinary(bytes) ? undefined : vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) });
}

/**
 * What the file holds now: of the open document where it has unsaved changes, else of the disk, which an open document may not have read again yet.
 * Undefined when there is none, or no text.
 */
export async function presentText(document: vscode.TextDocument | undefined, path: string, maxBytes: number): Promise<string | undefined> {
  if (document?.isDirty) {
    return document.getText();
  }
  const bytes = await diskBytes.read(path, maxBytes).catch(() => undefined);
  return bytes && decodeText(path, bytes);
}
