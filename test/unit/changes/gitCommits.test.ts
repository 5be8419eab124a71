/** Distinguishes a commit from other moves of HEAD. */
import assert from 'node:assert/strict';
import { isCommitted } from '../../../src/changes/disk/gitCommits';
import { run, Workspace } from '../../support/changes/workspace';

describe('a new HEAD', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  const head = () => workspace.git('rev-parse', 'HEAD').trim();
  const branch = () => workspace.git('rev-parse', '--abbrev-ref', 'HEAD').trim();

  /** Compares HEAD before and after the commands. Returns true when they committed. */
  async function after(...commands: readonly string[][]): Promise<boolean> {
    const [before, from] = [head(), branch()];
    commands.forEach((command) => workspace.git(...command));
    assert.notEqual(head(), before, 'HEAD has moved');
    return isCommitted(run, workspace.folder, { before, now: head(), sameBranch: branch() === from });
  }
  const commit = (message: string, ...more: string[]) => ['commit', '-q', '--allow-empty', '-m', message, ...more];

  for (const hasReflog of [true, false]) {
    describe(hasReflog ? 'with a reflog' : 'without one', () => {
      beforeEach(() => {
        workspace = new Workspace(true);
        workspace.git('config', 'core.logAllRefUpdates', String(hasReflog));
        workspace.write('a.txt', 'a\n');
        workspace.commit();
        workspace.git(...commit('second'));
        // One commit ahead of main, and one behind.
        workspace.git('branch', 'behind', 'HEAD~1');
        workspace.git('checkout', '-q', '-b', 'ahead');
        workspace.git(...commit('ahead'));
        workspace.git('checkout', '-q', 'main');
      });
      afterEach(() => workspace.dispose());

      it('counts as a commit after a commit', async () => assert.equal(await after(commit('third')), true));

      it('does not count after a checkout of another branch, ahead or behind', async () => {
        assert.equal(await after(['checkout', '-q', 'ahead']), false);
        assert.equal(await after(['checkout', '-q', 'main']), false);
        assert.equal(await after(['checkout', '-q', 'behind']), false);
        assert.equal(await after(['checkout', '-q', '--detach', 'ahead']), false);
      });

      it('does not count after a reset', async () => assert.equal(await after(['reset', '-q', '--hard', 'HEAD~1']), false));

      if (hasReflog) {
        it('counts after an amend, a manual merge, or a commit with a checkout after it', async () => {
          assert.equal(await after(commit('other words', '--amend')), true);
          assert.equal(await after(commit('here'), ['checkout', '-q', 'ahead']), true);
          assert.equal(await after(['merge', '-q', '--no-ff', '--no-commit', 'main'], commit('merged')), true);
        });

        it('does not count when commits came from elsewhere', async () => {
          assert.equal(await after(['merge', '-q', 'ahead']), false, 'fast-forward');
          workspace.git('checkout', '-q', 'behind');
          workspace.git(...commit('on its own'));
          assert.equal(await after(['rebase', '-q', 'main']), false, 'rebase');
          assert.equal(await after(['reset', '-q', '--hard', 'main']), false, 'reset');
          workspace.git('stash', 'list');
        });
      }
    });
  }

  it('counts when there was none before', async () => {
    workspace = new Workspace(true);
    try {
      workspace.write('a.txt', 'a\n');
      workspace.commit();
      assert.equal(await isCommitted(run, workspace.folder, { before: undefined, now: head(), sameBranch: true }), true);
    } finally {
      workspace.dispose();
    }
  });
});
