/** Uncommitted changes that are copied into a new worktree, whose own changes then leave them out. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { applyToMain } from '../../../src/worktree/integrate';
import type { Worktree } from '../../../src/worktree/worktrees';
import { commit, failureIn, git, type PlainScene, plainScene, scene, textWith, write } from './scene';

describe('uncommitted changes in a new worktree', function () {
  this.timeout(60_000);
  let here: PlainScene;
  afterEach(() => here.dispose());

  const START = { type: 'current' } as const;
  const take = async (branch = 'agent/try') => {
    const parent = path.join(here.folder, 'trees');
    return here.worktrees.create(here.repository, { branch, start: START, parent, takeAlong: true });
  };
  const uncommitted = () => here.worktrees.uncommitted(here.repository, START);
  const textIn = ({ path: folder }: Pick<Worktree, 'path'>, name: string) => readFileSync(path.join(folder, name), 'utf8');
  /** Everything of the main tree that must stay: files, index, stash, branches. */
  const mainState = () => [
    git(here.root, 'status', '--porcelain=v1', '-uall', '--ignored'),
    git(here.root, 'diff', '--cached'),
    git(here.root, 'diff'),
    git(here.root, 'stash', 'list'),
    git(here.root, 'log', '--format=%H', '--branches', '--tags'),
    readFileSync(path.join(here.root, '.git/index')).toString('hex'),
  ];
  const applied = async (worktree: Worktree) =>
    (await applyToMain(here.worktrees, here.repository, worktree)).files.map((file) => file.path);

  it('are copied, whatever their kind, and the main tree, its index and its stash stay', async () => {
    here = await plainScene({
      'b.txt': 'b\n',
      'gone.txt': 'gone\n',
      'dir/in.txt': 'in\n',
      'run.sh': 'run\n',
      kind: 'file\n',
      'unstaged.txt': 'u\n',
    });
    write(here.root, { 'a.txt': 'staged\n' });
    git(here.root, 'add', 'a.txt');
    write(here.root, { 'a.txt': 'staged, then edited\n', 'b.txt': 'b\r\nwindows\r\n', 'new/deep.txt': 'new\n', '.env': 'secret\n' });
    git(here.root, 'rm', '-q', '--cached', 'unstaged.txt');
    rmSync(path.join(here.root, 'gone.txt'));
    rmSync(path.join(here.root, 'dir'), { recursive: true });
    write(here.root, { dir: 'a file now\n' });
    rmSync(path.join(here.root, 'kind'));
    write(here.root, { 'kind/inside.txt': 'a folder now\n' });
    if (process.platform !== 'win32') {
      chmodSync(path.join(here.root, 'run.sh'), 0o755);
      symlinkSync('a.txt', path.join(here.root, 'link'));
    }
    const before = mainState();
    const { files, refusal } = await uncommitted();
    assert.equal(refusal, undefined);
    const { worktree, taken } = await take();
    assert.deepEqual(mainState(), before);
    assert.deepEqual(taken, files);
    assert.ok(!taken.includes('.env') && taken.includes('gone.txt') && taken.includes('new/deep.txt'));
    assert.equal(textIn(worktree, 'a.txt'), 'staged, then edited\n');
    assert.equal(textIn(worktree, 'b.txt'), 'b\r\nwindows\r\n');
    assert.equal(textIn(worktree, 'unstaged.txt'), 'u\n');
    assert.equal(textIn(worktree, 'dir'), 'a file now\n');
    assert.equal(textIn(worktree, 'kind/inside.txt'), 'a folder now\n');
    assert.deepEqual([existsSync(path.join(worktree.path, 'gone.txt')), existsSync(path.join(worktree.path, '.env'))], [false, false]);
    if (process.platform !== 'win32') {
      assert.ok(lstatSync(path.join(worktree.path, 'run.sh')).mode & 0o100);
      assert.equal(readlinkSync(path.join(worktree.path, 'link')), 'a.txt');
    }
    const changes = await here.worktrees.changes(here.repository, worktree);
    assert.deepEqual([changes.files, changes.commits], [[], 0], 'none of them is a change of the agent');
    assert.equal((await failureIn(applyToMain(here.worktrees, here.repository, worktree))).code, 'worktree.no_changes');
  });

  it('do not conflict with the agent’s changes of the same lines, and stay uncommitted in the main tree', async () => {
    here = await plainScene({ 'lines.txt': textWith({}) });
    write(here.root, { 'lines.txt': textWith({ 5: 'mine' }), 'new.txt': 'mine\n' });
    const { worktree } = await take();
    write(worktree.path, { 'lines.txt': textWith({ 5: 'mine and the agent’s', 20: 'agent' }), 'new.txt': 'mine\nagent\n' });
    assert.deepEqual(
      (await here.worktrees.changes(here.repository, worktree)).files.map(
        ({ path: name, added, removed }) => `${name} +${added} -${removed}`,
      ),
      ['lines.txt +2 -2', 'new.txt +1 -0'],
    );
    assert.deepEqual(await applied(worktree), ['lines.txt', 'new.txt']);
    assert.equal(textIn({ path: here.root }, 'lines.txt'), textWith({ 5: 'mine and the agent’s', 20: 'agent' }));
    assert.equal(textIn({ path: here.root }, 'new.txt'), 'mine\nagent\n');
    assert.equal(git(here.root, 'diff', '--cached'), '');
  });

  it('are left out of the agent’s commits, too, and of what a removal would lose', async () => {
    here = await plainScene();
    write(here.root, { 'new.txt': 'mine\n' });
    const { worktree } = await take();
    const { loggedCommits } = await here.worktrees.losses(here.repository, worktree);
    assert.deepEqual(loggedCommits, []);
    write(worktree.path, { 'a.txt': 'agent\n' });
    commit(worktree.path);
    git(here.root, 'gc', '-q', '--prune=now');
    const changes = await here.worktrees.changes(here.repository, worktree);
    assert.deepEqual([changes.files.map((file) => file.path), changes.commits], [['a.txt'], 1]);
    await here.worktrees.remove(here.repository, worktree, { branch: true });
    assert.equal(git(here.root, 'for-each-ref', '--format=%(refname)').trim(), 'refs/heads/main');
  });

  it('are named in a conflict that the agent and the user have made since', async () => {
    here = await plainScene({ 'lines.txt': textWith({}) });
    write(here.root, { 'lines.txt': textWith({ 5: 'mine' }), 'new.txt': 'mine\n' });
    const { worktree } = await take();
    write(worktree.path, { 'lines.txt': textWith({ 5: 'agent' }), 'new.txt': 'agent\n' });
    write(here.root, { 'lines.txt': textWith({ 5: 'mine, edited since' }), 'new.txt': 'mine, edited since\n' });
    const conflicts: string[] = [];
    const apply = applyToMain(here.worktrees, here.repository, worktree, { onConflicts: (files) => conflicts.push(...files) });
    assert.equal((await failureIn(apply)).code, 'worktree.conflicts');
    assert.deepEqual(conflicts, ['lines.txt', 'new.txt']);
  });

  it('are refused with conflicts, changed submodules, another commit, and when they are too large', async () => {
    here = await plainScene();
    here.addSubmodule('sub');
    assert.deepEqual(await uncommitted(), { files: [], nested: [] });
    const code = async () => (await uncommitted()).refusal?.code;
    write(here.root, { 'sub/in.txt': 'edited\n' });
    assert.equal(await code(), 'worktree.changes_in_submodules');
    assert.equal((await failureIn(take())).code, 'worktree.changes_in_submodules');
    git(path.join(here.root, 'sub'), 'checkout', '-q', '.');
    git(here.root, 'branch', 'older', 'HEAD~1');
    write(here.root, { 'a.txt': 'edited\n' });
    const older = await here.worktrees.uncommitted(here.repository, { type: 'ref', ref: 'older' });
    assert.deepEqual([older.files, older.refusal?.code], [['a.txt'], 'worktree.changes_of_other_commit']);
    writeFileSync(path.join(here.root, 'large.bin'), Buffer.alloc(65 * 1024 * 1024));
    assert.equal(await code(), 'worktree.changes_too_large');
    rmSync(path.join(here.root, 'large.bin'));
    git(here.root, 'checkout', '-q', '-b', 'side');
    commit(here.root);
    git(here.root, 'checkout', '-q', 'main');
    write(here.root, { 'a.txt': 'other\n' });
    commit(here.root);
    assert.throws(() => git(here.root, 'merge', '-q', 'side'));
    assert.equal(await code(), 'worktree.changes_conflicted');
  });

  it('name nested repositories, which stay behind', async () => {
    here = await plainScene();
    mkdirSync(path.join(here.root, 'nested'));
    git(path.join(here.root, 'nested'), 'init', '-q');
    write(here.root, { 'nested/a.txt': 'a\n', 'new.txt': 'new\n' });
    assert.deepEqual(await uncommitted(), { files: ['new.txt'], nested: ['nested'] });
    assert.deepEqual((await take()).taken, ['new.txt']);
  });

  it('are not written through a link that a hook has put into the worktree', async function () {
    if (process.platform === 'win32') {
      return this.skip();
    }
    here = await plainScene({ 'dir/in.txt': 'in\n' });
    const outside = path.join(here.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(here.root, '.git/hooks/post-checkout'), `#!/bin/sh\nrm -rf dir\nln -s '${outside}' dir\n`);
    chmodSync(path.join(here.root, '.git/hooks/post-checkout'), 0o755);
    write(here.root, { 'dir/in.txt': 'edited\n' });
    assert.equal((await failureIn(take())).code, 'worktree.changes_not_taken');
    assert.equal(existsSync(path.join(outside, 'in.txt')), false);
  });

  it('run no file system monitor, hook or filter when they are counted', async function () {
    if (process.platform === 'win32') {
      return this.skip();
    }
    here = await plainScene({ '.gitattributes': '*.txt filter=evil\n' });
    const mark = path.join(here.folder, 'mark');
    const trap = path.join(here.folder, 'trap');
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${mark}'\ncat\n`);
    chmodSync(trap, 0o755);
    write(here.root, { 'a.txt': 'edited\n' });
    git(here.root, 'config', 'filter.evil.clean', trap);
    git(here.root, 'config', 'core.fsmonitor', trap);
    git(here.root, 'config', 'core.hooksPath', here.folder);
    ['post-index-change', 'reference-transaction'].forEach((hook) => symlinkSync(trap, path.join(here.folder, hook)));
    assert.deepEqual((await uncommitted()).files, ['a.txt']);
    assert.equal(existsSync(mark), false);
  });

  it('leave the repository of the other scene with a stash and staged files as it was', async () => {
    const other = await scene();
    here = await plainScene();
    try {
      git(other.root, '-C', 'sub', 'checkout', '-q', '.');
      const before = other.state();
      const { worktree } = await other.worktrees.create(other.repository, {
        branch: 'agent/try',
        start: START,
        parent: other.parent,
        takeAlong: true,
      });
      const after = other.state(['agent/try']);
      assert.deepEqual({ ...after, refs: String(after['refs']).replace(/refs\/acp-host\/base\/\S+ \S+\n/, '') }, before);
      assert.equal(textIn(worktree, 'b.txt'), 'staged, then edited\n');
      renameSync(path.join(worktree.path, 'new.txt'), path.join(worktree.path, 'renamed.txt'));
      const { files } = await other.worktrees.changes(other.repository, worktree);
      assert.deepEqual(
        files.map(({ path: name, status }) => `${status} ${name}`),
        ['deleted new.txt', 'added renamed.txt'],
      );
    } finally {
      other.dispose();
    }
  });
});
