/** Takes changes back by ordinary edits of the editor, which can be undone there like what the user does. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import type { TextEdit } from '../../core/fileChanges/hunks';
import { unifiedDiff } from '../../text/diff/unified';
import type { PendingFile } from './pendingFiles';
import type { SessionChanges } from './sessionChanges';

/** ms that a document may take to be read again after its file was written. */
const RELOAD_MS = 3000;
const RELOAD_STEP_MS = 50;

/** @param hunkIds absent: the whole file, as it was before the first of its changes. False when it could not be done; the user was told why. */
export async function undoChanges(pending: PendingFile, hunkIds?: readonly number[]): Promise<boolean> {
  const { file } = pending;
  if (hunkIds) {
    return undoHunks(pending, hunkIds);
  }
  const undone = await beforeUndo(pending);
  if (file.hunks && file.hunks.hunks.length > 0 && !(await undoHunks(pending, undefined))) {
    return false;
  }
  const isOwn = file.before.kind === 'none' && (file.hunks?.text ?? '') === '';
  if (!file.hunks || isOwn || file.oldPath !== undefined) {
    return (await undoFile(pending, isOwn)) && undone();
  }
  return true;
}

async function undoHunks({ changes, file: { path: real } }: PendingFile, hunkIds: readonly number[] | undefined): Promise<boolean> {
  return applyEdits(changes, real, () => changes.review!.undoEdits(real, hunkIds));
}

/** What is being written, by real path. */
const applying = new Map<string, Promise<boolean>>();

/**
 * Writes these into the file as the user does, once the review and the editor have the same text. One after the other: a file that is still being saved
 * for the one before looks like one that the user has not saved.
 * @param edits the last place first
 */
export function applyEdits(changes: SessionChanges, real: string, edits: () => readonly TextEdit[]): Promise<boolean> {
  const before = applying.get(real) ?? Promise.resolve(true);
  const done = before.catch(() => false).then(() => applyNow(changes, real, edits));
  applying.set(real, done);
  const forget = (): void => void (applying.get(real) === done && applying.delete(real));
  done.then(forget, forget);
  return done;
}

async function applyNow(changes: SessionChanges, real: string, edits: () => readonly TextEdit[]): Promise<boolean> {
  const review = changes.review!;
  const uri = changes.uriOf(real);
  const document = await vscode.workspace.openTextDocument(uri);
  const known = (): string | undefined => review.file(real)?.hunks?.text;
  for (let waited = 0; document.getText() !== known() && waited < RELOAD_MS; waited += RELOAD_STEP_MS) {
    await delay(RELOAD_STEP_MS);
  }
  if (document.getText() !== known()) {
    void window.showWarningMessage(t('{file} is changing on disk. Try again.', { file: path.basename(real) }));
    return false;
  }
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    uri,
    edits().map(({ start, end, text }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return new vscode.TextEdit(range, text);
    }),
  );
  if (!(await vscode.workspace.applyEdit(edit))) {
    void window.showWarningMessage(t("Couldn't undo the changes in {file}.", { file: path.basename(real) }));
    return false;
  }
  // What stood on disk is taken back there; what the user has not saved is theirs to save.
  return wasDirty || document.save();
}

/** What the agent knows of the file: what comes back tells, for the next prompt, that it was taken back as a whole. */
async function beforeUndo({ changes, file }: PendingFile): Promise<() => Promise<true>> {
  const { path: real, oldPath, isDeleted } = file;
  const believed = await changes.stateOf(real);
  const text = changes.report.believed(real) ?? (await changes.textOf(real, believed));
  const baseline = file.hunks?.baseline;
  return async () => {
    const actual = await changes.stateOf(real);
    const words =
      oldPath !== undefined
        ? `The user undid all your changes to this file and moved it back to ${changes.uriOf(oldPath).fsPath}.`
        : isDeleted
          ? 'The user undid the deletion of this file: it is there again.'
          : actual.kind === 'none'
            ? 'The user undid the creation of this file: it was deleted.'
            : 'The user put this file back to what it was before your changes.';
    const now = oldPath !== undefined ? baseline : await changes.textOf(real, actual);
    const diff = text === undefined || now === undefined || isDeleted ? '' : unifiedDiff(text, now);
    changes.report.note({
      path: real,
      whole: 'undone',
      words,
      believed,
      actual,
      diff,
      ...(oldPath !== undefined && { moved: true as const }),
    });
    return true;
  };
}

/** Makes, removes, moves or writes the file as a whole. */
async function undoFile({ changes, file }: PendingFile, isOwn: boolean): Promise<boolean> {
  const { before, path: real, oldPath, hunks } = file;
  const edit = new vscode.WorkspaceEdit();
  const uri = changes.uriOf(real);
  if (before.kind === 'none' && (isOwn || !hunks)) {
    edit.deleteFile(uri, { ignoreIfNotExists: true });
  } else if (oldPath !== undefined && hunks) {
    edit.renameFile(uri, changes.uriOf(oldPath), { overwrite: false });
  } else {
    const bytes = before.kind === 'file' ? await changes.store.get(before.hash) : undefined;
    if (!bytes) {
      void window.showWarningMessage(t("Can't undo the changes in {file}: no earlier version was kept.", { file: path.basename(real) }));
      return false;
    }
    edit.createFile(changes.uriOf(oldPath ?? real), { overwrite: true, contents: bytes });
    if (oldPath !== undefined) {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
    }
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    void window.showWarningMessage(t("Couldn't undo the changes in {file}.", { file: path.basename(real) }));
    return false;
  }
  changes.review!.drop(real);
  return true;
}
