/** The actions above the changed lines of a document. Pure. */
import { isUndoable } from '../../../changes/undo/undoPlan';
import type { InertText } from '../../shared/escape';
import type { Translate } from '../../shared/translate';
import { changeCommands } from '../changeCommandIds';
import { unknownText } from '../changeText';
import type { PendingFile } from '../review/pendingFiles';
import { sharedAuthors, sharedText, type TitleOf } from '../sharedAuthors';

/** An action on a line. One without a command is plain text. */
export interface LineAction {
  readonly line: number;
  readonly title: InertText;
  readonly command: string;
  readonly args: readonly unknown[];
}

/**
 * VS Code shows the actions of a line in one row. With the changes of several sessions, the title of the session follows its actions, once in a row.
 * @param pending the files of one document
 * @param titleOf the short title of a session
 */
export function changeLenses(
  pending: readonly PendingFile[],
  lineCount: number,
  titleOf: TitleOf,
  t: Translate,
): readonly LineAction[] {
  const sessions = new Set(pending.map(({ changes }) => changes.key));
  const rows = pending.flatMap((each) => rowsOf(each, lineCount, t));
  const named = new Map<number, Set<string>>();
  rows.forEach(({ line, key }) => named.set(line, (named.get(line) ?? new Set()).add(key)));
  return rows.flatMap(({ line, key, file, actions }): readonly LineAction[] => {
    const title = sessions.size > 1 ? titleOf(key) : undefined;
    const sharedWith = file.sharedWith?.filter((author) => sessions.size === 1 || !named.get(line)!.has(author));
    // A row that names each of the other authors need not name them again.
    const isSaid = sharedWith?.length === 0 && file.sharedWith!.length > 0;
    const isShared = file.shared && isUndoable(file) && !isSaid;
    return [
      ...actions,
      ...(title === undefined ? [] : [{ line, title, command: '', args: [] }]),
      ...(isShared ? [{ line, title: sharedText(sharedAuthors({ sharedWith }, titleOf), t), command: '', args: [] }] : []),
    ];
  });
}

/** The actions on one hunk, or on a file as a whole. */
interface Row {
  readonly line: number;
  /** The key of the session. */
  readonly key: string;
  readonly file: PendingFile['file'];
  readonly actions: readonly LineAction[];
}

function rowsOf({ changes: { key }, file }: PendingFile, lineCount: number, t: Translate): readonly Row[] {
  const place = { sessionKey: key, path: file.path };
  if (!isUndoable(file)) {
    const actions = [
      { line: 0, title: unknownText(file.before, t), command: '', args: [] },
      { line: 0, title: t('Keep'), command: changeCommands.keepFileChanges, args: [place] },
    ];
    return [{ line: 0, key, file, actions }];
  }
  return (file.hunks?.hunks ?? []).map((hunk): Row => {
    const line = Math.min(file.hunks!.linesOf(hunk).first, lineCount - 1);
    const args = [{ ...place, hunkId: hunk.hunkId }];
    const actions = [
      { line, title: t('Keep'), command: changeCommands.keepChange, args },
      { line, title: t('Undo'), command: changeCommands.undoChange, args },
      ...(hunk.reviewed ? [{ line, title: t('Reviewed'), command: changeCommands.markChangeReviewed, args }] : []),
    ];
    return { line, key, file, actions };
  });
}
