/** The name of an attachment, and how it differs from the file that the user added. */
import { isPictureLink } from '../../../src/core/model/attachment';
import type { ContentBlock } from '../../../src/core/model/content';
import { resourceLabel, resourceName } from '../../../src/core/model/contentNames';
import { commentsName } from '../../../src/text/messages/attachments';
import { t } from '../../base/l10n';

/** Only for this page: a page that is loaded later shows the picture's name alone. */
const changes = new WeakMap<ContentBlock, string>();

/** Records how the picture of a block was changed, for {@link attachmentNote}. */
export function noteChange(block: ContentBlock, change: string): void {
  changes.set(block, change);
}

/** The name of an attachment. */
export function attachmentName(block: ContentBlock): string {
  switch (block.type) {
    case 'resource_link':
      return block.title ?? block.name;
    case 'resource':
      return commentsName(block, t) ?? resourceLabel(block.uri);
    case 'image':
      return block.uri ? resourceName(block.uri) : t('Image');
    case 'audio':
      return t('Audio');
    case 'text':
      return block.text;
    default:
      return t('Unknown content');
  }
}

/** The change of a picture that could not be attached unchanged; empty when it was not changed. */
export function attachmentNote(block: ContentBlock): string {
  if (block.type === 'resource_link' && isPictureLink(block)) {
    return t('sent as a link');
  }
  if (block.type === 'resource' && block.blob !== undefined && isPictureLink(block)) {
    return t('sent as a file');
  }
  return changes.get(block) ?? '';
}
