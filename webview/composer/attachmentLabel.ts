/** The name of an attachment, and how it differs from the file that the user added. */
import { commentsIn, isPictureLink } from '../../src/core/model/attachment';
import type { ContentBlock } from '../../src/core/model/content';
import { resourceName } from '../../src/core/model/contentNames';
import { t } from '../l10n';

/** How a picture was changed before it was attached. */
export interface PictureChange {
  /** Pixels, where the picture was scaled. */
  readonly scaled?: { readonly width: number; readonly height: number };
  /** The name of the format that the picture was converted to. */
  readonly converted?: string;
}

/** Only for this page: a page that is loaded later shows the picture's name alone. */
const changes = new WeakMap<ContentBlock, PictureChange>();

/** Records how the picture of a block was changed. */
export function noteChange(block: ContentBlock, change: PictureChange): void {
  changes.set(block, change);
}

/** The name of an attachment. */
export function attachmentName(block: ContentBlock): string {
  switch (block.type) {
    case 'resource_link':
      return block.title ?? block.name;
    case 'resource': {
      const comments = commentsIn(block)?.ids.length;
      return comments === undefined
        ? resourceName(block.uri)
        : comments === 1
          ? t('1 comment')
          : t('{count} comments', { count: comments });
    }
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

/** How a picture goes where it does not go as it is; empty otherwise. */
export function attachmentNote(block: ContentBlock): string {
  if (block.type === 'resource_link' && isPictureLink(block)) {
    return t('sent as a link');
  }
  if (block.type === 'resource' && block.blob !== undefined && isPictureLink(block)) {
    return t('sent as a file');
  }
  const { scaled, converted } = changes.get(block) ?? {};
  return [
    ...(scaled ? [t('scaled to {width} × {height}', { width: scaled.width, height: scaled.height })] : []),
    ...(converted ? [t('converted to {format}', { format: converted })] : []),
  ].join(', ');
}
