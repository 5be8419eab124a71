/** The lines that an agent replaced or removed at a line of the editor, for a hover. Pure. */
import { hunkAtLine } from '../../../changes/review/hunksAtLines';
import type { InertText } from '../../../application/shared/escape';
import type { Translate } from '../../../application/shared/translate';
import type { PendingFile } from '../session/pendingFiles';

/** Lines that a hover shows. */
const MAX_LINES = 30;
/** UTF-16 units that a hover shows. */
const MAX_UNITS = 4000;

/** @param pending the files of one document @param line from 0 @param nameOf the name of a pending file's session */
export function removedLines<T extends { readonly file: Pick<PendingFile['file'], 'hunks'> }>(
  pending: readonly T[],
  line: number,
  nameOf: (pending: T) => InertText,
  t: Translate,
): readonly { readonly title: InertText; readonly code: string }[] {
  return pending.flatMap((each) => {
    const oldText = (each.file.hunks && hunkAtLine(each.file.hunks, line)?.oldText) ?? '';
    const lines = oldText.replace(/\r?\n$/, '').split('\n');
    if (oldText === '') {
      return [];
    }
    const session = nameOf(each);
    const title =
      lines.length === 1
        ? t('Removed by {session}: 1 line', { session })
        : t('Removed by {session}: {count} lines', { session, count: lines.length });
    const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_UNITS);
    return [{ title, code: shown.length < oldText.trimEnd().length ? `${shown}\n…` : shown }];
  });
}
