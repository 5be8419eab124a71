/** Compares a file with what was saved before an agent wrote it, and puts lost lines back. Loaded with the first of these actions. */
import path from 'node:path';
import * as vscode from 'vscode';
import { compareSaved } from '../../../application/changes/overwrites/lostLines';
import type { OverwrittenChange } from '../../../application/changes/overwrites/overwriteWatch';
import { type InertText, inertLine } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import { openDiff, window } from '../../shared/window';
import { editorColumn } from '../../window/columns';
import type { SessionChanges } from '../session/sessionChanges';
import type { VersionDocuments } from '../versions/versionDocuments';

const MAX_NAME = 80;

/** @param entryId of the request or the notice */
export async function savedLines(
  changes: SessionChanges,
  versions: VersionDocuments,
  act: 'compare' | 'put_back',
  entryId: string,
): Promise<void> {
  const known = changes.overwrites.changesOf(entryId);
  if (known.length === 0) {
    void window.showInformationMessage(t('The saved text is not known anymore. The Timeline view has earlier versions of the file.'));
    return;
  }
  for (const change of known) {
    await (act === 'put_back' ? putBack(changes, versions, entryId, change) : compare(changes, versions, entryId, change));
  }
}

/** Opens the difference to the file itself, so that single lines can be taken over with the arrows of the diff. */
async function compare(changes: SessionChanges, versions: VersionDocuments, entryId: string, change: OverwrittenChange): Promise<void> {
  const isRequest = changes.session.store.state.entries.get(entryId)?.kind === 'permission';
  const before = versions.savedUriOf(changes, change.path, entryId, isRequest ? 'base' : 'saved');
  const uri = changes.uriOf(change.path);
  const exists = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  const file = nameOf(change);
  const title = isRequest ? t('{file} (Changed Since the Request)', { file }) : t('{file} (Saved ↔ Now)', { file });
  const after = exists ? uri : versions.savedUriOf(changes, change.path, entryId, 'none');
  await openDiff(before, after, title, { preview: true, viewColumn: editorColumn() });
}

/** Writes only lines that nothing else has changed. Where that is not certain, opens the difference. */
async function putBack(changes: SessionChanges, versions: VersionDocuments, entryId: string, change: OverwrittenChange): Promise<void> {
  const file = nameOf(change);
  const document = await Promise.resolve(vscode.workspace.openTextDocument(changes.uriOf(change.path))).catch(() => undefined);
  const present = document?.getText();
  const compared = present === undefined ? undefined : compareSaved(change, present);
  if (compared?.type === 'kept') {
    void window.showInformationMessage(t('{file} has the saved lines.', { file }));
    return;
  }
  const wasDirty = document?.isDirty === true;
  const result =
    compared?.type === 'lost' ? await changes.editor.edit(change.path, present!, compared.edits, !wasDirty).catch(() => false) : false;
  if (result === true) {
    const text = wasDirty ? t('The lines are back in {file}, which is not saved.', { file }) : t('The lines are back in {file}.', { file });
    window.setStatusBarMessage(text, 4000);
  } else if (result === 'not_saved' && document?.getText() === present) {
    void window.showWarningMessage(t("{file} can't be written, so the lines are not back.", { file }));
  } else if (result === 'not_saved') {
    void window.showWarningMessage(t('The lines are back in {file}, but it could not be saved.', { file }));
  } else {
    await compare(changes, versions, entryId, change);
    void window.showInformationMessage(t('The lines could not be put back by themselves, because {file} changed there.', { file }));
  }
}

function nameOf({ path: real }: OverwrittenChange): InertText {
  return inertLine(path.basename(real), MAX_NAME);
}
