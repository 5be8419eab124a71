import assert from 'node:assert/strict';
import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DiskFiles, diskFiles } from '../../../src/changes/disk/diskFiles';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('the move of a tracked folder', () => {
  let workspace: Workspace;
  let reads: string[];
  const files: DiskFiles = {
    ...diskFiles,
    read: (file, most) => {
      reads.push(path.relative(workspace.folder, file));
      return diskFiles.read(file, most);
    },
    statAndRead: (file, most) => {
      reads.push(path.relative(workspace.folder, file));
      return diskFiles.statAndRead(file, most);
    },
  };

  beforeEach(async () => {
    workspace = new Workspace(true);
    reads = [];
    workspace.write('old/a.txt', 'first\n');
    workspace.write('old/below/b.bin', Buffer.from([1, 0, 2]));
    workspace.commit();
    await workspace.settle();
  });

  afterEach(() => workspace.dispose());

  const moves = async (act: () => void): Promise<Record<string, string | undefined>> => {
    const { files: found } = await playTurn(workspace.session({ files }), 'turn', act);
    return Object.fromEntries(
      found.map((file) => [path.relative(workspace.folder, file.path), file.oldPath && path.relative(workspace.folder, file.oldPath)]),
    );
  };

  it('reads no file whose content git has compared', async () => {
    const session = workspace.session({ files });
    const { files: found } = await playTurn(session, 'turn', () => renameSync(workspace.at('old'), workspace.at('new')));

    assert.deepEqual(reads, []);
    const [text, binary] = found;
    assert.deepEqual([text!.path, text!.oldPath, text!.binary], [workspace.at('new/a.txt'), workspace.at('old/a.txt'), undefined]);
    assert.deepEqual([binary!.path, binary!.binary], [workspace.at('new/below/b.bin'), true]);
    assert.ok(text!.before.kind === 'file' && text!.after.kind === 'file' && text!.after.hash === text!.before.hash);
    assert.equal(text!.after.kind === 'file' && text!.after.mode, lstatSync(workspace.at('new/a.txt')).mode & 0o7777);
    assert.deepEqual(await session.store.get(text!.before.kind === 'file' ? text!.before.hash : ''), Buffer.from('first\n'));
  });

  it('reads a file that was written with its old size and times', async () => {
    const act = (): void => {
      const { atime, mtime } = lstatSync(workspace.at('old/a.txt'));
      workspace.write('old/a.txt', 'FIRST\n');
      utimesSync(workspace.at('old/a.txt'), atime, mtime);
      renameSync(workspace.at('old'), workspace.at('new'));
    };
    assert.deepEqual(await moves(act), { 'new/a.txt': 'old/a.txt', 'new/below/b.bin': 'old/below/b.bin' });
    assert.ok(reads.includes('new/a.txt'));
    assert.ok(!reads.includes('new/below/b.bin'));
  });

  it('reads a file that git had not compared when the turn began', async () => {
    workspace.write('old/a.txt', 'the user\n');
    await workspace.settle();
    await moves(() => renameSync(workspace.at('old'), workspace.at('new')));
    assert.ok(reads.includes('new/a.txt'));
  });

  it('notices that another folder has the old name', async () => {
    const act = (): void => {
      renameSync(workspace.at('old'), workspace.at('new'));
      mkdirSync(workspace.at('old'));
      workspace.write('old/a.txt', 'second\n');
    };
    assert.deepEqual(Object.keys(await moves(act)).sort(), ['new/a.txt', 'new/below/b.bin', 'old/a.txt']);
  });
});

describe('a file whose folder the agent exchanged for another one', () => {
  for (const isRepository of [false, true]) {
    for (const [has, other] of [
      ['has', 'other x\n'],
      ['lacks', undefined],
    ] as const) {
      it(`has its own earlier version in ${isRepository ? 'a repository' : 'a plain folder'} when the other folder ${has} its name`, async () => {
        const workspace = new Workspace(isRepository);
        try {
          workspace.write('src/deep/x.txt', 'of the user\nsecond\n');
          workspace.write('lib/deep/y.txt', 'other y\n');
          void (other !== undefined && workspace.write('lib/deep/x.txt', other));
          void (isRepository && workspace.commit());
          await workspace.settle();
          const [session, before] = [workspace.session(), workspace.tree()];
          await playTurn(session, 'turn', async () => {
            renameSync(workspace.at('src'), workspace.at('old'));
            renameSync(workspace.at('lib'), workspace.at('src'));
            await session.recorder.announce({ path: workspace.at('src/deep/x.txt') });
            workspace.write('src/deep/x.txt', 'agent\n');
            rmSync(workspace.at('old'), { recursive: true });
          });
          const plan = (await session.restore.toCheckpoint('turn'))!;
          await session.restore.perform(
            plan,
            plan.files.map((file) => file.path),
          );
          assert.deepEqual(workspace.tree(), before);
        } finally {
          workspace.dispose();
        }
      });
    }
  }
});

describe('a file in whose place a folder was moved', () => {
  for (const isRepository of [false, true]) {
    it(`has its earlier version in ${isRepository ? 'a repository' : 'a plain folder'} when the agent names it`, async () => {
      const workspace = new Workspace(isRepository);
      try {
        workspace.write('a.txt', 'of the user\n');
        workspace.write('old/b.txt', 'other\n');
        void (isRepository && workspace.commit());
        await workspace.settle();
        const session = workspace.session();
        const { files } = await playTurn(session, 'turn', async () => {
          workspace.remove('a.txt');
          renameSync(workspace.at('old'), workspace.at('a.txt'));
          session.recorder.reportChange({ path: workspace.at('a.txt') });
          await workspace.settle();
        });
        const record = files.find((file) => file.path === workspace.at('a.txt'))!;
        assert.deepEqual([record.before.kind, record.after.kind], ['file', 'none']);
      } finally {
        workspace.dispose();
      }
    });
  }
});

for (const isRepository of [true, false]) {
  describe(`a file of a folder that was moved in ${isRepository ? 'a repository' : 'a plain folder'}`, () => {
    let workspace: Workspace;
    beforeEach(async () => {
      workspace = new Workspace(isRepository);
      workspace.write('old/a.txt', 'first\nsecond\n');
      workspace.write('old/below/b.txt', 'third\n');
      if (isRepository) {
        workspace.commit();
      }
      await workspace.settle();
    });
    afterEach(() => workspace.dispose());

    const restored = async (act: (recorder: WorkspaceSession['recorder']) => void | Promise<void>): Promise<void> => {
      const session = workspace.session();
      const before = workspace.tree();
      await playTurn(session, 'turn', () => act(session.recorder));
      await session.restore.perform((await session.restore.toCheckpoint('turn'))!);
      assert.deepEqual(workspace.tree(), before);
    };
    const move = (): void => renameSync(workspace.at('old'), workspace.at('new'));

    it('is restored when the agent named it before an edit', async () => {
      await restored(async (recorder) => {
        move();
        await recorder.announce({ path: workspace.at('new/below/b.txt') });
        workspace.write('new/below/b.txt', 'agent\n');
      });
    });

    it('is restored when the agent named and copied it', async () => {
      await restored(async (recorder) => {
        move();
        await recorder.announce({ path: workspace.at('new/a.txt') });
        copyFileSync(workspace.at('new/a.txt'), workspace.at('copy.txt'));
      });
    });

    it('is restored when the agent named it and only read it', async () => {
      await restored(async (recorder) => {
        move();
        await recorder.announce({ path: workspace.at('new/a.txt') });
      });
    });

    it('has the copy of the agent’s announcement when the folder came from outside', async () => {
      const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'changes-outside-')));
      writeFileSync(path.join(outside, 'in.txt'), 'in\n');
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn', async () => {
        renameSync(outside, workspace.at('in'));
        await session.recorder.announce({ path: workspace.at('in/in.txt') });
        workspace.write('in/in.txt', 'agent\n');
      });
      assert.deepEqual(await shownRecords(workspace, session, files), ['in/in.txt: "in\\n" > "agent\\n"']);
    });
  });
}
