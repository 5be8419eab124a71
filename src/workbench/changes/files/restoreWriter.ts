/** Writes files as they were: in the editor where the file is open, so that the editor can undo it, and on disk. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { type DiskFiles, diskFiles } from '../../../changes/disk/diskFiles';
import { coded } from '../../../changes/disk/heldFolder';
import { modeFor } from '../../../changes/disk/inPlace';
import type { WriteOptions } from '../../../changes/disk/wholeWrite';
import { textChanges } from '../../../changes/hunks/lineEdits';
import type { RestoreTarget } from '../../../changes/restore';
import { looksBinary } from '../../../changes/turns/fileStates';
import { realPathOf } from '../../../util/realPath';
import { isWritable } from '../../../application/changes/files/writable';
import { withLineFeeds } from '../../../util/text';
import { isOwnVersion } from '../../../application/changes/files/ownVersion';
import { unsavedAt } from './unsavedFiles';

/** Bytes by which a formatted text may be longer than twice the restored one. */
const MORE_BYTES = 1024 * 1024;

/** Rejects with ECHANGED for a file with unsaved changes: they are the user's. */
export class RestoreWriter implements RestoreTarget {
  constructor(
    private readonly documentOf: (real: string) => vscode.TextDocument | undefined,
    private readonly files: DiskFiles = diskFiles,
  ) {}

  async write(path: string, bytes: Uint8Array, mode: number, options: WriteOptions = {}): Promise<void> {
    await refuseUnsaved(path);
    const document = this.documentOf(path);
    // The editor saves into a file with several names, and an edit that cannot be saved would stay in the document.
    const isEditable = document && !options.replacesName && !looksBinary(bytes);
    if (!isEditable || !(await this.isAt(document, path)) || !(await isWritable(path))) {
      await this.files.write(path, bytes, mode, options);
      return;
    }
    const { encoding } = document;
    const saved = await this.edit(document, await vscode.workspace.decode(bytes, { encoding }));
    // The editor may have saved a formatted text, or another encoding, or may have refused.
    const now = await this.files.statAndRead(path, 2 * bytes.length + MORE_BYTES);
    if (!now?.bytes || Buffer.compare(now.bytes, bytes) !== 0) {
      const expected = now?.stat ?? (await this.files.stat(path)) ?? null;
      const text = now?.bytes && (await vscode.workspace.decode(now.bytes, { encoding }));
      // Another program may have saved the file while the editor did.
      if (!isOwnVersion({ stat: expected, text, saved }, options.expected)) {
        throw coded('ECHANGED', path, 'another file');
      }
      await this.files.write(path, bytes, mode, { ...options, expected });
      return;
    }
    await (modeFor(now.stat.mode, mode) !== now.stat.mode && this.files.chmod(path, mode, { expected: now.stat }));
    // VS Code does not wait until the content is on the disk.
    await this.files.sync(path);
  }

  async link(path: string, target: string, options?: WriteOptions): Promise<void> {
    await refuseUnsaved(path);
    await this.files.link(path, target, options);
  }

  async remove(path: string, options?: WriteOptions): Promise<void> {
    await refuseUnsaved(path);
    await this.files.remove(path, options);
  }

  /** True when saving the document writes the file at `path`, and no link has come in between. */
  private async isAt({ uri }: vscode.TextDocument, path: string): Promise<boolean> {
    const real = await realPathOf(uri.fsPath).catch(() => undefined);
    return real === path && (await this.files.stat(path))?.kind === 'file';
  }

  /**
   * Returns the text that the editor saved; undefined where it did not.
   * @throws ECHANGED for a document in which the user has typed meanwhile
   */
  private async edit(document: vscode.TextDocument, text: string): Promise<string | undefined> {
    if (document.isDirty) {
      throw coded('ECHANGED', document.uri.fsPath, 'has unsaved changes');
    }
    const before = document.getText();
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      textChanges(before, text).map(({ oldStart, oldText, start, end }) => {
        const range = new vscode.Range(document.positionAt(oldStart), document.positionAt(oldStart + oldText.length));
        return new vscode.TextEdit(range, text.slice(start, end));
      }),
    );
    const isApplied = before === text || (await vscode.workspace.applyEdit(edit));
    // Text that the user has typed since stays unsaved, because a saved text is replaced where it is not the restored one.
    const isOurs = isApplied && withLineFeeds(document.getText()) === withLineFeeds(text);
    return isOurs && (await document.save()) && !document.isDirty ? document.getText() : undefined;
  }
}

async function refuseUnsaved(path: string): Promise<void> {
  if (await unsavedAt(path)) {
    throw coded('ECHANGED', path, 'has unsaved changes');
  }
}
