/** Reports of an agent about a name that is a link. The earlier text may belong to a file that the link replaced. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace } from '../../support/changes/workspace';

describe('an agent’s report of a file’s earlier text', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let elsewhere: string;
  beforeEach(async () => {
    elsewhere = mkdtempSync(path.join(tmpdir(), 'changes-elsewhere-'));
    workspace = new Workspace(true);
    workspace.write('.gitignore', '.env\n');
    workspace.write('deep/note.txt', 'note\n');
    workspace.commit();
    workspace.write('.env', 'SECRET=1\n');
    await workspace.settle();
  });
  afterEach(() => {
    workspace.dispose();
    rmSync(elsewhere, { recursive: true });
  });

  /** The record of `.env`, which has no copy, after the agent appended a line and reported `named`. */
  async function reported(named: string, oldText: string, prepare: () => void = () => undefined): Promise<string | undefined> {
    const session = workspace.session({ resolve: (file) => realpath(file).catch(() => undefined) });
    const { files } = await playTurn(session, 'turn', async () => {
      appendFileSync(workspace.at('.env'), 'agent\n');
      prepare();
      const newText = workspace.read('.env');
      await session.recorder.announce({ path: named, reported: [{ oldText, newText }] });
    });
    return (await shownRecords(workspace, session, files)).find((each) => each.startsWith('.env:'));
  }
  const replaceByLink = (name: string) => (): void => {
    workspace.write(name, 'of the link’s name\n');
    workspace.remove(name);
    symlinkSync(workspace.at('.env'), workspace.at(name));
  };

  for (const name of ['note.txt', 'deep/note.txt', 'deep/.env']) {
    it(`is not believed when a link has that name: ${name}`, async () => {
      const found = await reported(workspace.at(name), 'of the link’s name\n', replaceByLink(name));
      assert.equal(found, '.env: unproven > "SECRET=1\\nagent\\n"');
    });
  }

  it('is believed by the name of the file itself', async () => {
    assert.equal(await reported(workspace.at('.env'), 'SECRET=1\n'), '.env: "SECRET=1\\n" > "SECRET=1\\nagent\\n"');
  });

  it('is believed when the whole folder is open through a link', async () => {
    const opened = path.join(elsewhere, 'opened');
    symlinkSync(workspace.folder, opened);
    assert.equal(await reported(path.join(opened, '.env'), 'SECRET=1\n'), '.env: "SECRET=1\\n" > "SECRET=1\\nagent\\n"');
  });
});
