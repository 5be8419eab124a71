/** What may go with a prompt besides its text, by what a file is called (protocol page "Content"). */
import type { PromptCapabilities } from './content';

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

/** Bytes of an image or a sound that go with a prompt at most; models take less. */
export const MAX_MEDIA = 10 * 1024 * 1024;
/** Bytes of a file whose text is put into the prompt; a larger one goes as a link, which the agent can read as it likes. */
export const MAX_EMBEDDED = 256 * 1024;

/** The kind of media that a file of this name holds; undefined when it is none that models take. */
export function mediaTypeOf(name: string): MediaType | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const mimeType = Object.hasOwn(MEDIA, extension) ? MEDIA[extension] : undefined;
  return mimeType === undefined ? undefined : { type: mimeType.startsWith('image/') ? 'image' : 'audio', mimeType };
}

/** True when the agent takes this kind of media in a prompt. */
export function takes({ type }: MediaType, capabilities: PromptCapabilities): boolean {
  return capabilities[type];
}
