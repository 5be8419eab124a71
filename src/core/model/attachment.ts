/** The attachments that a prompt may carry, by file name (protocol page "Content"). */
import type { ContentBlock } from './content';

export interface MediaType {
  readonly type: 'image' | 'audio';
  readonly mimeType: string;
}

const MEDIA: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  weba: 'audio/webm',
};

/** The most bytes of an image or a sound that are sent with a prompt. Models accept less. */
export const MAX_MEDIA = 10 * 1024 * 1024;
/** The most bytes of a file whose text is put into the prompt. A larger one is sent as a link, which the agent can read as it likes. */
export const MAX_EMBEDDED = 256 * 1024;

/**
 * Returns the kind of media that the extension of this name promises; undefined for other names. Pictures are recognized by their bytes, see
 * `core/media/pictureFormats.ts`.
 */
export function mediaTypeOf(name: string): MediaType | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const mimeType = Object.hasOwn(MEDIA, extension) ? MEDIA[extension] : undefined;
  return mimeType === undefined ? undefined : { type: mimeType.startsWith('image/') ? 'image' : 'audio', mimeType };
}

/** True for a picture that is sent as a file. */
export function isPictureLink({ mimeType = '' }: { readonly mimeType?: string | undefined }): boolean {
  return /^image\/(?!svg)/i.test(mimeType);
}

/** Address of an attachment with comments on lines. Comments that belong together share one attachment, and a newer one replaces it. */
const COMMENTS = 'acp-host-comments:';

/**
 * Returns the address of the attachment that holds these comments.
 *
 * @param collection the comments that share one attachment
 * @param place the file that all of them are in, with the lines of a single comment; the user reads it
 */
export function commentsUri(collection: string, ids: readonly number[], place?: string): string {
  return `${COMMENTS}${collection}/${ids.join('.')}${place === undefined ? '' : `?${encodeURIComponent(place.toWellFormed())}`}`;
}

/** The comments in an attachment. */
export interface CommentsIn {
  readonly collection: string;
  readonly ids: readonly number[];
  /** See {@link commentsUri}. */
  readonly place?: string;
}

/** Returns the comments in an attachment; undefined for another block. */
export function commentsIn(block: ContentBlock): CommentsIn | undefined {
  if (block.type !== 'resource' || !block.uri.startsWith(COMMENTS)) {
    return undefined;
  }
  const [address = '', place] = block.uri.slice(COMMENTS.length).split('?');
  const [collection = '', ids = ''] = address.split('/');
  return { collection, ids: ids.split('.').filter(Boolean).map(Number), ...(place !== undefined && { place: decoded(place) }) };
}

/** Returns a part of an address in readable form. A part that is not percent-encoded text is returned unchanged. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Adds attachments. An attachment with comments replaces earlier ones of its collection. */
export function withAttachments(attachments: readonly ContentBlock[], more: readonly ContentBlock[]): readonly ContentBlock[] {
  const all = [...attachments, ...more];
  return all.filter((block, index) => {
    const comments = commentsIn(block);
    const isReplaced = comments && all.slice(index + 1).some((later) => commentsIn(later)?.collection === comments.collection);
    return !comments || (comments.ids.length > 0 && !isReplaced);
  });
}
