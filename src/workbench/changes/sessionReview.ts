/** The differences that a turn or the whole session made, between stored versions of files. */
import path from 'node:path';
import * as vscode from 'vscode';
import { type FileRecord, type FileState, sameState, statesBefore } from '../../core/fileChanges/records';
import { type CountBudget, lineCounts } from '../../core/fileChanges/lineCounts';
import { entryIdOf, isAbsent } from '../../core/model/state';
import { editorColumn } from '../window/columns';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { openChanges, openDiff, window } from '../shared/window';
import type { SessionChanges } from './session/sessionChanges';
import type { VersionDocuments } from './versions/versionDocuments';

/** All counts of a session together. */
const BUDGET: CountBudget = { units: 8 * 1024 * 1024, steps: 2_000_000 };
const MAX_NAME = 80;

/** Opens what a turn did to one file of its entry's list. False when nothing of it was kept: the agent's own words are all there is. */
export async function openTurnFile(changes: SessionChanges, versions: VersionDocuments, entryId: string, index: number): Promise<boolean> {
  const slot = changes.session.store.state.entries.get(entryId);
  const entry = slot && !isAbsent(slot) && slot.kind === 'turn' ? slot : undefined;
  const name = entry?.changes?.files[index]?.path;
  const records = await changes.log.records();
  const turn = records.filter((record) => record.type === 'turn').find(({ turnId }) => entryIdOf.turn(turnId) === entryId);
  const record = turn && (await fileIn(changes, turn.files, name));
  if (!record) {
    return false;
  }
  const file = path.basename(record.path);
  if (record.before.kind === 'unknown') {
    void window.showInformationMessage(t('{file} was changed. The earlier version is not known', { file: inertLine(file, MAX_NAME) }));
    return false;
  }
  const of = { path: record.path, turnId: turn.turnId };
  const before = await versions.uriOf(changes, record.oldPath ?? record.path, record.before, of);
  const isNow = await changes.isNow(record.path, record.after);
  // The file itself where it still is as the turn left it: it can be edited there.
  const after =
    isNow && record.after.kind === 'file' ? changes.uriOf(record.path) : await versions.uriOf(changes, record.path, record.after, of);
  if (!before || !after || record.binary) {
    return false;
  }
  const options = { preview: true, viewColumn: editorColumn() };
  if (record.before.kind === 'none' && record.oldPath === undefined && record.after.kind === 'file') {
    // A diff with an empty document would begin with an empty removed line.
    await vscode.commands.executeCommand('vscode.open', after, options);
  } else {
    await openDiff(before, after, t('{file} (Changes of This Turn)', { file: inertLine(file, MAX_NAME) }), options);
  }
  return true;
}

/** All files that the session's turns have touched, as they were before the first and as they are now, in one editor. */
export async function reviewSession(changes: SessionChanges, versions: VersionDocuments): Promise<void> {
  const states = statesBefore(await changes.log.records(), 0);
  const resources: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
  const unknown: string[] = [];
  let [added, removed] = [0, 0];
  const budget = { ...BUDGET };
  for (const [real, before] of [...states].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const now = await changes.stateOf(real);
    if (sameState(before, now)) {
      continue;
    }
    const old = await versions.uriOf(changes, real, before);
    if (!old) {
      unknown.push(path.basename(real));
      continue;
    }
    const uri = changes.uriOf(real);
    resources.push([uri, before.kind === 'none' ? undefined : old, now.kind === 'none' ? undefined : uri]);
    const counts = await countsOf(changes, real, before, now, budget);
    [added, removed] = [added + counts.added, removed + counts.removed];
  }
  if (unknown.length > 0) {
    const files = inertLine(unknown.join(', '), 400);
    void window.showInformationMessage(t('Changed, no earlier version kept: {files}', { files }));
  }
  if (resources.length > 0) {
    // VS Code adds how many files they are.
    await openChanges(t('Changes of This Session (+{added} −{removed})', { added, removed }), resources);
  } else if (unknown.length === 0) {
    showNoChanges();
  }
}

export function showNoChanges(): void {
  void window.showInformationMessage(t('This session changed no files.'));
}

async function countsOf(
  changes: SessionChanges,
  real: string,
  before: FileState,
  now: FileState,
  budget: CountBudget,
): Promise<{ readonly added: number; readonly removed: number }> {
  const [old, text] = [await changes.textOf(real, before), await changes.textOf(real, now)];
  return (old !== undefined && text !== undefined && lineCounts(old, text, budget)) || { added: 0, removed: 0 };
}

/** The one that the list calls so: as the agent named it, or the session. */
async function fileIn(changes: SessionChanges, files: readonly FileRecord[], name: string | undefined): Promise<FileRecord | undefined> {
  if (name === undefined) {
    return undefined;
  }
  const known = files.find(({ path: real }) => real === name || changes.uriOf(real).fsPath === name);
  const real = known ? undefined : await changes.resolve(name);
  return known ?? files.find((file) => file.path === real);
}
