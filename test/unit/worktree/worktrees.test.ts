/** Worktrees of a real repository with a submodule, hooks and uncommitted changes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import { applyToMain, commitAll, mergeIntoMain } from '../../../src/worktree/integrate';
import { type Scene, git, scene, textWith, write } from './scene';

const codeOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'no failure',
    (error: unknown) => failureOf(error).code,
  );

describe('worktrees', function () {
  this.timeout(60_000);
  let here: Scene;
  afterEach(() => here.dispose());

  it('are created with a branch, a portable folder name, submodules and hooks, without changing the main tree', async () => {
    here = await scene();
    const before = here.state();
    const { worktrees, repository, parent } = here;
    const { worktree, problems } = await worktrees.create(repository, { branch: 'agent/try', start: { type: 'current' }, parent });
    assert.deepEqual(problems, []);
    assert.deepEqual([worktree.path, worktree.branch, worktree.isMain], [path.join(parent, 'agent-try'), 'agent/try', false]);
    assert.equal(readFileSync(path.join(worktree.path, 'b.txt'), 'utf8'), 'b\n', 'it begins with the commit');
    assert.equal(readFileSync(path.join(worktree.path, 'sub/lib.txt'), 'utf8'), 'library\n');
    assert.equal(git(path.join(worktree.path, 'sub'), 'remote', 'get-url', 'origin').trim(), here.library);
    assert.deepEqual(here.hooks(), ['post-checkout']);
    write(worktree.path, { 'a.txt': textWith({ 1: 'agent' }), 'made.txt': 'made\n', 'sub/more.txt': 'in the submodule\n' });
    rmSync(path.join(worktree.path, 'bin.dat'));
    const changes = await worktrees.changes(repository, worktree);
    assert.deepEqual(
      changes.files.map(({ path: file, status, added, removed }) => `${status} ${file} +${added} -${removed}`),
      ['modified a.txt +1 -1', 'deleted bin.dat +undefined -undefined', 'added made.txt +1 -0'],
    );
    assert.deepEqual([changes.submodules, changes.commits, changes.isDirty], [['sub'], 0, true]);
    assert.ok((await worktrees.size(worktree.path)).bytes > 100);
    assert.deepEqual(here.state(['agent/try']), before);
    const list = await worktrees.list(repository);
    assert.deepEqual(
      list.map(({ branch, isMain, isGone }) => [branch, isMain, isGone]),
      [
        ['main', true, false],
        ['agent/try', false, false],
      ],
    );
  });

  it('start at the current branch, its upstream, or a given ref, but not at a missing one', async () => {
    here = await scene({ dirty: false });
    const { worktrees, repository, parent, root } = here;
    git(root, 'checkout', '-q', 'other');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'other');
    git(root, 'branch', '--set-upstream-to=main');
    const create = (branch: string, start: Parameters<typeof worktrees.create>[1]['start']) =>
      worktrees.create(repository, { branch, start, parent });
    const head = (ref: string) => git(root, 'rev-parse', ref).trim();
    assert.equal((await create('one', { type: 'current' })).worktree.head, head('other'));
    assert.equal((await create('two', { type: 'upstream' })).worktree.head, head('main'));
    assert.equal((await create('three', { type: 'ref', ref: 'main' })).worktree.head, head('main'));
    assert.deepEqual((await worktrees.branches(repository)).current, 'other');
    assert.deepEqual((await worktrees.branches(repository)).upstream, 'main');
    const before = here.state();
    for (const [branch, ref, code] of [
      ['one', 'main', 'worktree.branch_exists'],
      ['-d', 'main', 'worktree.bad_branch'],
      ['a..b', 'main', 'worktree.bad_branch'],
      ['four', 'nowhere', 'worktree.no_commit'],
      ['four', '--all', 'worktree.no_commit'],
    ] as const) {
      assert.equal(await codeOf(create(branch, { type: 'ref', ref })), code, `${branch} ${ref}`);
    }
    assert.deepEqual(here.state(), before);
    assert.equal(await codeOf(worktrees.repositoryOf(here.folder)), 'worktree.no_repository');
  });

  it('are applied three-way onto a main tree with other uncommitted changes, which all stay', async () => {
    here = await scene();
    const worktree = await here.create();
    const { worktrees, repository, root } = here;
    write(root, { 'a.txt': textWith({ 30: 'user' }) });
    write(worktree.path, {
      'a.txt': textWith({ 1: 'agent' }),
      'made.txt': 'made\n',
      'dir/ünï code.txt': 'agent\n',
      'bin.dat': Buffer.from([0, 9]),
    });
    git(worktree.path, 'add', 'made.txt');
    git(worktree.path, 'commit', '-q', '-m', 'half of it');
    const before = here.state();
    const applied = await applyToMain(worktrees, repository, worktree);
    assert.deepEqual(applied.files.map(({ path: file }) => file).sort(), ['a.txt', 'bin.dat', 'dir/ünï code.txt', 'made.txt']);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), textWith({ 1: 'agent', 30: 'user' }));
    assert.equal(readFileSync(path.join(root, 'b.txt'), 'utf8'), 'staged, then edited\n');
    assert.equal(readFileSync(path.join(root, 'sub/lib.txt'), 'utf8'), 'edited library\n');
    assert.deepEqual([...readFileSync(path.join(root, 'bin.dat'))], [0, 9]);
    const after = here.state();
    assert.deepEqual({ ...after, files: '' }, { ...before, files: '' }, 'index, stash, HEAD, branches and settings');
    assert.equal(await codeOf(applyToMain(worktrees, repository, worktree)), 'worktree.already_applied');
    assert.deepEqual(here.state(), after);
  });

  it('are refused as a whole if both sides changed the same lines, without losing anything', async () => {
    here = await scene();
    const worktree = await here.create();
    write(here.root, { 'a.txt': textWith({ 1: 'user' }) });
    write(worktree.path, { 'a.txt': textWith({ 1: 'agent' }), 'made.txt': 'made\n' });
    const before = here.state();
    const failure = await applyToMain(here.worktrees, here.repository, worktree).then(() => undefined, failureOf);
    assert.deepEqual([failure?.code, failure?.params], ['worktree.conflicts', { count: 1, files: 'a.txt' }]);
    assert.deepEqual(here.state(), before);
    // An ignored file is in the place of a file that the agent added.
    write(here.root, { 'a.txt': textWith({}) });
    write(worktree.path, { 'ignored/x': 'agent\n' });
    git(worktree.path, 'add', '--force', 'ignored/x');
    const ignored = here.state();
    assert.equal(await codeOf(applyToMain(here.worktrees, here.repository, worktree)), 'worktree.in_the_way');
    assert.deepEqual(here.state(), ignored);
    assert.equal(existsSync(path.join(worktree.path, 'made.txt')), true);
  });

  it('report that there is nothing to apply, or only a submodule', async () => {
    here = await scene();
    const worktree = await here.create();
    assert.equal(await codeOf(applyToMain(here.worktrees, here.repository, worktree)), 'worktree.no_changes');
    write(worktree.path, { 'sub/lib.txt': 'agent\n' });
    assert.equal(await codeOf(applyToMain(here.worktrees, here.repository, worktree)), 'worktree.only_submodules');
    git(path.join(worktree.path, 'sub'), 'commit', '-q', '-a', '-m', 'in the submodule');
    assert.equal(await codeOf(applyToMain(here.worktrees, here.repository, worktree)), 'worktree.only_submodules');
    write(worktree.path, { 'a.txt': textWith({ 2: 'agent' }) });
    const { files, submodules } = await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual([files.map((each) => each.path), submodules], [['a.txt'], ['sub']]);
  });

  it('are merged by their branch, with hooks; a merge with conflicts is not started', async () => {
    here = await scene();
    const worktree = await here.create();
    const { worktrees, repository, root } = here;
    assert.equal(await codeOf(mergeIntoMain(worktrees, repository, worktree)), 'worktree.nothing_to_merge');
    write(worktree.path, { 'a.txt': textWith({ 1: 'agent' }), 'made.txt': 'made\n' });
    await commitAll(worktrees, worktree, 'Agent’s work');
    assert.ok(here.hooks().includes('pre-commit'));
    assert.equal(git(worktree.path, 'log', '-1', '--format=%s').trim(), 'Agent’s work');
    git(root, 'commit', '-q', '-m', 'user', '--', 'b.txt');
    assert.deepEqual(await mergeIntoMain(worktrees, repository, worktree), { commits: 1 });
    assert.ok(here.hooks().includes('post-merge'));
    assert.equal(readFileSync(path.join(root, 'made.txt'), 'utf8'), 'made\n');
    assert.equal(readFileSync(path.join(root, 'new.txt'), 'utf8'), 'untracked\n');

    const second = await here.create('agent/second');
    write(second.path, { 'a.txt': textWith({ 1: 'second' }) });
    await commitAll(worktrees, second, 'second');
    write(root, { 'a.txt': textWith({ 1: 'user' }) });
    const uncommitted = here.state();
    assert.equal(await codeOf(mergeIntoMain(worktrees, repository, second)), 'git.failed', 'Git keeps what is not committed');
    assert.deepEqual({ ...here.state(), index: '' }, { ...uncommitted, index: '' });
    git(root, 'commit', '-q', '-m', 'user', '--', 'a.txt');
    const committed = here.state();
    assert.equal(await codeOf(mergeIntoMain(worktrees, repository, second)), 'worktree.conflicts');
    assert.deepEqual(here.state(), committed);
  });

  it('are removed with their branch and submodules, after a list of what would be lost', async () => {
    here = await scene();
    const worktree = await here.create();
    const before = here.state(['agent/try']);
    write(worktree.path, { 'made.txt': 'made\n' });
    await commitAll(here.worktrees, worktree, 'made');
    write(worktree.path, { 'more.txt': 'more\n' });
    const { files, commits } = await here.worktrees.losses(here.repository, worktree);
    assert.deepEqual([files, commits], [1, 1]);
    const [main] = await here.worktrees.list(here.repository);
    assert.equal(await codeOf(here.worktrees.remove(here.repository, main!, { branch: true })), 'worktree.is_main');
    await here.worktrees.remove(here.repository, worktree, { branch: true });
    assert.equal(existsSync(worktree.path), false);
    assert.equal((await here.worktrees.list(here.repository)).length, 1);
    assert.deepEqual(here.state(), before);
  });

  it('are listed as gone when their folder was deleted, and can be removed from the list', async () => {
    here = await scene();
    const worktree = await here.create();
    rmSync(worktree.path, { recursive: true });
    const [, gone] = await here.worktrees.list(here.repository);
    assert.equal(gone?.isGone, true);
    assert.equal(await codeOf(here.worktrees.changes(here.repository, gone!)), 'worktree.gone');
    assert.equal(await codeOf(applyToMain(here.worktrees, here.repository, gone!)), 'worktree.gone');
    const { files, commits, unknown } = await here.worktrees.losses(here.repository, gone!);
    assert.deepEqual([files, commits, unknown], [0, 0, []]);
    await here.worktrees.remove(here.repository, gone!, { branch: false });
    assert.equal((await here.worktrees.list(here.repository)).length, 1);
    assert.match(git(here.root, 'branch', '--list', 'agent/try'), /agent\/try/, 'the branch stays');
  });

  it('are compared with their branching point on the main branch when they were made elsewhere', async () => {
    here = await scene({ dirty: false });
    const folder = path.join(here.folder, 'by hand');
    git(here.root, 'worktree', 'add', '-q', '-b', 'hand', folder);
    write(folder, { 'a.txt': textWith({ 3: 'hand' }) });
    git(folder, 'commit', '-q', '-a', '-m', 'hand');
    git(here.root, 'commit', '-q', '--allow-empty', '-m', 'main goes on');
    const worktree = (await here.worktrees.list(here.repository)).find(({ branch }) => branch === 'hand')!;
    const changes = await here.worktrees.changes(here.repository, worktree);
    assert.deepEqual([changes.files.map((each) => each.path), changes.commits, changes.isDirty], [['a.txt'], 1, false]);
    const opened = await here.worktrees.repositoryOf(folder);
    assert.deepEqual([opened.root, opened.opened], [here.root, folder]);
    assert.equal((await here.worktrees.branches(opened)).current, 'hand', 'what is current in the tree that is open');
  });
});
