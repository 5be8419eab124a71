/** What goes with the next prompt, as chips that can be taken off. */
import type { ContentBlock } from '../../src/core/model/content';
import { commentsIn } from '../../src/core/model/attachment';
import type { Draft } from '../draft';
import { CrossIcon, FileIcon } from '../icons';
import { t } from '../l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { baseName } from '../words';
import { ChangeReportChips, useChangeReport } from './changeReport';

export function Attachments({ draft }: { draft: Draft }) {
  const report = useChangeReport();
  if (draft.attachments.length === 0 && !report) {
    return null;
  }
  return (
    <ul class="attachments" aria-label={t('Attachments')}>
      {report && <ChangeReportChips files={report} />}
      {draft.attachments.map((block, index) => (
        <AttachmentChip key={index} block={block} detach={() => draft.detach(index)} />
      ))}
    </ul>
  );
}

/** One of them, which `detach` takes off. */
export function AttachmentChip({ block, detach }: { block: ContentBlock; detach: () => void }) {
  const name = oneLine(attachmentName(block), 60);
  return (
    <li class="chip chip-still">
      <FileIcon />
      <span>{name}</span>
      <button type="button" class="icon-button" aria-label={t('Remove {name}', { name })} onClick={detach}>
        <CrossIcon />
      </button>
    </li>
  );
}

/** What an attachment is called. */
export function attachmentName(block: ContentBlock): string {
  switch (block.type) {
    case 'resource_link':
      return block.title ?? block.name;
    case 'resource': {
      const comments = commentsIn(block)?.ids.length;
      return comments === undefined ? baseName(block.uri) : comments === 1 ? t('1 comment') : t('{count} comments', { count: comments });
    }
    case 'image':
      return block.uri ? baseName(block.uri) : t('Image');
    case 'audio':
      return t('Audio');
    case 'text':
      return block.text;
    default:
      return t('Unknown content');
  }
}
