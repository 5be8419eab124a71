import assert from 'node:assert/strict';
import { withoutCoveredFrames } from '../../../src/terminal/frames';

const filtered = (text: string): string => Buffer.from(withoutCoveredFrames(Buffer.from(text))).toString();

describe('withoutCoveredFrames', () => {
  it('drops frames that the next one covers, and no line', () => {
    assert.equal(filtered('BEFORE\r\n\r1/9\r2/9\r3/9\nAFTER'), 'BEFORE\r\n\r3/9\nAFTER');
    assert.equal(filtered('\r▏  \r█▏ \r██▏\n'), '\r██▏\n');
  });

  it('keeps a frame that the next one does not cover, or that may continue in the next chunk', () => {
    for (const text of [
      '\rlong text\rab\n',
      '\r12\r34',
      'a\r\nb\r\n',
      '\r\x1b[1mA\rB\n',
      '\r漢\ra\n',
      '\r\x1b[2Ax\rab\n',
      '\rabc\n\r\x1b[Kd\n',
      '\r👍\rabc\n',
      '\rabc\x1b[2K\rab\n',
      '\r\x1b[31mlong\r\x1b[Kab\rabc\n',
      'plain',
      '\r',
      '',
    ]) {
      assert.equal(filtered(text), text);
    }
  });

  it('drops a frame that the next one erases, whatever their widths', () => {
    assert.equal(filtered('a\n\rlong text\r\x1b[Kab\n'), 'a\n\r\x1b[Kab\n');
    assert.equal(filtered('a\n\r\x1b[2K👍 long\r\x1b[2Kab\n'), 'a\n\r\x1b[2Kab\n');
    assert.equal(filtered('a\n\rlong text\x1b[K\rab\x1b[K\n'), 'a\n\rab\x1b[K\n');
  });

  it('drops frames with colors that end in them, and frames with wide characters', () => {
    assert.equal(filtered('\r\x1b[32m1/9\x1b[0m\r\x1b[32m2/9\x1b[0m\r\x1b[32m3/9\x1b[0m\n'), '\x1b[m\r\x1b[32m3/9\x1b[0m\n');
    assert.equal(filtered('\r漢字 1\r漢字 2\n'), '\r漢字 2\n');
  });

  it('shortens a long progress line', () => {
    const frames = Array.from({ length: 5000 }, (_, index) => `\r${String(index).padStart(4)}/5000`).join('');
    assert.equal(filtered(`a\n${frames}\nb`), 'a\n\r4999/5000\nb');
  });
});
