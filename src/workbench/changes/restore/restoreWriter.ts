/** Writes files as they were: in the editor where the file is open, so that the editor can undo it, and on disk. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { diskFiles } from '../../../changes/disk/diskFiles';
import { textChanges } from '../../../changes/hunks/lineEdits';
import type { RestoreTarget } from '../../../changes/restore';
import { looksBinary } from '../../../changes/turns/fileStates';

export class RestoreWriter implements RestoreTarget {
  constructor(private readonly documentOf: (real: string) => vscode.TextDocument | undefined) {}

  async write(path: string, bytes: Uint8Array, mode: number): Promise<void> {
    const document = this.documentOf(path);
    if (document && !looksBinary(bytes) && (await diskFiles.stat(path))?.kind === 'file') {
      await this.edit(document, await vscode.workspace.decode(bytes, { encoding: document.encoding }));
    }
    // What is saved may be formatted, have another encoding, or be refused.
    const now = await diskFiles.read(path, bytes.length);
    const stat = await diskFiles.stat(path);
    if (!now || Buffer.compare(now, bytes) !== 0 || stat?.mode !== mode) {
      await diskFiles.write(path, bytes, mode);
    }
  }

  link(path: string, target: string): Promise<void> {
    return diskFiles.link(path, target);
  }

  remove(path: string): Promise<void> {
    return diskFiles.remove(path);
  }

  private async edit(document: vscode.TextDocument, text: string): Promise<void> {
    const before = document.getText();
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      textChanges(before, text).map(({ oldStart, oldText, start, end }) => {
        const range = new vscode.Range(document.positionAt(oldStart), document.positionAt(oldStart + oldText.length));
        return new vscode.TextEdit(range, text.slice(start, end));
      }),
    );
    if (before === text || (await vscode.workspace.applyEdit(edit))) {
      await document.save();
    }
  }
}
