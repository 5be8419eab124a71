/** The names of sent attachments that only we write, for host and page: the user's comments, and the report of the user's changes. Pure. */
import { isReportUri, sentReport } from '../../core/model/reportAddress';
import { commentsIn } from '../../core/model/attachment';
import type { ContentBlock } from '../../core/model/content';
import { commentsName, reportedFileText, reportText } from './attachments';
import type { TranslateVerbatim } from './translate';

/** True for an attachment that only we write. */
export function isOwnAttachment(block: ContentBlock): boolean {
  return block.type === 'resource' && (isReportUri(block.uri) || commentsIn(block) !== undefined);
}

/** Returns the name of an attachment that only we write; undefined for any other block. */
export function ownAttachmentName(block: ContentBlock, t: TranslateVerbatim): string | undefined {
  const report = block.type === 'resource' ? sentReport(block.uri) : undefined;
  if (!report) {
    return commentsName(block, t);
  }
  const { only, files } = report;
  return only ? reportedFileText(only, t) : files === undefined ? t('Your changes') : reportText(files, t);
}
