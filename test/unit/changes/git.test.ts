/** Parses git's output about a folder. */
import assert from 'node:assert/strict';
import { gitStatus, isInRepository, parseStatus, readingGit, topOf } from '../../../src/changes/disk/git';
import { Git } from '../../../src/util/git';
import { Workspace } from '../../support/changes/workspace';

describe('git', () => {
  it('lists changed, moved, conflicting and new files with any names', () => {
    const oid = 'a'.repeat(40);
    const zero = '0'.repeat(40);
    const output = [
      `# branch.oid ${oid}`,
      '# branch.head main',
      `1 .M N... 100644 100644 100755 ${oid} ${oid} with  spaces.txt`,
      `1 A. N... 000000 100644 100644 ${zero} ${oid} added`,
      `2 R. N... 100644 100644 100644 ${oid} ${oid} R100 new\nname`,
      'old name',
      `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} both`,
      '? new file',
      '',
    ].join('\0');
    const { head, entries } = parseStatus(output);
    assert.equal(head, oid);
    assert.deepEqual(
      entries.map(({ path, oldPath, headOid, untracked }) => [path, oldPath, headOid !== undefined, untracked]),
      [
        ['with  spaces.txt', undefined, true, false],
        ['added', undefined, false, false],
        ['new\nname', 'old name', true, false],
        ['both', undefined, false, false],
        ['new file', undefined, false, true],
      ],
    );
  });

  it('is not run if no parent folder has a repository', async () => {
    const [without, within] = [new Workspace(false), new Workspace(true)];
    try {
      within.write('deep/down/a.txt', 'a\n');
      within.write('worktree/.git', 'gitdir: ../.git/worktrees/worktree\n');
      const found = await Promise.all(
        [without.folder, within.folder, within.at('deep/down'), within.at('worktree'), within.at('gone')].map(isInRepository),
      );
      assert.deepEqual(found, [false, true, true, true, true]);
    } finally {
      without.dispose();
      within.dispose();
    }
  });

  it('runs only in the given folder, whatever the environment says, and writes nothing', async function () {
    this.timeout(30_000);
    const [here, elsewhere] = [new Workspace(true), new Workspace(true)];
    try {
      here.write('a.txt', 'a\n');
      here.commit();
      const run = readingGit(new Git({ ...process.env, GIT_DIR: elsewhere.at('.git'), GIT_INDEX_FILE: elsewhere.at('index') }));
      const before = here.tree(here.at('.git'), []);
      here.write('a.txt', 'a\n');
      assert.equal(await topOf(run, here.folder), here.folder);
      assert.deepEqual((await gitStatus(run, here.folder))?.entries, []);
      assert.deepEqual(here.tree(here.at('.git'), []), before);
    } finally {
      here.dispose();
      elsewhere.dispose();
    }
  });
});
