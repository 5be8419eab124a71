import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pictureFormat, pictureName } from '../../../../src/core/media/pictureFormats';
import { PICTURES, png } from '../../../support/pictures';

describe('a picture', () => {
  for (const [name, { data, mimeType, isSendable }] of Object.entries(PICTURES)) {
    it(`is recognized by its bytes: ${name}`, () => {
      const found = pictureFormat(data);
      assert.deepEqual([found?.mimeType, found?.isSendable], [mimeType, isSendable]);
      assert.equal(pictureName(name, found!), name);
    });

    it(`is not recognized by its signature alone: ${name}`, () => {
      for (const length of [0, 1, 2, 3, 4, 8, 12]) {
        assert.equal(pictureFormat(data.subarray(0, length)), undefined, `${length} bytes`);
      }
    });
  }

  it('is not recognized when its end is missing', () => {
    const gif = Buffer.concat([
      Buffer.from('GIF89a'),
      Buffer.from([3, 0, 2, 0, 0, 0, 0]),
      Buffer.from('21f90400000000002c00000000030002000002028451003b', 'hex'),
    ]);
    const webp = Buffer.concat([Buffer.from('RIFF\x2e\0\0\0WEBPVP8L\x22\0\0\0\x2f', 'latin1'), Buffer.alloc(33)]);
    const whole = { png: png(300, 200), jpg: PICTURES['a.jpg']!.data, bmp: PICTURES['a.bmp']!.data, gif, webp };
    for (const [name, data] of Object.entries(whole)) {
      assert.ok(pictureFormat(data), name);
      const trailing = Uint8Array.from([...data, 0, 0, 0]);
      assert.ok(pictureFormat(trailing), `${name} with bytes behind its end`);
      const length = name === 'gif' ? data.length - 3 : data.length - 4;
      for (const cut of [length, Math.floor(length * 0.9)]) {
        assert.equal(pictureFormat(data.subarray(0, cut)), undefined, `${name}, ${cut} of ${data.length} bytes`);
      }
    }
  });

  it('is recognized by the beginning of a larger file', () => {
    for (const name of ['a.jpg', 'a.png', 'a.gif', 'a.bmp']) {
      const { data } = PICTURES[name]!;
      const size = 8_000_000;
      assert.equal(pictureFormat(data.subarray(0, Math.min(data.length, 45)), size)?.mimeType, PICTURES[name]!.mimeType, name);
    }
  });

  it('has a size if its format states it near the beginning', () => {
    for (const name of ['a.png', 'a.jpg', 'a.gif', 'a.webp', 'a.psd']) {
      const found = pictureFormat(PICTURES[name]!.data);
      assert.deepEqual([found?.width, found?.height], [3, 2], name);
    }
    const large = pictureFormat(png(9000, 1));
    assert.deepEqual([large?.width, large?.height], [9000, 1]);
  });

  it('is not recognized in other content', () => {
    const texts = [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'BM is a company',
      'GIF89a',
      'II*\0',
      'MM\0*',
      '\x89PNG\r\n\x1a\n',
      '8BPS',
      '',
    ];
    for (const text of [...texts, '\0\0\x01\0', 'RIFF\0\0\0\0WAVEfmt ', '\0\0\0\x1cftypisom\0\0\0\0isommp42']) {
      assert.equal(pictureFormat(Buffer.from(text, 'latin1')), undefined, JSON.stringify(text));
    }
  });

  it('is searched for in any bytes without an error', () => {
    const starts = Object.values(PICTURES).map(({ data }) => data);
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(64), fc.uint8Array({ maxLength: 64 }), (start, cut, rest) => {
        pictureFormat(Uint8Array.from([...start.subarray(0, cut), ...rest]));
      }),
    );
  });

  it('gets a name whose extension matches its bytes', () => {
    const format = pictureFormat(PICTURES['a.png']!.data)!;
    const names = ['really-png.jpg', 'IMAGE.PNG', 'no-extension', '.png', 'v1.2 draft', 'x.tar.bmp', ''];
    assert.deepEqual(
      names.map((name) => pictureName(name, format)),
      ['really-png.png', 'IMAGE.PNG', 'no-extension.png', '.png.png', 'v1.2 draft.png', 'x.tar.png', 'image.png'],
    );
    assert.equal(pictureName('photo.JPEG', pictureFormat(PICTURES['a.jpg']!.data)!), 'photo.JPEG');
  });
});
