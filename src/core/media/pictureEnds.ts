/** Recognizes pictures whose end is missing, such as a download that was interrupted: models refuse them. */

/**
 * True for a picture that ends before its own structure does. False when the head does not show it, and for unknown content in the picture.
 * @param head the first bytes of a PNG, JPEG, GIF, WebP or BMP whose header is complete
 * @param size bytes of the whole file
 */
export function isCutOff(mimeType: string, head: DataView, size: number): boolean {
  try {
    return CHECKS[mimeType]?.(head, size) ?? false;
  } catch (error) {
    if (error instanceof RangeError) {
      return head.byteLength >= size;
    }
    throw error;
  }
}

const CHECKS: Readonly<Record<string, (head: DataView, size: number) => boolean>> = {
  'image/png': isPngCutOff,
  'image/jpeg': isJpegCutOff,
  'image/gif': isGifCutOff,
  'image/webp': (head, size) => head.getUint32(4, true) + 8 > size + 1,
  'image/bmp': isBmpCutOff,
};

const IEND = 0x49454e44;

/** Each chunk has its length, a name of four letters, its data and a checksum. */
function isPngCutOff(head: DataView, size: number): boolean {
  for (let at = 8; ; ) {
    if (at >= size) {
      return true;
    }
    const name = head.getUint32(at + 4);
    if (name === IEND) {
      return at + 12 > size;
    }
    const isName = [0, 8, 16, 24].every((shift) => /[A-Za-z]/.test(String.fromCharCode((name >>> shift) & 0xff)));
    if (!isName) {
      return false;
    }
    at += 12 + head.getUint32(at);
  }
}

/** The end marker is searched from the end, after which some programs write data of their own. It occurs in thumbnails, too, but those come first. */
function isJpegCutOff(head: DataView, size: number): boolean {
  if (head.byteLength < size) {
    return false;
  }
  for (let at = head.byteLength - 2; at >= 2; at--) {
    const value = head.getUint16(at);
    if (value === 0xffd9) {
      return false;
    }
    // The scan begins here.
    if (value === 0xffda) {
      return true;
    }
  }
  return true;
}

/** One complete frame is enough: programs show a file without the trailer. */
function isGifCutOff(head: DataView): boolean {
  const afterColors = (at: number, flags: number): number => at + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = afterColors(13, head.getUint8(10));
  const skipBlocks = (): void => {
    while (head.getUint8(at) !== 0) {
      at += 1 + head.getUint8(at);
    }
    at++;
  };
  for (;;) {
    const kind = head.getUint8(at);
    if (kind === 0x21) {
      at += 2;
      skipBlocks();
    } else {
      if (kind === 0x2c) {
        at = afterColors(at + 10, head.getUint8(at + 9)) + 1;
        skipBlocks();
      }
      return false;
    }
  }
}

/** Only rows that are not compressed have a known length. */
function isBmpCutOff(head: DataView, size: number): boolean {
  const start = head.getUint32(10, true);
  if (head.getUint32(14, true) < 40 || head.getUint32(30, true) !== 0) {
    return start > size;
  }
  const width = head.getInt32(18, true);
  const height = Math.abs(head.getInt32(22, true));
  const row = 4 * Math.ceil((width * head.getUint16(28, true)) / 32);
  return start + row * height > size;
}
