import assert from 'node:assert/strict';
import { withCountedPadding } from '../../../../src/text/characters/padding';

const counted = (text: string): string =>
  withCountedPadding(text, { spaces: (count) => `${count} spaces`, lines: (count) => `${count} line breaks` });

describe('long white space', () => {
  it('becomes a count', () => {
    assert.equal(counted(`ls${' '.repeat(24)}; rm x`), 'ls ⟨24 spaces⟩ ; rm x');
    assert.equal(counted(`ls${'\t'.repeat(30)}; rm x`), 'ls ⟨30 spaces⟩ ; rm x');
    assert.equal(counted(`ls\n\n\n\nrm x`), 'ls ⟨4 line breaks⟩\nrm x');
    assert.equal(counted(`ls${'  \r\n'.repeat(50)}   rm x`), 'ls ⟨50 line breaks⟩\nrm x');
  });

  it('stays where a person writes it', () => {
    for (const text of ['', `if x; then\n${' '.repeat(23)}y\nfi`, 'a\n\n\nb', 'a b']) {
      assert.equal(counted(text), text);
    }
  });

  it('takes linear time', () => {
    const start = performance.now();
    counted(`${' \n'.repeat(3)}${' '.repeat(23)}x`.repeat(20_000));
    counted(' '.repeat(500_000));
    assert.ok(performance.now() - start < 2000);
  });
});
