/** The messages of restores. */
import assert from 'node:assert/strict';
import {
  fileEffect,
  fileEffects,
  lostMessage,
  nothingToRestore,
  recoveredMessage,
  resultMessage,
} from '../../../../../src/application/changes/text/restoreMessages';
import { english } from '../../english';

describe('the message after a restore', () => {
  const left = [{ path: '/w/a.ts', reason: 'failed' }] as const;

  it('counts one file in the singular', () => {
    assert.equal(resultMessage(1, [], english), 'Restored 1 file.');
    assert.equal(resultMessage(3, [], english), 'Restored 3 files.');
  });

  it('names the files that were not restored', () => {
    assert.equal(resultMessage(2, left, english), "Restored 2 of 3 files; not restored: a.ts (couldn't be written).");
    assert.equal(
      resultMessage(1, [...left, { path: '/w/b.ts', reason: 'not_selected' }], english),
      "Restored 1 of 3 files; not restored: a.ts (couldn't be written), b.ts (not selected).",
    );
  });

  it('does not mention restored files when there are none', () => {
    assert.equal(resultMessage(0, left, english), "Not restored: a.ts (couldn't be written).");
  });

  it('reports whether an interrupted restore was completed', () => {
    assert.equal(recoveredMessage('restore', 300, [], english), 'An interrupted restore was completed. Restored 300 files.');
    assert.equal(
      recoveredMessage('undo', 2, left, english),
      "An interrupted undo couldn't be completed. Restored 2 of 3 files; not restored: a.ts (couldn't be written).",
    );
  });
});

describe('the effect of a restore on a file', () => {
  it('is shown with the path in the folder', () => {
    assert.equal(fileEffect('test/cart.test.ts', { action: 'delete' }, english), 'test/cart.test.ts – will be deleted');
    assert.equal(fileEffect('cart.ts', { action: 'write' }, english), 'cart.ts – will be changed');
    assert.equal(fileEffect('cart.ts', { action: 'create' }, english), 'cart.ts – will be created');
  });

  it('is shown for the first five files', () => {
    const files = Array.from({ length: 7 }, (_, index) => ({ path: `/w/${index}`, action: 'write' as const }));
    const text = fileEffects(files, (real) => real.slice(3), english);
    assert.equal(text.split(', ').length, 6);
    assert.match(text, /^0 – will be changed, .*, 4 – will be changed, 2 more$/);
  });
});

describe('files without an earlier version', () => {
  it('are counted in the singular and the plural', () => {
    assert.equal(lostMessage(1, english), "1 more file can't be restored: no earlier version");
    assert.equal(lostMessage(2, english), "2 more files can't be restored: no earlier version");
    assert.equal(nothingToRestore(1, english), '1 changed file has no earlier version.');
    assert.equal(nothingToRestore(0, english), 'The files are already as they were.');
    assert.equal(nothingToRestore(0, english, true), "An interrupted turn wasn't recorded: what it changed stays");
  });
});
