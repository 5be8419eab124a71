/** Special files: those of a submodule, ignored ones, large ones, and those that two sessions write. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Attribution } from '../../../src/changes/turns/attribution';
import { playTurn, Workspace } from '../../support/changes/workspace';

const LARGE = 3 * 1024 * 1024;

describe('turns and restores of special files', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  const others: string[] = [];
  afterEach(() => {
    workspace.dispose();
    others.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  });
  const names = (files: readonly { readonly path: string }[]) => files.map((file) => path.relative(workspace.folder, file.path));

  function withSubmodule(): void {
    workspace = new Workspace(true);
    const other = mkdtempSync(path.join(tmpdir(), 'changes-sub-'));
    others.push(other);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=U', '-c', 'user.email=u@example.com', ...args], { cwd: other, stdio: 'ignore' });
    git('init', '-q', '-b', 'main');
    writeFileSync(path.join(other, 'inside.txt'), 'inside\n');
    writeFileSync(path.join(other, 'dirty.txt'), 'dirty\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    workspace.write('outside.txt', 'outside\n');
    workspace.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'libs/sub');
    workspace.commit();
    workspace.write('libs/sub/dirty.txt', 'the user has changed it\n');
  }

  it('include the files of a submodule, and touch nothing of its git', async () => {
    withSubmodule();
    await workspace.settle();
    const before = workspace.tree();
    const git = workspace.tree(workspace.at('.git'), []);
    const session = workspace.session();
    const { files } = await playTurn(session, 'one', () => {
      workspace.write('outside.txt', 'changed\n');
      workspace.write('libs/sub/inside.txt', 'changed\n');
      workspace.write('libs/sub/dirty.txt', 'changed, too\n');
      workspace.write('libs/sub/made/new.txt', 'new\n');
    });
    assert.deepEqual(names(files), ['libs/sub/dirty.txt', 'libs/sub/inside.txt', 'libs/sub/made/new.txt', 'outside.txt']);
    assert.deepEqual(
      files.map(({ before: { kind } }) => kind),
      ['file', 'file', 'none', 'file'],
    );
    const after = workspace.tree();
    const { restoreId } = await session.restore.perform((await session.restore.toCheckpoint('one'))!);
    assert.deepEqual(workspace.tree(), before);
    await session.restore.perform((await session.restore.undoing(restoreId!))!);
    assert.deepEqual(workspace.tree(), after);
    assert.deepEqual(workspace.tree(workspace.at('.git'), []), git);
  });

  it('ignore submodules that a repository places outside itself', async () => {
    workspace = new Workspace(true);
    const other = new Workspace(true);
    others.push(other.folder);
    other.write('theirs.txt', 'theirs\n');
    const up = path.relative(workspace.folder, other.folder).split(path.sep).join('/');
    workspace.write('.gitmodules', `[submodule "x"]\n\tpath = ${up}\n[submodule "y"]\n\tpath = .\n[submodule "z"]\n\tpath = ..\n`);
    workspace.commit();
    await workspace.settle();
    const { files } = await playTurn(workspace.session(), 'one', () => other.write('theirs.txt', 'changed\n'));
    assert.deepEqual(files, []);
    other.dispose();
  });

  it('restore an ignored file if the agent named it first, and otherwise leave it', async () => {
    workspace = new Workspace(true);
    workspace.write('.gitignore', 'out/\n');
    workspace.commit();
    workspace.write('out/named.txt', 'named\n');
    workspace.write('out/quiet.txt', 'quiet\n');
    await workspace.settle();
    const session = workspace.session();
    const { files } = await playTurn(session, 'one', async () => {
      await session.recorder.announce({ path: workspace.at('out/named.txt') });
      workspace.write('out/named.txt', 'changed\n');
      workspace.write('out/quiet.txt', 'changed\n');
    });
    assert.deepEqual(names(files), ['out/named.txt']);
    await session.restore.perform((await session.restore.toCheckpoint('one'))!);
    assert.equal(workspace.read('out/named.txt'), 'named\n');
    assert.equal(workspace.read('out/quiet.txt'), 'changed\n');
  });

  for (const isRepository of [true, false]) {
    it(`list a file beyond the limit, and leave it unchanged: ${isRepository ? 'repository' : 'plain folder'}`, async () => {
      workspace = new Workspace(isRepository);
      workspace.write('large.txt', Buffer.alloc(LARGE, 'a line of it\n'));
      workspace.write('small.txt', 'small\n');
      void (isRepository && workspace.commit());
      await workspace.settle();
      const session = workspace.session();
      const large = Buffer.alloc(LARGE, 'another line\n');
      const { files } = await playTurn(session, 'one', () => {
        workspace.write('large.txt', large);
        workspace.write('small.txt', 'changed\n');
      });
      assert.deepEqual(names(files), ['large.txt', 'small.txt']);
      assert.equal(files[0]!.before.kind, 'unknown');
      const plan = (await session.restore.toCheckpoint('one'))!;
      assert.deepEqual(
        plan.files.map(({ action }) => action),
        ['unavailable', 'write'],
      );
      const { restored } = await session.restore.perform(plan, [workspace.at('large.txt')]);
      assert.deepEqual(restored, [workspace.at('small.txt')]);
      assert.ok(readFileSync(workspace.at('large.txt')).equals(large));
    });
  }

  it("restore each session's files in a shared folder, and name those that the other has changed since", async () => {
    workspace = new Workspace(true);
    ['a.txt', 'b.txt', 'both.txt', 'shell.txt'].forEach((name) => workspace.write(name, `${name}\n`));
    workspace.commit();
    await workspace.settle();
    const attribution = new Attribution();
    const [one, two] = ['one', 'two'].map((key) => workspace.session({ key, attribution }));
    one!.recorder.turnStarted('first', Date.now());
    two!.recorder.turnStarted('second', Date.now());
    await Promise.all([one!.recorder.copied(), two!.recorder.copied()]);
    await workspace.settle();
    for (const [session, name] of [
      [one!, 'a.txt'],
      [two!, 'b.txt'],
      [one!, 'both.txt'],
      [two!, 'both.txt'],
    ] as const) {
      await session.recorder.announce({ path: workspace.at(name) });
      workspace.write(name, `${workspace.read(name)}changed\n`);
    }
    workspace.write('shell.txt', 'by one of them\n');
    const [first, second] = [(await one!.recorder.turnEnded('first'))!, (await two!.recorder.turnEnded('second'))!];
    const shared = ({ files }: typeof first) => files.map((file) => `${path.basename(file.path)}${file.shared ? ' shared' : ''}`);
    assert.deepEqual(shared(first), ['a.txt', 'both.txt shared', 'shell.txt shared']);
    assert.deepEqual(shared(second), ['b.txt', 'both.txt shared', 'shell.txt shared']);
    await playTurn(two!, 'third', async () => {
      await two!.recorder.announce({ path: workspace.at('a.txt') });
      workspace.write('a.txt', 'by the other one\n');
    });
    const plan = (await one!.restore.toCheckpoint('first'))!;
    assert.deepEqual(
      plan.files.map((file) => `${path.basename(file.path)} ${file.changedSince}`),
      ['a.txt true', 'both.txt false', 'shell.txt false'],
    );
    await one!.restore.perform(plan);
    assert.equal(workspace.read('a.txt'), 'by the other one\n');
    assert.equal(workspace.read('b.txt'), 'b.txt\nchanged\n');
    assert.equal(workspace.read('both.txt'), 'both.txt\n');
  });
});
