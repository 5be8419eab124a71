/** The record of a turn's changes, for every way in which a file can be changed. */
import assert from 'node:assert/strict';
import { chmodSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { FileRecord, FileState } from '../../../src/core/fileChanges/records';
import { Attribution } from '../../../src/changes/turns/attribution';
import { playTurn, slowFiles, slowGit, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

/** Describes a file's state. @param session reads the content of an earlier state; the content of a later one is not stored */
async function shownState(state: FileState, session?: WorkspaceSession): Promise<string> {
  switch (state.kind) {
    case 'file': {
      const bytes = await session?.store.get(state.hash);
      const content = bytes
        ? bytes.includes(0)
          ? `${bytes.length} bytes`
          : JSON.stringify(Buffer.from(bytes).toString())
        : `${state.size} bytes`;
      return content + (state.mode & 0o100 ? ' executable' : '');
    }
    case 'link':
      return `link to ${state.target}`;
    case 'none':
      return 'nothing';
    case 'unknown':
      return `unknown: ${state.reason}`;
  }
}

async function shown(workspace: Workspace, session: WorkspaceSession, files: readonly FileRecord[]): Promise<string[]> {
  return Promise.all(
    files.map(async ({ path: file, oldPath, before, after, added, removed, binary, shared }) => {
      const name = path.relative(workspace.folder, file);
      const from = oldPath === undefined ? '' : ` from ${path.relative(workspace.folder, oldPath)}`;
      const counts = added === undefined ? '' : ` +${added} -${removed}`;
      return `${name}${from}: ${await shownState(before, session)} > ${await shownState(after)}${counts}${binary ? ' binary' : ''}${shared ? ' shared' : ''}`;
    }),
  );
}

describe('a recorder of changes', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  afterEach(() => workspace.dispose());

  for (const isRepository of [true, false]) {
    const where = isRepository ? 'in a repository' : 'in a plain folder';

    it(`finds changes that no tool call announced ${where}`, async () => {
      workspace = new Workspace(isRepository);
      workspace.write('changed.txt', 'one\ntwo\n');
      workspace.write('deleted.txt', 'gone\n');
      workspace.write('moved.txt', 'moved content\n');
      workspace.write('run.sh', 'echo\n');
      workspace.write('same.txt', 'same\n');
      if (isRepository) {
        workspace.commit();
      }
      workspace.write('dirty.txt', 'not committed\r\n');
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn-1', () => {
        workspace.write('changed.txt', 'one\n2\n');
        workspace.remove('deleted.txt');
        renameSync(workspace.at('moved.txt'), workspace.at('to.txt'));
        chmodSync(workspace.at('run.sh'), 0o755);
        workspace.write('same.txt', 'same\n');
        workspace.write('dirty.txt', 'changed\r\n');
        workspace.write('new/made.bin', Buffer.from([0, 1, 2]));
        symlinkSync('same.txt', workspace.at('link'));
      });
      assert.deepEqual(await shown(workspace, session, files), [
        'changed.txt: "one\\ntwo\\n" > 6 bytes +1 -1',
        'deleted.txt: "gone\\n" > nothing +0 -1',
        'dirty.txt: "not committed\\r\\n" > 9 bytes +1 -1',
        'link: nothing > link to same.txt',
        'new/made.bin: nothing > 3 bytes binary',
        'run.sh: "echo\\n" > 5 bytes executable +0 -0',
        'to.txt from moved.txt: "moved content\\n" > 14 bytes +0 -0',
      ]);
    });

    it(`reports that a file may have been changed before its copy was taken ${where}`, async () => {
      workspace = new Workspace(isRepository);
      workspace.write('a.txt', 'first\n');
      if (isRepository) {
        workspace.commit();
      }
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn-1', () => workspace.write('a.txt', 'at once\n'), true);
      assert.deepEqual(await shown(workspace, session, files), ['a.txt: unknown: late > 8 bytes']);
    });

    it(`takes the earlier text of such a file from an open document or the agent’s report ${where}`, async () => {
      workspace = new Workspace(isRepository);
      workspace.write('open.txt', 'open\n');
      workspace.write('told.txt', 'a\nb\n');
      if (isRepository) {
        workspace.commit();
      }
      await workspace.settle();
      const session = workspace.session({
        openTexts: () => [{ path: workspace.at('open.txt'), isDirty: false, bytes: async () => Buffer.from('open\n') }],
      });
      const { files } = await playTurn(
        session,
        'turn-1',
        () => {
          workspace.write('open.txt', 'changed\n');
          workspace.write('told.txt', 'A\nb\n');
          void session.recorder.announce({ path: workspace.at('told.txt'), reported: [{ oldText: 'a', newText: 'A' }] });
        },
        true,
      );
      assert.deepEqual(await shown(workspace, session, files), [
        // The agent wrote before the document was compared with the disk.
        'open.txt: "open\\n" > 8 bytes +1 -1 shared',
        // Another file may have come to the path before it was read.
        'told.txt: "a\\nb\\n" > 4 bytes +1 -1 shared',
      ]);
    });
  }

  it('keeps a copy of a file that a running tool call names, even of an ignored one', async () => {
    workspace = new Workspace(true);
    workspace.write('.gitignore', '*.log\n');
    workspace.commit();
    workspace.write('a.log', 'before\n');
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'turn-1', async () => {
      await session.recorder.announce({ path: workspace.at('a.log') });
      workspace.write('a.log', 'after\n');
      workspace.write('b.log', 'nobody said so\n');
    });
    assert.deepEqual(await shown(workspace, session, files), ['a.log: "before\\n" > 6 bytes +1 -1']);
  });

  it('runs no git without a repository', async () => {
    workspace = new Workspace(false);
    let asked = 0;
    const session = workspace.session({ run: () => (asked++, Promise.resolve(undefined)) });
    workspace.write('a.txt', 'a\n');
    await workspace.settle();
    const { files } = await playTurn(session, 'turn-1', () => workspace.write('a.txt', 'b\n'));
    assert.deepEqual([files.length, asked], [1, 0]);
  });

  it('finds what the agent committed', async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\n');
    workspace.commit();
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'turn-1', () => {
      workspace.write('a.txt', 'two\n');
      workspace.write('b.txt', 'new\n');
      workspace.commit();
    });
    assert.deepEqual(await shown(workspace, session, files), ['a.txt: "one\\n" > 4 bytes +1 -1', 'b.txt: nothing > 4 bytes +1 -0']);
  });

  it('finds changes in submodules and in other repositories inside a repository', async () => {
    const library = new Workspace(true);
    try {
      library.write('lib.txt', 'one\n');
      library.commit();
      workspace = new Workspace(true);
      workspace.write('a.txt', 'a\n');
      workspace.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library.folder, 'deps/my lib');
      workspace.commit();
      for (const name of ['other', 'other/inner']) {
        workspace.write(`${name}/b.txt`, 'b\n');
        workspace.git('init', '-q', name);
      }
      symlinkSync(library.folder, workspace.at('away'));
      workspace.write('.gitmodules', `${workspace.read('.gitmodules')}[submodule "x"]\n\tpath = away\n[submodule "y"]\n\tpath = ../..\n`);
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn-1', () => {
        workspace.write('deps/my lib/lib.txt', 'two\n');
        workspace.write('deps/my lib/new.txt', 'new\n');
        workspace.write('other/b.txt', 'B\n');
        workspace.remove('other/inner/b.txt');
        library.write('lib.txt', 'not ours\n');
        workspace.git('clone', '-q', library.folder, 'cloned');
      });
      assert.deepEqual(await shown(workspace, session, files), [
        'cloned: nothing > unknown: unreadable',
        'deps/my lib/lib.txt: "one\\n" > 4 bytes +1 -1',
        'deps/my lib/new.txt: nothing > 4 bytes +1 -0',
        'other/b.txt: "b\\n" > 2 bytes +1 -1',
        'other/inner/b.txt: "b\\n" > nothing +0 -1',
      ]);
    } finally {
      library.dispose();
    }
  });

  it('finds moves by git mv, and has the bytes of a checkout', async () => {
    workspace = new Workspace(true);
    workspace.write('.gitattributes', '*.txt text eol=crlf\n');
    workspace.write('a.txt', 'one\r\ntwo\r\n');
    workspace.write('old name.md', 'a title\n\nand text\n');
    workspace.commit();
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'turn-1', () => {
      workspace.write('a.txt', 'one\r\n');
      workspace.git('mv', 'old name.md', 'new name.md');
      workspace.write('new name.md', 'a title\n\nand more\n');
    });
    assert.deepEqual(await shown(workspace, session, files), [
      'a.txt: "one\\r\\ntwo\\r\\n" > 5 bytes +0 -1',
      'new name.md from old name.md: "a title\\n\\nand text\\n" > 18 bytes +1 -1',
    ]);
  });

  it('keeps no version of a file that is too large, and reports that', async () => {
    workspace = new Workspace(false);
    workspace.write('large.txt', 'x'.repeat(300));
    workspace.write('small.txt', 'x');
    workspace.write('other.txt', 'y');
    await workspace.settle();
    const session = workspace.session({ limits: { plainFileBytes: 200, fileBytes: 200 }, storeBytes: 1 });
    const { files } = await playTurn(session, 'turn-1', () => {
      workspace.write('large.txt', 'y'.repeat(301));
      workspace.write('small.txt', 'a');
      workspace.write('other.txt', 'b');
    });
    const reasons = (await shown(workspace, session, files)).map((line) => line.replace(/ > .*/, ''));
    assert.deepEqual(reasons.filter((line) => line.includes('limit')).length, 1);
    assert.ok(reasons.includes('large.txt: unknown: too_large'));
  });

  it("does not count the user's own saves as changes of the agent", async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\n');
    workspace.commit();
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'turn-1', async () => {
      workspace.write('a.txt', 'by the user\n');
      session.recorder.savedByUser(workspace.at('a.txt'));
    });
    assert.deepEqual(files, []);
  });

  it('assigns a change to the session that named it, or to both sessions of a folder', async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'a\n');
    workspace.write('b.txt', 'b\n');
    workspace.commit();
    await workspace.settle();
    const attribution = new Attribution();
    const [one, two] = [workspace.session({ key: 'one', attribution }), workspace.session({ key: 'two', attribution })];
    let others: readonly FileRecord[] = [];
    const { files } = await playTurn(one, 'turn-1', async () => {
      others = (
        await playTurn(two, 'turn-1', async () => {
          await one.recorder.announce({ path: workspace.at('a.txt') });
          workspace.write('a.txt', 'A\n');
          workspace.write('b.txt', 'B\n');
        })
      ).files;
    });
    assert.deepEqual(await shown(workspace, one, files), ['a.txt: "a\\n" > 2 bytes +1 -1', 'b.txt: "b\\n" > 2 bytes +1 -1 shared']);
    assert.deepEqual(await shown(workspace, two, others), ['b.txt: "b\\n" > 2 bytes +1 -1 shared']);
  });

  it('does not wait for a slow folder: a file that was not copied in time is unknown', async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', 'a\n');
    await workspace.settle();
    const session = workspace.session({ files: slowFiles(50), run: slowGit(50) });
    const start = performance.now();
    session.recorder.turnStarted('turn-1', Date.now());
    assert.ok(performance.now() - start < 20);
    await workspace.settle();
    workspace.write('a.txt', 'A\n');
    const { files } = (await session.recorder.turnEnded('turn-1'))!;
    assert.deepEqual(await shown(workspace, session, files), ['a.txt: unknown: late > 2 bytes']);
  });
});
