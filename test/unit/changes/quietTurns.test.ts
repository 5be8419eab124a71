/** The costs and the failures of a turn: unchanged files, many files, full stores, failing disks and clocks. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DiskFiles, diskFiles } from '../../../src/changes/disk/diskFiles';
import type { RunGit } from '../../../src/changes/disk/git';
import type { Trouble } from '../../../src/changes/turns/changeRecorder';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, run, Workspace } from '../../support/changes/workspace';

/** Rejects like a failing disk. */
function failure(): never {
  throw Object.assign(new Error('EIO'), { code: 'EIO' });
}

describe('a turn', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let troubles: Trouble[];
  const onTrouble = (trouble: Trouble): void => void troubles.push(trouble);
  beforeEach(() => (troubles = []));
  afterEach(() => workspace.dispose());

  for (const isRepository of [true, false]) {
    describe(isRepository ? 'in a repository' : 'in a plain folder', () => {
      beforeEach(() => {
        workspace = new Workspace(isRepository);
        workspace.write('a.txt', 'a\n');
        if (isRepository) {
          workspace.commit();
        }
      });

      it('neither lists nor reads unchanged files again, with a full store and beyond the limit', async () => {
        workspace.write('large.csv', 'y'.repeat(3000));
        for (let index = 0; index < 50; index++) {
          workspace.write(`u${index}.txt`, `${index} ${'z'.repeat(500)}\n`);
        }
        await workspace.settle();
        let reads: string[] = [];
        const noted =
          <Args extends [string, ...unknown[]], Result>(call: (...args: Args) => Result) =>
          (...args: Args): Result => {
            reads.push(path.basename(args[0]));
            return call(...args);
          };
        const files: DiskFiles = { ...diskFiles, read: noted(diskFiles.read), statAndRead: noted(diskFiles.statAndRead) };
        const session = workspace.session({ files, storeBytes: 2000, limits: { fileBytes: 2000, plainFileBytes: 2000 } });
        for (const turn of ['one', 'two']) {
          reads = [];
          const { files: changed } = await playTurn(session, turn, () => workspace.write('a.txt', `${turn}\n`));
          assert.deepEqual(
            changed.map(({ path: file }) => path.basename(file)),
            ['a.txt'],
          );
          const untracked = reads.filter((name) => name.startsWith('u')).length;
          // A full store is tried with a file from time to time.
          assert.ok(turn === 'one' ? untracked === 50 : untracked <= 2, `${untracked} reads`);
        }
      });

      it('continues when a folder or a file cannot be read, and reports that', async () => {
        workspace.write('bad/in.txt', 'in\n');
        workspace.write('bad.txt', 'bad\n');
        if (isRepository) {
          workspace.git('add', '-A');
        }
        await workspace.settle();
        const files: DiskFiles = {
          ...diskFiles,
          list: async (folder) => (folder.endsWith('/bad') ? failure() : diskFiles.list(folder)),
          statAndRead: async (file, maxBytes) => (file.endsWith('/bad.txt') ? failure() : diskFiles.statAndRead(file, maxBytes)),
          stat: async (file) => (file.endsWith('/bad.txt') ? failure() : diskFiles.stat(file)),
        };
        const session = workspace.session({ files, onTrouble });
        const { files: changed } = await playTurn(session, 'turn', () => {
          workspace.write('a.txt', 'agent\n');
          workspace.write('new.txt', 'new\n');
        });
        assert.deepEqual(await shownRecords(workspace, session, changed), ['a.txt: "a\\n" > "agent\\n"', 'new.txt: none > "new\\n"']);
        assert.deepEqual(
          troubles.map(({ kind }) => kind),
          isRepository ? [] : ['files'],
        );
      });

      it('continues when the store fails, and reports that once', async () => {
        await workspace.settle();
        const session = workspace.session({ onTrouble });
        session.store.put = async () => failure();
        session.store.putGit = async () => failure();
        const { files } = await playTurn(session, 'turn', () => {
          workspace.write('a.txt', 'agent\n');
          workspace.write('new.txt', 'new\n');
        });
        assert.deepEqual(await shownRecords(workspace, session, files), ['a.txt: limit > 6 bytes', 'new.txt: none > 4 bytes']);
        assert.deepEqual(
          troubles.map(({ kind }) => kind),
          ['store'],
        );
      });

      it('reads nothing through a folder that a link has replaced', async () => {
        const outside = mkdtempSync(path.join(tmpdir(), 'changes-outside-'));
        try {
          writeFileSync(path.join(outside, 'keys.txt'), 'outside\n');
          workspace.write('conf/keys.txt', 'inside\n');
          if (isRepository) {
            workspace.commit();
          }
          await workspace.settle();
          const session = workspace.session();
          const { files } = await playTurn(session, 'turn', async () => {
            rmSync(workspace.at('conf'), { recursive: true });
            symlinkSync(outside, workspace.at('conf'));
            await session.recorder.announce({ path: workspace.at('conf/keys.txt') });
          });
          assert.deepEqual(
            (await shownRecords(workspace, session, files)).map((line) => line.replace(/ > link to .*/, ' > link')),
            ['conf: none > link', 'conf/keys.txt: "inside\\n" > none'],
          );
        } finally {
          rmSync(outside, { recursive: true });
        }
      });

      it('records copies as late once the clock was set back', async () => {
        workspace.write('u.txt', 'user\n');
        await workspace.settle();
        const session = workspace.session();
        session.recorder.turnStarted('turn', Date.now() + 3_600_000);
        workspace.write('u.txt', 'agent\n');
        await session.recorder.copied();
        const { files } = (await session.recorder.turnEnded('turn'))!;
        assert.ok((await shownRecords(workspace, session, files)).includes('u.txt: late > "agent\\n"'));
      });

      it('records copies as late when the clock is set back while they are taken', async () => {
        workspace.write('u.txt', 'user\n');
        await workspace.settle();
        let offset = 0;
        const session = workspace.session({ now: () => Date.now() + offset });
        session.recorder.turnStarted('turn', Date.now());
        offset = -3_600_000;
        workspace.write('u.txt', 'agent\n');
        await session.recorder.copied();
        const { files } = (await session.recorder.turnEnded('turn'))!;
        assert.ok((await shownRecords(workspace, session, files)).includes('u.txt: late > "agent\\n"'));
      });
    });
  }

  it('needs a few processes for 500 changed files with converted line ends', async () => {
    workspace = new Workspace(true);
    workspace.git('config', 'core.autocrlf', 'true');
    workspace.git('config', 'core.safecrlf', 'false');
    for (let index = 0; index < 500; index++) {
      workspace.write(`f${index}.txt`, `line ${index}\r\n`);
    }
    workspace.commit();
    await workspace.settle();
    let processes = 0;
    const counted: RunGit = (...args) => (processes++, run(...args));
    const session = workspace.session({ run: counted });
    const { files } = await playTurn(session, 'turn', () => {
      for (let index = 0; index < 500; index++) {
        workspace.write(`f${index}.txt`, `agent ${index}\r\n`);
      }
    });
    assert.equal(files.filter(({ before }) => before.kind === 'file').length, 500);
    assert.ok(processes <= 12, `${processes} processes`);
  });

  it('needs a few processes for 200 changed files, with their line counts', async () => {
    workspace = new Workspace(true);
    for (let index = 0; index < 200; index++) {
      workspace.write(`f${index}.txt`, `line ${index}\n`);
    }
    workspace.commit();
    await workspace.settle();
    let processes = 0;
    const counted: RunGit = (...args) => (processes++, run(...args));
    const session = workspace.session({ run: counted });
    const { files } = await playTurn(session, 'turn', () => {
      for (let index = 0; index < 200; index++) {
        workspace.write(`f${index}.txt`, `agent ${index}\n`);
      }
    });
    assert.equal(files.filter(({ added }) => added === 1).length, 200);
    assert.ok(processes <= 12, `${processes} processes`);
    assert.equal(
      session.store.size,
      files.reduce((sum, { after }) => sum + (after.kind === 'file' ? after.size : 0), 0),
    );
  });

  it('reports git when the status fails at its start', async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'a\n');
    await workspace.settle();
    const session = workspace.session({
      onTrouble,
      run: async (cwd, args, input) => (args.includes('status') ? undefined : run(cwd, args, input)),
    });
    const { files } = await playTurn(session, 'turn', () => workspace.write('a.txt', 'b\n'));
    assert.deepEqual(await shownRecords(workspace, session, files), ['a.txt: "a\\n" > "b\\n"']);
    assert.deepEqual(
      troubles.map(({ kind }) => kind),
      ['git'],
    );
  });

  it('never stores a file of a repository itself', async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'a\n');
    mkdirSync(workspace.at('sub/.git'), { recursive: true });
    workspace.write('sub/.git/config', 'secret\n');
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'turn', async () => {
      await session.recorder.announce({ path: workspace.at('.git/config') });
      await session.recorder.announce({ path: workspace.at('sub/.git/config') });
      workspace.git('config', 'user.name', 'Agent');
      workspace.write('sub/.git/config', 'changed\n');
    });
    assert.deepEqual(files, []);
  });
});
