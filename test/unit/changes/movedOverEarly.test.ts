/** Files that were moved over another file before the copies of the turn were taken. The inode at the path then proves nothing. */
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace } from '../../support/changes/workspace';

describe('a file that a turn moves over another one before the copies are taken', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let outside: string;
  beforeEach(() => (outside = mkdtempSync(path.join(tmpdir(), 'changes-outside-'))));
  afterEach(() => {
    workspace.dispose();
    rmSync(outside, { recursive: true });
  });
  const move = (from: string, to: string): void => renameSync(path.resolve(workspace.folder, from), workspace.at(to));

  /** The records of a turn in which the agent works at once, and reports the earlier text. */
  async function early(name: string, act: () => void, oldText: string, ignored?: string): Promise<string[]> {
    workspace = new Workspace(ignored !== undefined);
    workspace.write('a.txt', 'a\n');
    workspace.write('deep/b.txt', 'b\n');
    if (ignored !== undefined) {
      workspace.write('.gitignore', `${ignored}\n`);
      workspace.commit();
      workspace.write(name, oldText);
    }
    writeFileSync(path.join(outside, 'in.txt'), 'in\n');
    await workspace.settle();
    const session = workspace.session();
    const { recorder } = session;
    const report = async (): Promise<void> => {
      act();
      await recorder.announce({ path: workspace.at(name), reported: [{ oldText, newText: workspace.read(name) }] });
    };
    const { files } = await playTurn(session, 'turn', report, true);
    return shownRecords(workspace, session, files);
  }

  for (const [name, oldText] of [
    ['a.txt', 'a\n'],
    ['deep/b.txt', 'b\n'],
  ] as const) {
    it(`is shared when it comes from outside: ${name}`, async () => {
      const found = await early(name, () => move(path.join(outside, 'in.txt'), name), oldText);
      assert.ok(found.includes(`${name}: ${JSON.stringify(oldText)} > "in\\n" shared`), found.join());
    });
  }

  for (const [name, ignored] of [
    ['a.log', '*.log'],
    ['build/out.txt', 'build/'],
    ['deep/.env', '.env'],
  ] as const) {
    it(`is shared when it comes from outside to an ignored name: ${name}`, async () => {
      const found = await early(name, () => move(path.join(outside, 'in.txt'), name), 'ignored\n', ignored);
      assert.ok(found.includes(`${name}: "ignored\\n" > "in\\n" shared`), found.join());
    });
  }

  for (const name of ['a.txt', 'deep/b.txt']) {
    it(`is shared when it comes from outside to a file that is open: ${name}`, async () => {
      workspace = new Workspace(false);
      workspace.write(name, 'open\n');
      writeFileSync(path.join(outside, 'in.txt'), 'in\n');
      await workspace.settle();
      const open = { path: workspace.at(name), isDirty: false, bytes: async () => Buffer.from('open\n') };
      const session = workspace.session({ openTexts: () => [open] });
      const { files } = await playTurn(session, 'turn', () => move(path.join(outside, 'in.txt'), name), true);
      assert.deepEqual(await shownRecords(workspace, session, files), [`${name}: "open\\n" > "in\\n" shared`]);
    });
  }

  /** The agent inserts a line into a file, and reports both texts. */
  const write = (name: string, text: string): void => {
    workspace.write(name, text);
    // The clock of the file system may be behind the time of the prompt.
    utimesSync(workspace.at(name), new Date(), new Date(Date.now() + 20));
  };

  it('is shared when it comes from outside and the agent writes into it before it reports its text', async () => {
    const act = (): void => {
      move(path.join(outside, 'in.txt'), 'a.txt');
      write('a.txt', 'agent\nin\n');
    };
    const found = await early('a.txt', act, 'a\n');
    assert.ok(found.includes('a.txt: "a\\n" > "agent\\nin\\n" shared'), found.join());
  });

  it('is shared when the agent wrote into the file in place and nothing knows its inode', async () => {
    const found = await early('a.txt', () => write('a.txt', 'agent\n'), 'a\n');
    assert.ok(found.includes('a.txt: "a\\n" > "agent\\n" shared'), found.join());
  });

  it('is not shared when the agent replaced the file by a new one', async () => {
    const replace = (): void => {
      write('new.txt', 'agent\n');
      move('new.txt', 'a.txt');
    };
    const found = await early('a.txt', replace, 'a\n');
    assert.ok(found.includes('a.txt: "a\\n" > "agent\\n"'), found.join());
  });
});
