/** Recognizes pictures by their first bytes: a name or a type that an application gave may be wrong, and models check the bytes. */

import { isCutOff } from './pictureEnds';

/** A recognized picture. */
export interface PictureFormat {
  /** The type that the bytes have. */
  readonly mimeType: string;
  /** File name extensions that fit, without the dot; the usual one first. */
  readonly extensions: readonly [string, ...string[]];
  /** Models take this format. Others are converted first, or are sent as files. */
  readonly isSendable: boolean;
  /** Pixels; undefined where the head does not say. */
  readonly width?: number;
  readonly height?: number;
}

/** Bytes of a file that are enough to recognize it. A JPEG may have large metadata before its size. */
export const PICTURE_HEAD = 1024 * 1024;
/** Pixels of a picture's longer side that models take; they refuse more. */
export const MAX_PICTURE_SIDE = 8000;
/** The longer side, in pixels, to which pictures are scaled where possible. Models scale down larger ones themselves. */
export const SCALED_SIDE = 2000;
/** Bytes of a picture that models take: 5 MB of base64. */
export const MAX_PICTURE_BYTES = 3_750_000;

const PNG = format('image/png', ['png'], true);
const JPEG = format('image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif'], true);
const GIF = format('image/gif', ['gif'], true);
const WEBP = format('image/webp', ['webp'], true);
const BMP = format('image/bmp', ['bmp', 'dib'], false);
const TIFF = format('image/tiff', ['tiff', 'tif'], false);
const ICO = format('image/x-icon', ['ico'], false);
const CURSOR = format('image/x-icon', ['cur'], false);
const HEIC = format('image/heic', ['heic', 'heif'], false);
const AVIF = format('image/avif', ['avif'], false);
const JXL = format('image/jxl', ['jxl'], false);
const JP2 = format('image/jp2', ['jp2', 'j2k', 'jpx'], false);
const PHOTOSHOP = format('image/vnd.adobe.photoshop', ['psd'], false);

function format(mimeType: string, extensions: readonly [string, ...string[]], isSendable: boolean): PictureFormat {
  return { mimeType, extensions, isSendable };
}

/**
 * Returns the format of a picture; undefined for other content, and for a picture whose end is missing.
 * @param head the first {@link PICTURE_HEAD} bytes, or all
 * @param size bytes of the whole file
 */
export function pictureFormat(head: Uint8Array, size = head.length): PictureFormat | undefined {
  const bytes = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const found =
      png(bytes) ??
      jpeg(bytes) ??
      gif(bytes) ??
      webp(bytes) ??
      bmp(bytes) ??
      tiff(bytes, size) ??
      icon(bytes, size) ??
      boxes(bytes) ??
      photoshop(bytes);
    return found && !isCutOff(found.mimeType, bytes, Math.max(size, head.length)) ? found : undefined;
  } catch (error) {
    // The bytes end before a part that the format requires.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function startsWith(bytes: DataView, text: string, at = 0): boolean {
  return bytes.byteLength >= at + text.length && [...text].every((char, index) => bytes.getUint8(at + index) === char.charCodeAt(0));
}

function sized(found: PictureFormat, width: number, height: number): PictureFormat | undefined {
  return width > 0 && height > 0 ? { ...found, width, height } : undefined;
}

function png(bytes: DataView): PictureFormat | undefined {
  return startsWith(bytes, '\x89PNG\r\n\x1a\n') && startsWith(bytes, 'IHDR', 12)
    ? // A chunk of data follows the header.
      bytes.byteLength > 33
      ? sized(PNG, bytes.getUint32(16), bytes.getUint32(20))
      : undefined
    : undefined;
}

/** The size is in the frame's header, behind segments of metadata. */
function jpeg(bytes: DataView): PictureFormat | undefined {
  if (!startsWith(bytes, '\xff\xd8\xff')) {
    return undefined;
  }
  for (let at = 2; ; ) {
    if (bytes.getUint8(at) !== 0xff) {
      return undefined;
    }
    const marker = bytes.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return sized(JPEG, bytes.getUint16(at + 7), bytes.getUint16(at + 5));
    } else if (marker === 0xd9 || marker === 0xda) {
      return undefined;
    } else {
      const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
      at += isAlone ? 2 : 2 + Math.max(2, bytes.getUint16(at + 2));
    }
  }
}

function gif(bytes: DataView): PictureFormat | undefined {
  return startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')
    ? bytes.byteLength > 13
      ? sized(GIF, bytes.getUint16(6, true), bytes.getUint16(8, true))
      : undefined
    : undefined;
}

function webp(bytes: DataView): PictureFormat | undefined {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) {
    return undefined;
  }
  if (startsWith(bytes, 'VP8X', 12)) {
    const side = (at: number): number => 1 + bytes.getUint16(at, true) + (bytes.getUint8(at + 2) << 16);
    return sized(WEBP, side(24), side(27));
  }
  if (startsWith(bytes, 'VP8L', 12)) {
    const packed = bytes.getUint32(21, true);
    return sized(WEBP, 1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff));
  }
  return startsWith(bytes, 'VP8 ', 12) ? sized(WEBP, bytes.getUint16(26, true) & 0x3fff, bytes.getUint16(28, true) & 0x3fff) : undefined;
}

const BMP_HEADERS: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

function bmp(bytes: DataView): PictureFormat | undefined {
  if (!startsWith(bytes, 'BM')) {
    return undefined;
  }
  const header = bytes.getUint32(14, true);
  const isOld = header === 12;
  const width = isOld ? bytes.getUint16(18, true) : bytes.getInt32(18, true);
  const height = isOld ? bytes.getUint16(20, true) : bytes.getInt32(22, true);
  return BMP_HEADERS.has(header) ? sized(BMP, width, Math.abs(height)) : undefined;
}

/** The first directory may be anywhere in the file. */
function tiff(bytes: DataView, size: number): PictureFormat | undefined {
  const isLittle = startsWith(bytes, 'II');
  if ((!isLittle && !startsWith(bytes, 'MM')) || bytes.getUint16(2, isLittle) !== 42) {
    return undefined;
  }
  const directory = bytes.getUint32(4, isLittle);
  return directory >= 8 && directory + 14 <= size ? TIFF : undefined;
}

function icon(bytes: DataView, size: number): PictureFormat | undefined {
  const type = startsWith(bytes, '\0\0') ? bytes.getUint16(2, true) : 0;
  if (type !== 1 && type !== 2) {
    return undefined;
  }
  const count = bytes.getUint16(4, true);
  const data = bytes.getUint32(18, true);
  const length = bytes.getUint32(14, true);
  return count > 0 && data >= 6 + 16 * count && length > 0 && data + length <= size ? (type === 1 ? ICO : CURSOR) : undefined;
}

/** Formats made of boxes: a length, a name, and here the brands that the file follows. */
function boxes(bytes: DataView): PictureFormat | undefined {
  const length = bytes.getUint32(0);
  if (startsWith(bytes, 'JXL \r\n\x87\n', 4)) {
    return bytes.byteLength > 12 ? JXL : undefined;
  }
  if (startsWith(bytes, 'jP  \r\n\x87\n', 4)) {
    return bytes.byteLength > 12 ? JP2 : undefined;
  }
  if (!startsWith(bytes, 'ftyp', 4) || length < 16 || length > 512 || bytes.byteLength <= length) {
    return undefined;
  }
  const brands = [8, ...Array.from({ length: (length - 16) >> 2 }, (_, index) => 16 + 4 * index)];
  const hasBrand = (...names: string[]): boolean => brands.some((at) => names.some((name) => startsWith(bytes, name, at)));
  return hasBrand('avif', 'avis') ? AVIF : hasBrand('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1') ? HEIC : undefined;
}

function photoshop(bytes: DataView): PictureFormat | undefined {
  return startsWith(bytes, '8BPS') && bytes.getUint16(4) === 1 ? sized(PHOTOSHOP, bytes.getUint32(18), bytes.getUint32(14)) : undefined;
}

/** The name with an extension that fits the format; a name without one gets one. */
export function pictureName(name: string, { extensions }: Pick<PictureFormat, 'extensions'>): string {
  const [, base = name, extension = ''] = /^(.+)\.([A-Za-z0-9]{1,5})$/s.exec(name) ?? [];
  return extensions.includes(extension.toLowerCase()) ? name : `${base || 'image'}.${extensions[0]}`;
}

/** The format of a picture that was drawn again. */
export const DRAWN = { png: PNG, jpeg: JPEG } as const;
