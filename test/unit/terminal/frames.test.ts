import assert from 'node:assert/strict';
import { withoutCoveredFrames } from '../../../src/terminal/frames';

const filtered = (text: string): string => Buffer.from(withoutCoveredFrames(Buffer.from(text))).toString();

describe('withoutCoveredFrames', () => {
  it('drops the frames that the next one covers, and no line', () => {
    assert.equal(filtered('BEFORE\r\n\r1/9\r2/9\r3/9\nAFTER'), 'BEFORE\r\n\r3/9\nAFTER');
    assert.equal(filtered('\r▏  \r█▏ \r██▏\n'), '\r██▏\n');
  });

  it('leaves a frame that the next one does not cover, or may continue in the next chunk', () => {
    for (const text of ['\rlong text\rab\n', '\r12\r34', 'a\r\nb\r\n', '\r\x1b[1mA\rB\n', '\r漢\rab\n', 'plain', '\r', '']) {
      assert.equal(filtered(text), text);
    }
  });

  it('makes a long progress line short', () => {
    const frames = Array.from({ length: 5000 }, (_, index) => `\r${String(index).padStart(4)}/5000`).join('');
    assert.equal(filtered(`a\n${frames}\nb`), 'a\n\r4999/5000\nb');
  });
});
