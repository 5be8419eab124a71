/** The actions above the changed lines of a document. With the changes of several sessions, each action names its session. */
import { isUndoable } from '../../../changes/review/reviewFile';
import type { InertText } from '../../shared/escape';
import type { Translate } from '../../shared/translate';
import { changeCommands } from '../../shared/changeCommandIds';
import { unknownText } from '../text/changeText';
import type { PendingFile } from '../session/pendingFiles';
import { sharedAuthors, sharedText, type TitleOf } from '../text/sharedAuthors';

/** An action on a line. One without a command is plain text. */
export interface LineAction {
  readonly line: number;
  readonly title: InertText;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** @param pending the files of one document @param nameOf the name of a pending file's session @param titleOf of other sessions */
export function changeLenses(
  pending: readonly PendingFile[],
  lineCount: number,
  nameOf: (pending: PendingFile) => InertText,
  titleOf: TitleOf,
  t: Translate,
): readonly LineAction[] {
  const isSeveral = new Set(pending.map(({ changes }) => changes.key)).size > 1;
  return pending.flatMap((each): readonly LineAction[] => {
    const { changes, file } = each;
    const place = { sessionKey: changes.key, path: file.path };
    const session = isSeveral ? { session: nameOf(each) } : undefined;
    const keep = session ? t('Keep ({session})', session) : t('Keep');
    if (!isUndoable(file)) {
      return [
        { line: 0, title: unknownText(file.before, t), command: '', args: [] },
        { line: 0, title: keep, command: changeCommands.keepFileChanges, args: [place] },
      ];
    }
    const undo = session ? t('Undo ({session})', session) : t('Undo');
    return (file.hunks?.hunks ?? []).flatMap((hunk): LineAction[] => {
      const line = Math.min(file.hunks!.linesOf(hunk).first, lineCount - 1);
      const args = [{ ...place, hunkId: hunk.hunkId }];
      return [
        { line, title: keep, command: changeCommands.keepChange, args },
        { line, title: undo, command: changeCommands.undoChange, args },
        ...(hunk.reviewed ? [{ line, title: t('Reviewed'), command: changeCommands.markChangeReviewed, args }] : []),
        ...(file.shared ? [{ line, title: sharedText(sharedAuthors(file, titleOf), t), command: '', args: [] }] : []),
      ];
    });
  });
}
