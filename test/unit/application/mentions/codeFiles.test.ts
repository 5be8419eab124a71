/** The file that starts a language server for a search of the workspace's symbols. */
import assert from 'node:assert/strict';
import { fileToOpen, isCode } from '../../../../src/application/mentions/codeFiles';

describe('the file that starts a language server', () => {
  it('has the language that most files have', () => {
    assert.equal(fileToOpen(['README.md', 'tools/x.py', 'src/a.ts', 'src/b.jsx'], []), 'src/a.ts');
    assert.equal(fileToOpen(['README.md', 'data.json'], []), undefined);
  });

  it('is not needed while a file of that language is open', () => {
    assert.equal(fileToOpen(['src/a.ts', 'src/b.ts'], ['/elsewhere/c.mjs']), undefined);
    assert.equal(fileToOpen(['src/a.ts', 'src/b.ts'], ['/elsewhere/c.py']), 'src/a.ts');
    assert.deepEqual(['a.d.mts', 'a.map', 'ts', 'x.h'].map(isCode), [true, false, false, true]);
  });
});
