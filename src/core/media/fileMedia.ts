/**
 * Decides how a picture or a sound on disk is sent with a prompt. The host has no canvas, so a picture that models refuse is sent as a link to the
 * file.
 */
import { MAX_MEDIA, mediaTypeOf } from '../model/attachment';
import type { PromptCapabilities } from '../model/content';
import { MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, pictureFormat } from './pictureFormats';

export interface FileMedia {
  /** `link`: the agent does not accept it, or models refuse it. */
  readonly as: 'image' | 'audio' | 'link';
  readonly mimeType: string;
  /** The agent takes pictures, but models refuse this one: its format, its bytes or its pixels. */
  readonly isRefused?: true;
}

/**
 * Returns undefined for a file that is neither picture nor sound. A picture is recognized by its bytes alone, a sound by its name.
 * @param head the file's first bytes, see `PICTURE_HEAD`
 * @param size bytes of the whole file
 */
export function fileMedia(name: string, head: Uint8Array, size: number, capabilities: PromptCapabilities): FileMedia | undefined {
  const picture = pictureFormat(head, size);
  if (picture) {
    const { mimeType, isSendable, width = 0, height = 0 } = picture;
    if (!capabilities.image) {
      return { as: 'link', mimeType };
    }
    const fits = isSendable && size <= MAX_PICTURE_BYTES && Math.max(width, height) <= MAX_PICTURE_SIDE;
    return fits ? { as: 'image', mimeType } : { as: 'link', mimeType, isRefused: true };
  }
  const sound = mediaTypeOf(name);
  if (sound?.type !== 'audio') {
    return undefined;
  }
  return { as: capabilities.audio && size <= MAX_MEDIA ? 'audio' : 'link', mimeType: sound.mimeType };
}
