/** The names of attachments that only we write, for host and page: the user's comments, and the report of the user's changes. Pure. */
import { type ReportedFile, sentReport } from '../../core/fileChanges/changeReport';
import { commentsIn } from '../../core/model/attachment';
import type { ContentBlock } from '../../core/model/content';
import { oneLine } from '../characters/textSafety';
import type { TranslateVerbatim } from './translate';

/** UTF-16 units of a file's name in a sentence. */
const MAX_FILE = 60;

/** Returns the name of an attachment that only we write; undefined for any other block. */
export function ownAttachmentName(block: ContentBlock, t: TranslateVerbatim): string | undefined {
  if (block.type !== 'resource') {
    return undefined;
  }
  const comments = commentsIn(block);
  if (comments) {
    const count = comments.ids.length;
    if (comments.place !== undefined) {
      const file = oneLine(comments.place, MAX_FILE);
      return count === 1 ? t('1 comment on {file}', { file }) : t('{count} comments on {file}', { count, file });
    }
    return count === 1 ? t('1 comment') : t('{count} comments', { count });
  }
  const report = sentReport(block.uri);
  return (
    report &&
    (report.only
      ? reportedFileWords(report.only, t)
      : report.files === undefined
        ? t('Your changes')
        : t('Your changes in {count} files', { count: report.files }))
  );
}

/** Returns what the user did to a file that the agent had changed. */
export function reportedFileWords({ path, undone = 0, changed = 0, applied = 0, whole }: ReportedFile, t: TranslateVerbatim): string {
  const file = oneLine(baseName(path), MAX_FILE);
  const count = undone + changed + applied;
  if (whole !== undefined) {
    return whole === 'restored' ? t('{file} restored', { file }) : t('All changes undone in {file}', { file });
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
