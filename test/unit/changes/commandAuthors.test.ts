/** The author of a file that changed while a command of the user ran in a terminal. */
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, linkSync, renameSync } from 'node:fs';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe("the author of a file that a user's command may have written", function () {
  this.timeout(30_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace(false);
    workspace.write('a.txt', '1\n2\n');
  });
  afterEach(() => workspace.dispose());

  async function records(act: (recorder: WorkspaceSession['recorder'], file: string) => void | Promise<void>): Promise<string[]> {
    await workspace.settle();
    const session = workspace.session();
    const { files, steps } = await playTurn(session, 'turn', () => act(session.recorder, workspace.at('a.txt')));
    return [...(await shownRecords(workspace, session, files)), ...(steps.size > 0 ? ['has steps'] : [])];
  }
  /** Writes as a command of the user that takes a few ms. @param late ms after which VS Code reports its start and its end */
  async function command(recorder: WorkspaceSession['recorder'], write: () => void, late = 0): Promise<void> {
    const from = Date.now();
    write();
    const to = Math.max(from + 5, Date.now());
    await workspace.settle();
    recorder.userCommand(from + late, to + late, workspace.folder);
  }

  it('is both if the agent named the file', async () => {
    const found = await records(async (recorder, file) => {
      await recorder.announce({ path: file });
      appendFileSync(file, 'agent\n');
      await command(recorder, () => appendFileSync(file, 'user\n'));
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > "1\\n2\\nagent\\nuser\\n" shared']);
  });

  it('is both if the agent wrote the file, and it was named while the command ran', async () => {
    const found = await records(async (recorder, file) => {
      await command(recorder, () => appendFileSync(file, 'user\n'));
      await recorder.announce({ path: file });
      await new Promise((resolve) => setTimeout(resolve, 400));
      appendFileSync(file, 'agent\n');
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > "1\\n2\\nuser\\nagent\\n" shared']);
  });

  it('is both for a file that the agent moved after the command', async () => {
    const found = await records(async (recorder, file) => {
      await command(recorder, () => appendFileSync(file, 'user\n'));
      await Promise.all([file, workspace.at('new.txt')].map((path) => recorder.announce({ path })));
      renameSync(file, workspace.at('new.txt'));
    });
    assert.deepEqual(found, ['new.txt from a.txt: "1\\n2\\n" > "1\\n2\\nuser\\n" shared']);
  });

  it('is both for a file that the agent deleted, unless it was named unchanged after the command', async () => {
    const remove = async (recorder: WorkspaceSession['recorder'], file: string): Promise<void> => {
      await recorder.announce({ path: file });
      workspace.remove('a.txt');
    };
    const found = await records(async (recorder, file) => {
      await command(recorder, () => appendFileSync(file, 'user\n'));
      await remove(recorder, file);
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > none shared']);
    workspace.write('a.txt', '1\n2\n');
    const removed = await records(async (recorder, file) => {
      await command(recorder, () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await remove(recorder, file);
    });
    assert.deepEqual(removed, ['a.txt: "1\\n2\\n" > none']);
  });

  it('is both when a document reported a save beside the command', async () => {
    const found = await records(async (recorder, file) => {
      recorder.documentOpened(file, '1\n2\n', false);
      recorder.documentChanged(file, 'saved\n1\n2\n', 'user');
      workspace.write('a.txt', 'saved\n1\n2\n');
      recorder.savedByUser(file, 'saved\n1\n2\n');
      await command(recorder, () => appendFileSync(file, 'user\n'));
      recorder.documentChanged(file, 'saved\n1\n2\nuser\n', 'agent');
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > "saved\\n1\\n2\\nuser\\n" shared']);
  });

  it('is both when VS Code reports the command after it has ended', async () => {
    const found = await records((recorder, file) => command(recorder, () => appendFileSync(file, 'user\n'), 200));
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > "1\\n2\\nuser\\n" shared']);
  });

  it('is both for a write up to 250 ms after the end of the command', async () => {
    const found = await records(async (recorder, file) => {
      const from = Date.now();
      await workspace.settle();
      appendFileSync(file, 'user\n');
      recorder.userCommand(from, from + 5, workspace.folder);
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > "1\\n2\\nuser\\n" shared']);
  });

  for (const [name, act] of [
    ['gave another name', (file: string) => linkSync(file, `${file}.link`)],
    ['gave other permissions', (file: string) => chmodSync(file, 0o700)],
    ['moved away and back', (file: string) => [`${file}.old`, file].reduce((from, to) => (renameSync(from, to), to), file)],
  ] as const) {
    it(`is both for a file that the agent ${name} long after the command`, async () => {
      const found = await records(async (recorder, file) => {
        await command(recorder, () => appendFileSync(file, 'user\n'));
        await new Promise((resolve) => setTimeout(resolve, 400));
        act(file);
      });
      assert.ok(found.includes('a.txt: "1\\n2\\n" > "1\\n2\\nuser\\n" shared'), found.join(', '));
    });
  }

  it('is the agent for a file that it wrote long after the command, or outside of its folder', async () => {
    const found = await records(async (recorder, file) => {
      recorder.userCommand(Date.now(), Date.now(), `${workspace.folder}-elsewhere`);
      await command(recorder, () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await recorder.announce({ path: file });
      appendFileSync(file, 'agent\n');
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n" > "1\\n2\\nagent\\n"']);
  });
});
