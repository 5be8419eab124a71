/** Reads a picture's size from the beginning of its data, so that its space is reserved before it is decoded and nothing moves. */

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes to read from the beginning; cameras put whole thumbnails before a JPEG's size. */
const HEAD = 256 * 1024;
/** The largest possible side of a picture, which also rejects invalid values. */
const MAX_SIDE = 65_535;

/** Returns undefined for data that does not begin like a PNG, GIF, JPEG, WebP or BMP. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = headOf(base64);
  const size = bytes && (png(bytes) ?? gif(bytes) ?? webp(bytes) ?? bmp(bytes) ?? jpeg(bytes));
  return size && size.width > 0 && size.height > 0 && size.width <= MAX_SIDE && size.height <= MAX_SIDE ? size : undefined;
}

/** px; the largest width of a fitted picture, besides the available width. */
const MAX_WIDTH = 780;
const MAX_HEIGHT = 420;

/** The size at which the whole picture is visible. */
export function fitting({ width, height }: ImageSize): ImageSize {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function headOf(base64: string): DataView | undefined {
  // A short beginning usually suffices; a JPEG gets more.
  const length = base64.startsWith('/9j/') ? Math.ceil(HEAD / 3) * 4 : 64;
  try {
    const text = atob(base64.slice(0, length).replace(/[^A-Za-z0-9+/]/g, ''));
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) {
      bytes[at] = text.charCodeAt(at);
    }
    return new DataView(bytes.buffer);
  } catch {
    return undefined;
  }
}

function starts(bytes: DataView, text: string, at = 0): boolean {
  if (bytes.byteLength < at + text.length) {
    return false;
  }
  for (let index = 0; index < text.length; index++) {
    if (bytes.getUint8(at + index) !== text.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}

function png(bytes: DataView): ImageSize | undefined {
  return bytes.byteLength >= 24 && starts(bytes, '\x89PNG\r\n\x1a\n')
    ? { width: bytes.getUint32(16), height: bytes.getUint32(20) }
    : undefined;
}

function gif(bytes: DataView): ImageSize | undefined {
  return bytes.byteLength >= 10 && (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a'))
    ? { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }
    : undefined;
}

function bmp(bytes: DataView): ImageSize | undefined {
  return bytes.byteLength >= 26 && starts(bytes, 'BM')
    ? { width: Math.abs(bytes.getInt32(18, true)), height: Math.abs(bytes.getInt32(22, true)) }
    : undefined;
}

function webp(bytes: DataView): ImageSize | undefined {
  if (bytes.byteLength < 30 || !starts(bytes, 'RIFF') || !starts(bytes, 'WEBP', 8)) {
    return undefined;
  }
  if (starts(bytes, 'VP8 ', 12)) {
    return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
  }
  if (starts(bytes, 'VP8L', 12)) {
    const bits = bytes.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!starts(bytes, 'VP8X', 12)) {
    return undefined;
  }
  const three = (at: number) => bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16);
  return { width: three(24) + 1, height: three(27) + 1 };
}

/** Goes from segment to segment up to the one with the size. EXIF rotation swaps width and height. */
function jpeg(bytes: DataView): ImageSize | undefined {
  if (!starts(bytes, '\xff\xd8')) {
    return undefined;
  }
  let turned = false;
  for (let at = 2; at + 9 < bytes.byteLength; ) {
    if (bytes.getUint8(at) !== 0xff) {
      return undefined;
    }
    const marker = bytes.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes.getUint16(at + 2);
    if (marker === 0xe1 && starts(bytes, 'Exif\0\0', at + 4)) {
      turned = isTurned(bytes, at + 10, at + 2 + length);
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const height = bytes.getUint16(at + 5);
      const width = bytes.getUint16(at + 7);
      return turned ? { width: height, height: width } : { width, height };
    }
    if (length < 2) {
      return undefined;
    }
    at += 2 + length;
  }
  return undefined;
}

/** True when the first directory of these EXIF data says that the picture is rotated by 90°. */
function isTurned(bytes: DataView, start: number, end: number): boolean {
  const last = Math.min(end, bytes.byteLength);
  if (start + 8 > last) {
    return false;
  }
  const little = bytes.getUint16(start) === 0x4949;
  const first = start + bytes.getUint32(start + 4, little);
  if (first + 2 > last) {
    return false;
  }
  const count = bytes.getUint16(first, little);
  for (let index = 0; index < count; index++) {
    const at = first + 2 + index * 12;
    if (at + 12 > last) {
      return false;
    }
    if (bytes.getUint16(at, little) === 0x0112) {
      return bytes.getUint16(at + 8, little) >= 5;
    }
  }
  return false;
}
