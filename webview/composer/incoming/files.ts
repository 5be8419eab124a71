/** Converts pasted or dropped files to blocks of a prompt. Loaded with the first file. */
import { MAX_EMBEDDED, MAX_MEDIA, mediaTypeOf } from '../../../src/core/model/attachment';
import type { ContentBlock, PromptCapabilities } from '../../../src/core/model/content';
import { resourceName } from '../../../src/core/model/contentNames';
import {
  DRAWN,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE,
  PICTURE_HEAD,
  pictureFormat,
  type PictureFormat,
  pictureName,
  SCALED_SIDE,
} from '../../../src/core/media/pictureFormats';
import { draw, type Drawn } from './drawPicture';

/** The largest picture file that is read to be scaled, in bytes. */
const MAX_SOURCE = 64 * 1024 * 1024;

/** A file that is larger than a message may attach; in bytes. */
export interface TooLarge {
  readonly name: string;
  readonly size: number;
  readonly limit: number;
}

/** A block, and how its picture was changed. */
export interface IncomingBlock {
  readonly block: ContentBlock;
  readonly change?: Pick<Drawn, 'scaled' | 'converted'> | undefined;
}

export interface Incoming {
  readonly blocks: readonly IncomingBlock[];
  /** Names of files that the agent does not accept. */
  readonly refused: readonly string[];
  /** Names of pictures that cannot be decoded. */
  readonly broken: readonly string[];
  readonly tooLarge: readonly TooLarge[];
}

type Read = IncomingBlock | TooLarge | 'refused' | 'broken';

/** Reads the files. Never rejects. */
export async function readFiles(files: readonly File[], capabilities: PromptCapabilities): Promise<Incoming> {
  const blocks: IncomingBlock[] = [];
  const refused: string[] = [];
  const broken: string[] = [];
  const tooLarge: TooLarge[] = [];
  for (const file of files) {
    const read = await readFile(file, capabilities).catch((): Read => 'refused');
    if (typeof read === 'string') {
      (read === 'broken' ? broken : refused).push(file.name || file.type);
    } else if ('limit' in read) {
      tooLarge.push(read);
    } else {
      blocks.push(read);
    }
  }
  return { blocks, refused, broken, tooLarge };
}

async function readFile(file: File, capabilities: PromptCapabilities): Promise<Read> {
  const format = pictureFormat(new Uint8Array(await file.slice(0, PICTURE_HEAD).arrayBuffer()), file.size);
  if (format) {
    return readPicture(file, format, capabilities);
  }
  const sound = /^audio\/[\w.+-]+$/.test(file.type) ? file.type : soundTypeOf(file.name);
  if (sound !== undefined) {
    if (!capabilities.audio) {
      return 'refused';
    }
    return file.size > MAX_MEDIA ? tooLargeFor(file, MAX_MEDIA) : { block: { type: 'audio', data: await base64Of(file), mimeType: sound } };
  }
  // An SVG drawing is text. A file with a picture's name may also contain no picture.
  const isNamedPicture = mediaTypeOf(file.name)?.type === 'image' || (file.type.startsWith('image/') && !/svg/i.test(file.type));
  if (file.size > MAX_EMBEDDED) {
    return isNamedPicture ? 'broken' : tooLargeFor(file, MAX_EMBEDDED);
  }
  const text = await textOf(file);
  if (text === undefined) {
    return isNamedPicture ? 'broken' : 'refused';
  }
  const mimeType = isNamedPicture ? '' : file.type;
  return { block: { type: 'resource', uri: addressOf(file.name), ...(mimeType && { mimeType }), text } };
}

async function readPicture(file: File, format: PictureFormat, capabilities: PromptCapabilities): Promise<Read> {
  const { mimeType, isSendable, width = 0, height = 0 } = format;
  if (!capabilities.image) {
    return 'refused';
  }
  if (file.size > MAX_SOURCE) {
    return tooLargeFor(file, MAX_SOURCE);
  }
  const name = pictureName(file.name, format);
  const side = Math.max(width, height);
  const isSmall = file.size <= MAX_PICTURE_BYTES;
  const whole = async (): Promise<Read> => ({ block: { type: 'image', data: await base64Of(file), mimeType, uri: addressOf(name) } });
  if (isSendable && isSmall && side <= SCALED_SIDE) {
    return whole();
  }
  const drawn = await draw(file, format).catch(() => undefined);
  if (drawn && drawn.blob.size <= MAX_PICTURE_BYTES) {
    const drawnFormat = drawn.blob.type === DRAWN.png.mimeType ? DRAWN.png : DRAWN.jpeg;
    const block = {
      type: 'image',
      data: await base64Of(drawn.blob),
      mimeType: drawnFormat.mimeType,
      uri: addressOf(pictureName(name, drawnFormat)),
    } as const;
    return { block, change: drawn };
  }
  if (drawn || !isSmall) {
    return tooLargeFor(file, MAX_PICTURE_BYTES);
  }
  if (isSendable) {
    return side <= MAX_PICTURE_SIDE ? whole() : 'broken';
  }
  // The browser cannot decode the picture. The agent may still be able to use its bytes.
  return capabilities.embeddedContext
    ? { block: { type: 'resource', uri: addressOf(name), mimeType, blob: await base64Of(file) } }
    : 'refused';
}

function soundTypeOf(name: string): string | undefined {
  const media = mediaTypeOf(name);
  return media?.type === 'audio' ? media.mimeType : undefined;
}

function tooLargeFor({ name, size }: File, limit: number): TooLarge {
  return { name, size, limit };
}

/** Undefined for bytes that are not text. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const SCHEME = 'attachment:/';

function addressOf(name: string): string {
  return SCHEME + encodeURIComponent(name.toWellFormed());
}

/** Returns the block with a name that is unique in the message: pasted pictures are all called image.png. */
export function withOwnName(block: ContentBlock, others: readonly ContentBlock[]): ContentBlock {
  const isTaken = (uri: string): boolean => others.some((other) => 'uri' in other && other.uri === uri);
  if ((block.type !== 'image' && block.type !== 'resource') || !block.uri?.startsWith(SCHEME) || !isTaken(block.uri)) {
    return block;
  }
  const [, base = '', extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(resourceName(block.uri)) ?? [];
  for (let count = 2; ; count++) {
    const uri = addressOf(`${base} (${count})${extension}`);
    if (!isTaken(uri)) {
      return { ...block, uri };
    }
  }
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('not read'));
    reader.readAsDataURL(file);
  });
}
