import assert from 'node:assert/strict';
import { fromGitMode } from '../../../src/changes/disk/inPlace';
import { hasModeChange } from '../../../src/changes/review/reviewFile';
import type { FileState } from '../../../src/core/fileChanges/records';

describe('the permissions of a file whose earlier version git has', () => {
  const file = (mode: number): FileState => ({ kind: 'file', hash: '', size: 0, mode, kept: true });

  it('come from the index, where files have a permission to execute', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      assert.equal(fromGitMode(0o100755, platform), 0o755);
      assert.equal(fromGitMode(0o100644, platform), 0o644);
      assert.equal(hasModeChange(file(fromGitMode(0o100755, platform)), file(0o644)), true);
    }
  });

  it('have not changed on Windows, where no file on the disk has the permission to execute', () => {
    assert.equal(hasModeChange(file(fromGitMode(0o100755, 'win32')), file(0o666)), false);
    assert.equal(hasModeChange(file(fromGitMode(0o100644, 'win32')), file(0o666)), false);
  });
});
