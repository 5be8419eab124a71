/** The author of the files that a git operation changed in a turn. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

/** The ms before and after the reported time of a command in which a write may belong to it. */
const BEFORE_COMMAND = 1100;
const AFTER_COMMAND = 300;

describe('the files that a git operation changed', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'main\n');
    workspace.write('b.txt', 'b\n');
    workspace.commit();
    workspace.git('checkout', '-q', '-b', 'other');
    workspace.write('a.txt', 'other\n');
    workspace.commit();
    workspace.git('checkout', '-q', 'main');
  });
  afterEach(() => workspace.dispose());

  async function records(act: (recorder: WorkspaceSession['recorder']) => void | Promise<void>): Promise<string[]> {
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'turn', () => act(session.recorder));
    return shownRecords(workspace, session, files);
  }
  /** A command of the user in a terminal. */
  const byUser = (recorder: WorkspaceSession['recorder'], ...args: string[]): void => {
    const from = Date.now();
    workspace.git(...args);
    recorder.userCommand(from, Date.now(), workspace.folder);
  };

  for (const args of [
    ['merge', '-q', 'other'],
    ['checkout', '-q', 'other'],
    ['reset', '-q', '--hard', 'other'],
    ['cherry-pick', 'other'],
  ]) {
    it(`are the user's after their git ${args[0]}`, async () => {
      const found = await records(async (recorder) => {
        byUser(recorder, ...args);
        await delay(AFTER_COMMAND);
        workspace.write('b.txt', 'agent\n');
      });
      assert.deepEqual(found, ['b.txt: "b\\n" > "agent\\n"']);
    });
  }

  it("are the user's after a stash", async () => {
    workspace.write('b.txt', 'user\n');
    assert.deepEqual(await records((recorder) => byUser(recorder, 'stash', '-q')), []);
  });

  it("are the user's when VS Code reports the operation", async () => {
    const found = await records((recorder) => {
      workspace.git('merge', '-q', 'other');
      recorder.userGit(workspace.folder, Date.now());
    });
    assert.deepEqual(found, []);
  });

  it("are the agent's when its tool call was open", async () => {
    const found = await records((recorder) => {
      recorder.agentRuns('call', true);
      workspace.git('merge', '-q', 'other');
      recorder.agentRuns('call', false);
    });
    assert.deepEqual(found, ['a.txt: "main\\n" > "other\\n"']);
  });

  it('are shared when both may have run it', async () => {
    const found = await records((recorder) => {
      recorder.agentRuns('call', true);
      byUser(recorder, 'merge', '-q', 'other');
    });
    assert.deepEqual(found, ['a.txt: "main\\n" > "other\\n" shared']);
  });

  it('are shared without evidence', async () => {
    assert.deepEqual(await records(() => void workspace.git('merge', '-q', 'other')), ['a.txt: "main\\n" > "other\\n" shared']);
  });

  it('are shared without a reflog', async () => {
    workspace.git('config', 'core.logAllRefUpdates', 'false');
    workspace.git('reflog', 'expire', '--expire=now', '--all');
    const { rmSync } = await import('node:fs');
    rmSync(workspace.at('.git/logs'), { recursive: true, force: true });
    assert.deepEqual(await records(() => void workspace.git('merge', '-q', 'other')), ['a.txt: "main\\n" > "other\\n" shared']);
  });

  it("do not include a file that the agent committed beside the user's merge", async () => {
    const found = await records(async (recorder) => {
      workspace.write('b.txt', 'agent\n');
      workspace.git('commit', '-qam', 'agent');
      await delay(BEFORE_COMMAND);
      byUser(recorder, 'merge', '-q', '--no-edit', 'other');
    });
    assert.deepEqual(found, ['b.txt: "b\\n" > "agent\\n"']);
  });

  it('include an unnamed file, as shared, that changed while a command of the user ran', async () => {
    const found = await records((recorder) => {
      const from = Date.now();
      workspace.write('made.txt', 'made\n');
      recorder.userCommand(from, Date.now(), workspace.folder);
    });
    assert.deepEqual(found, ['made.txt: none > "made\\n" shared']);
  });

  it('do not include those of commits', async () => {
    const found = await records(() => {
      workspace.write('b.txt', 'agent\n');
      workspace.commit();
    });
    assert.deepEqual(found, ['b.txt: "b\\n" > "agent\\n"']);
  });
});
