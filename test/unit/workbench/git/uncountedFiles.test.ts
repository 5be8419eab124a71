/** The count of the source control, beside Git's. */
import assert from 'node:assert/strict';
import { countedByGit, uncountedFiles } from '../../../../src/workbench/git/uncountedFiles';

describe('the badge of the Source Control view', () => {
  const change = (fsPath: string, status = 5) => ({ uri: { fsPath }, status });
  const repository = {
    mergeChanges: [change('/w/merge.ts')],
    indexChanges: [change('/w/staged.ts', 0)],
    workingTreeChanges: [change('/w/a.ts'), change('/w/new.ts', 7)],
    untrackedChanges: [change('/w/separate.ts', 7)],
  };
  const named = (...names: string[]) => names.map((name) => [name, name] as const);
  const count = (badge: 'all' | 'tracked' | 'off', ...names: string[]) =>
    uncountedFiles(named(...names), countedByGit([repository], badge));

  it('does not count a file again that Git counts', () => {
    assert.equal(count('all', '/w/a.ts', '/w/new.ts', '/w/staged.ts', '/w/separate.ts', '/w/merge.ts'), 0);
  });

  it('counts a file that Git ignores or that is in no repository', () => {
    assert.equal(count('all', '/w/a.ts', '/w/ignored.log', '/other/b.ts'), 2);
  });

  it('counts a file once when two sessions have changed it', () => {
    assert.equal(count('all', '/other/b.ts', '/other/b.ts'), 1);
  });

  it('counts untracked files when Git counts only tracked ones', () => {
    assert.equal(count('tracked', '/w/a.ts', '/w/new.ts', '/w/separate.ts'), 2);
  });

  it('counts each file when Git has no badge', () => {
    assert.equal(count('off', '/w/a.ts', '/w/new.ts'), 2);
  });

  it('recognizes a file under the name of a linked folder', () => {
    assert.equal(uncountedFiles([['/real/a.ts', '/w/a.ts']], countedByGit([repository], 'all')), 0);
  });

  it('supports a Git extension without a list of untracked files', () => {
    const { untrackedChanges: _, ...earlier } = repository;
    assert.deepEqual([...countedByGit([earlier], 'all')].length, 4);
  });
});
