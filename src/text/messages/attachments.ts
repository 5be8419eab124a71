/** Texts about the user's comments and the user's changes to an agent's files, for host and page. Pure. */
import type { ReportedFile } from '../../core/fileChanges/changeReport';
import { commentsIn } from '../../core/model/attachment';
import type { ContentBlock } from '../../core/model/content';
import { oneLine } from '../characters/textSafety';
import type { TranslateVerbatim } from './translate';

/** The most UTF-16 units of a file's name in a sentence. */
const MAX_FILE = 60;

/** Returns the name of the attachment that holds comments; undefined for any other block. */
export function commentsName(block: ContentBlock, t: TranslateVerbatim): string | undefined {
  const comments = commentsIn(block);
  if (!comments) {
    return undefined;
  }
  const count = comments.ids.length;
  if (comments.place !== undefined) {
    const file = oneLine(comments.place, MAX_FILE);
    return count === 1 ? t('1 comment on {file}', { file }) : t('{count} comments on {file}', { count, file });
  }
  return count === 1 ? t('1 comment') : t('{count} comments', { count });
}

/** Returns the text about the user's actions on several files that the agent had changed. @param files their number where no more is known */
export function reportText(files: readonly ReportedFile[] | number, t: TranslateVerbatim): string {
  const count = typeof files === 'number' ? files : files.length;
  const areUndone = typeof files !== 'number' && files.every(({ changed = 0, applied = 0 }) => changed + applied === 0);
  return areUndone ? t('Changes undone in {count} files', { count }) : t('Changes undone or edited in {count} files', { count });
}

/** Returns the text about the user's action on a file that the agent had changed. */
export function reportedFileText({ path, undone = 0, changed = 0, applied = 0, whole }: ReportedFile, t: TranslateVerbatim): string {
  const file = oneLine(baseName(path), MAX_FILE);
  const count = undone + changed + applied;
  if (whole !== undefined) {
    return whole === 'restored'
      ? t('{file} restored', { file })
      : whole === 'deleted'
        ? t('{file} deleted', { file })
        : t('All changes undone in {file}', { file });
  }
  if (undone === count) {
    return count === 1 ? t('1 change undone in {file}', { file }) : t('{count} changes undone in {file}', { count, file });
  }
  if (changed === count) {
    return count === 1 ? t('1 change edited in {file}', { file }) : t('{count} changes edited in {file}', { count, file });
  }
  if (applied === count) {
    return count === 1 ? t('1 change applied again in {file}', { file }) : t('{count} changes applied again in {file}', { count, file });
  }
  return t('{count} changes undone or edited in {file}', { count, file });
}

function baseName(path: string): string {
  return /[^\\/]+(?=[\\/]*$)/.exec(path)?.[0] ?? path;
}
