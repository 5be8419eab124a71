/** Minimal picture headers of each kind. One table for the page and the host. */
import { deflateSync } from 'node:zlib';

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const le16 = (value: number): number[] => [value & 255, value >> 8];
const le32 = (value: number): number[] => [...le16(value & 0xffff), ...le16(value >>> 16)];
const be32 = (value: number): number[] => le32(value).toReversed();
const be16 = (value: number): number[] => le16(value).toReversed();
const bytes = (...parts: (readonly number[])[]): Uint8Array => Uint8Array.from(parts.flat());

/**
 * A PNG of one color that browsers can show.
 * @param color red, green and blue
 */
export function png(width: number, height: number, color: readonly [number, number, number] = [255, 0, 0]): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let at = 0; at < width; at++) {
    row.set(color, 1 + at * 3);
  }
  const raw = Buffer.concat(Array.from({ length: height }, () => row));
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    return Buffer.concat([Buffer.from(be32(data.length)), body, Buffer.from(be32(crc(body)))]);
  };
  const header = Buffer.from([...be32(width), ...be32(height), 8, 2, 0, 0, 0]);
  const start = Buffer.from(ascii('\x89PNG\r\n\x1a\n'));
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND', Buffer.alloc(0))]);
}

function crc(data: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** A BMP of 2 × 1 pixels that browsers can show. */
export const BMP = bytes(
  ascii('BM'),
  le32(62),
  le32(0),
  le32(54),
  le32(40),
  le32(2),
  le32(1),
  le16(1),
  le16(24),
  le32(0),
  le32(8),
  le32(0),
  le32(0),
  le32(0),
  le32(0),
  [0, 0, 255, 0, 255, 0, 0, 0],
);

const ftyp = (brand: string, ...compatible: string[]): Uint8Array =>
  bytes(be32(16 + 4 * compatible.length), ascii(`ftyp${brand}`), be32(0), ...compatible.map(ascii), be32(8), ascii('mdat'));

/** The bytes of each picture with their type, by name. */
export const PICTURES: Readonly<Record<string, { readonly data: Uint8Array; readonly mimeType: string; readonly isSendable: boolean }>> = {
  'a.png': { data: png(3, 2), mimeType: 'image/png', isSendable: true },
  'a.jpg': {
    data: bytes(
      [255, 0xd8, 255, 0xe1, 0, 6, 1, 2, 3, 4, 255, 0xc0],
      be16(11),
      [8],
      be16(2),
      be16(3),
      [1, 1, 0x11, 0, 255, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 255, 0xd9],
    ),
    mimeType: 'image/jpeg',
    isSendable: true,
  },
  'a.gif': { data: bytes(ascii('GIF89a'), le16(3), le16(2), [0, 0, 0, 0x3b]), mimeType: 'image/gif', isSendable: true },
  'a.webp': {
    data: bytes(ascii('RIFF'), le32(22), ascii('WEBPVP8X'), le32(10), [0, 0, 0, 0, 2, 0, 0, 1, 0, 0]),
    mimeType: 'image/webp',
    isSendable: true,
  },
  'a.bmp': { data: BMP, mimeType: 'image/bmp', isSendable: false },
  'a.tiff': { data: bytes(ascii('II*\0'), le32(8), le16(1), Array<number>(16).fill(0)), mimeType: 'image/tiff', isSendable: false },
  'b.tif': { data: bytes(ascii('MM\0*'), be32(8), be16(1), Array<number>(16).fill(0)), mimeType: 'image/tiff', isSendable: false },
  'a.ico': {
    data: bytes([0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 24, 0], le32(4), le32(22), [1, 2, 3, 4]),
    mimeType: 'image/x-icon',
    isSendable: false,
  },
  'a.heic': { data: ftyp('heic', 'mif1', 'heic'), mimeType: 'image/heic', isSendable: false },
  'b.heif': { data: ftyp('mif1', 'heic'), mimeType: 'image/heic', isSendable: false },
  'a.avif': { data: ftyp('mif1', 'avif'), mimeType: 'image/avif', isSendable: false },
  'a.jxl': { data: bytes(be32(12), ascii('JXL \r\n\x87\n'), be32(0)), mimeType: 'image/jxl', isSendable: false },
  'a.psd': {
    data: bytes(ascii('8BPS'), be16(1), [0, 0, 0, 0, 0, 0], be16(3), be32(2), be32(3), be16(8)),
    mimeType: 'image/vnd.adobe.photoshop',
    isSendable: false,
  },
};
