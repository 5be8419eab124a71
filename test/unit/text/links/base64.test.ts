import assert from 'node:assert/strict';
import { isBase64 } from '../../../../src/text/links/base64';
import { isInlineImage } from '../../../../src/text/links/linkKind';

describe('base64 of a picture', () => {
  it('accepts the same texts as a browser', () => {
    for (const data of ['AAAA', 'AA==', 'AAA=', 'AA', 'AAA', 'AA\nAA', 'A A==', 'A\n=\n= '.replace('A', 'AA')]) {
      assert.ok(isBase64(data), JSON.stringify(data));
    }
    for (const data of [
      '',
      ' ',
      '=',
      '=====',
      'A',
      'AB=',
      'AA=',
      'AAAA=',
      'AA==AA==',
      'AAAA=AAAA',
      '\u00a0AAAA',
      'AA\u000bAA',
      'AA\u2028AA',
      'A-_A',
      '%41%41%41%41',
      'AAAA#x',
    ]) {
      assert.ok(!isBase64(data), JSON.stringify(data));
      assert.ok(!isInlineImage(`data:image/png;base64,${data}`), JSON.stringify(data));
    }
  });

  it('is checked in linear time', () => {
    const started = performance.now();
    for (const data of [`${' '.repeat(500_000)}!`, `A${' '.repeat(500_000)}!`, `${'A='.repeat(250_000)}`, `${'= '.repeat(250_000)}`]) {
      assert.ok(!isBase64(data));
    }
    assert.ok(performance.now() - started < 2000);
  });
});
