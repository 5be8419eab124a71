/** Files that a checkout or an editor has made again between two turns. They are no other files, so that their changes can be undone as a whole. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('a file that was made again between two turns', function () {
  this.timeout(30_000);
  for (const isRepository of [true, false]) {
    describe(isRepository ? 'in a repository' : 'in a plain folder', () => {
      let workspace: Workspace;
      let session: WorkspaceSession;
      beforeEach(async () => {
        workspace = new Workspace(isRepository);
        workspace.write('a.txt', 'a\n');
        void (isRepository && workspace.commit());
        await workspace.settle();
        session = workspace.session();
        await playTurn(session, 'first', () => workspace.write('a.txt', 'agent\n'));
        await workspace.settle();
      });
      afterEach(() => workspace.dispose());

      const replace = (content: string): void => {
        workspace.write('a.tmp', content);
        renameSync(workspace.at('a.tmp'), workspace.at('a.txt'));
      };
      const second = async (): Promise<readonly string[]> => {
        await workspace.settle();
        const { files } = await playTurn(session, 'second', () => replace('agent 2\n'));
        return shownRecords(workspace, session, files);
      };

      it('is not shared after a save by a rename', async () => {
        replace('agent\n');
        assert.deepEqual(await second(), ['a.txt: "agent\\n" > "agent 2\\n"']);
      });

      if (isRepository) {
        it('is not shared after a checkout of another commit and back', async () => {
          workspace.commit();
          workspace.git('checkout', '-q', 'HEAD~1');
          workspace.git('checkout', '-q', '-');
          assert.deepEqual(await second(), ['a.txt: "agent\\n" > "agent 2\\n"']);
        });

        it('is not shared after a stash and back', async () => {
          workspace.git('stash', '-q');
          workspace.git('stash', 'pop', '-q');
          assert.deepEqual(await second(), ['a.txt: "agent\\n" > "agent 2\\n"']);
        });
      }
    });
  }
});
