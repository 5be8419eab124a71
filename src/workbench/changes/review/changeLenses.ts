/** The actions above the changed lines of a document. Pure. */
import type { LiveHunks } from '../../../changes/hunks/liveHunks';
import { isEmptyCreation, isUndoable } from '../../../changes/review/reviewFile';
import type { Hunk } from '../../../core/fileChanges/hunks';
import { type InertText, joined } from '../../../application/shared/escape';
import type { Translate } from '../../../application/shared/translate';
import { changeCommands } from '../../../application/shared/changeCommandIds';
import { unknownText } from '../../../application/changes/text/changeText';
import type { PendingFile } from '../session/pendingFiles';
import { sharedAuthors, sharedText, type TitleOf } from '../../../application/changes/text/sharedAuthors';
import type { RunningFile } from '../documents/runningChanges';

/** An action on a line. One without a command is plain text. */
export interface LineAction {
  readonly line: number;
  readonly title: InertText;
  readonly command: string;
  readonly args: readonly unknown[];
}

/**
 * VS Code shows the actions of a line in one row. In a file with the changes of several sessions, the title of the session follows its actions. On a
 * line with the changes of several sessions, each action names its own.
 * @param pending the files of one document
 * @param running the same, in turns that run: their changes can be neither kept nor undone yet
 * @param titleOf the short title of a session
 */
export function changeLenses(
  pending: readonly PendingFile[],
  running: readonly RunningFile[],
  lineCount: number,
  titleOf: TitleOf,
  t: Translate,
): readonly LineAction[] {
  const sessions = new Set([...pending, ...running].map(({ changes }) => changes.key));
  const rows = [...pending.flatMap((each) => rowsOf(each, lineCount, t)), ...running.flatMap((each) => runningRows(each, lineCount, t))];
  const named = new Map<number, Set<string>>();
  rows.forEach(({ line, key }) => named.set(line, (named.get(line) ?? new Set()).add(key)));
  return rows.flatMap(({ line, key, sharedWith: all, actions }): readonly LineAction[] => {
    const title = sessions.size > 1 ? titleOf(key) : undefined;
    const isNamed = title !== undefined && named.get(line)!.size > 1;
    const sharedWith = all?.filter((author) => sessions.size === 1 || !named.get(line)!.has(author));
    // A row that names each of the other authors need not name them again.
    const isShared = sharedWith !== undefined && (sharedWith.length > 0 || all!.length === 0);
    return [
      ...(isNamed ? actions.map((action) => ({ ...action, title: joined([action.title, title], ' · ') })) : actions),
      ...(title === undefined || isNamed ? [] : [{ line, title, command: '', args: [] }]),
      ...(isShared ? [{ line, title: sharedText(sharedAuthors({ sharedWith }, titleOf), t), command: '', args: [] }] : []),
    ];
  });
}

/** The row above a document whose unsaved text does not have the agent's changes. */
export function behindDiskLenses(uri: unknown, t: Translate): readonly LineAction[] {
  return [
    { line: 0, title: t('The agent has changed this file on disk, behind your unsaved text'), command: '', args: [] },
    { line: 0, title: t('Compare with the Disk'), command: 'workbench.files.action.compareWithSaved', args: [uri] },
  ];
}

/** The actions on one hunk, or on a file as a whole. */
interface Row {
  readonly line: number;
  /** The key of the session. */
  readonly key: string;
  /** The known other authors of a shared file; absent for another file. */
  readonly sharedWith?: readonly string[] | undefined;
  readonly actions: readonly LineAction[];
}

function rowsOf({ changes: { key }, file }: PendingFile, lineCount: number, t: Translate): readonly Row[] {
  const place = { sessionKey: key, path: file.path };
  if (!isUndoable(file)) {
    const actions = [
      { line: 0, title: unknownText(file.before, t), command: '', args: [] },
      { line: 0, title: t('Keep'), command: changeCommands.keepFileChanges, args: [place] },
    ];
    return [{ line: 0, key, actions }];
  }
  if (isEmptyCreation(file)) {
    const actions = [
      { line: 0, title: t('Keep'), command: changeCommands.keepFileChanges, args: [place] },
      { line: 0, title: t('Undo'), command: changeCommands.undoFileChanges, args: [place] },
    ];
    return [{ line: 0, key, actions, ...(file.shared && { sharedWith: file.sharedWith ?? [] }) }];
  }
  return (file.hunks?.hunks ?? []).map((hunk): Row => {
    const line = lineOf(file.hunks!, hunk, lineCount);
    const args = [{ ...place, hunkId: hunk.hunkId }];
    const actions = [
      { line, title: t('Keep'), command: changeCommands.keepChange, args },
      { line, title: t('Undo'), command: changeCommands.undoChange, args },
      ...(hunk.reviewed ? [{ line, title: t('Reviewed'), command: changeCommands.markChangeReviewed, args }] : []),
    ];
    return { line, key, actions, ...(file.shared && { sharedWith: file.sharedWith ?? [] }) };
  });
}

function runningRows({ changes: { key }, file: { hunks } }: RunningFile, lineCount: number, t: Translate): readonly Row[] {
  return hunks.hunks.map((hunk): Row => {
    const line = lineOf(hunks, hunk, lineCount);
    return { line, key, actions: [{ line, title: t('Turn is running'), command: '', args: [] }] };
  });
}

function lineOf(live: LiveHunks, hunk: Hunk, lineCount: number): number {
  return Math.min(live.linesOf(hunk).first, lineCount - 1);
}
