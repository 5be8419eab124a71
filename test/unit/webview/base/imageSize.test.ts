import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PIXELS } from '../../../../webview/playground/galleryTexts';
import { imageSize } from '../../../../webview/base/imageSize';

const base64 = (...parts: (string | number[])[]): string =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))).toString('base64');
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
/** A JPEG's frame of 300 × 200. */
const FRAME = [0xff, 0xc2, 0, 17, 8, 0, 200, 1, 44, 3, ...zeros(12)];

function exif(orientation: number): number[] {
  const body = [
    ...Buffer.from('Exif\0\0', 'latin1'),
    0x49,
    0x49,
    42,
    0,
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    1,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  return [0xff, 0xe1, 0, body.length + 2, ...body];
}

describe('the size of a picture', () => {
  for (const [name, data, expected] of [
    ['PNG', PIXELS, { width: 96, height: 48 }],
    ['GIF', base64('GIF89a', [44, 1, 200, 0]), { width: 300, height: 200 }],
    ['BMP', base64('BM', zeros(16), [44, 1, 0, 0, 0x38, 0xff, 0xff, 0xff]), { width: 300, height: 200 }],
    ['WebP with loss', base64('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [44, 1, 200, 0]), { width: 300, height: 200 }],
    [
      'WebP without loss',
      base64('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f, 0x2b, 0xc1, 0x31, 0], zeros(8)),
      { width: 300, height: 200 },
    ],
    ['WebP extended', base64('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [43, 1, 0, 199, 0, 0]), { width: 300, height: 200 }],
    ['JPEG', base64([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff], FRAME), { width: 300, height: 200 }],
    ['JPEG behind a long beginning', base64([0xff, 0xd8, 0xff, 0xe2, 0xff, 0xff], zeros(0xfffd), FRAME), { width: 300, height: 200 }],
    ['JPEG on its side', base64([0xff, 0xd8], exif(6), FRAME), { width: 200, height: 300 }],
    ['JPEG upright', base64([0xff, 0xd8], exif(3), FRAME), { width: 300, height: 200 }],
    ['nothing', '', undefined],
    ['text', base64('hello world, this is no picture at all'), undefined],
    ['no base64', '!!!!', undefined],
    ['PNG cut short', PIXELS.slice(0, 20), undefined],
    ['PNG of nonsense', base64('\x89PNG\r\n\x1a\n', zeros(8), [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1]), undefined],
    ['PNG without a side', base64('\x89PNG\r\n\x1a\n', zeros(16)), undefined],
  ] as const) {
    it(`of a ${name}`, () => assert.deepEqual(imageSize(data), expected));
  }

  it('is computed in limited time, and never throws', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('', '\xff\xd8', '\x89PNG\r\n\x1a\n', 'RIFF\0\0\0\0WEBPVP8X', '\xff\xd8\xff\xe1\0\x40Exif\0\0II*\0\x08\0\0\0'),
        (bytes, head) => void imageSize(base64(head, [...bytes])),
      ),
    );
    assert.equal(
      imageSize(
        base64(
          [0xff, 0xd8],
          Array.from({ length: 3_000_000 }, () => 0xff),
        ),
      ),
      undefined,
    );
  });
});
