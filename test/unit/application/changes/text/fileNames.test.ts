import assert from 'node:assert/strict';
import { diffTitle } from '../../../../../src/application/changes/text/fileNames';
import { inertLine } from '../../../../../src/application/shared/escape';
import { english } from '../../english';

describe('the title of a diff', () => {
  it('has the file, and the session where several sessions have changed it', () => {
    assert.equal(diffTitle('/w/src/calc.js', undefined, english), 'calc.js (Changes to Review)');
    assert.equal(diffTitle('/w/src/calc.js', inertLine('Fix add', 30), english), 'calc.js (Changes to Review: Fix add)');
  });
});
