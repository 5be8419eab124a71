/** Removing worktrees deletes only the chosen one, and nothing that the user did not agree to. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commit, failureIn, git, type PlainScene, plainScene, write } from './scene';

describe('removing a worktree', function () {
  this.timeout(60_000);
  let here: PlainScene;
  afterEach(() => here.dispose());

  const gone = async (folder: string) => {
    const found = (await here.worktrees.list(here.repository)).find((each) => each.path === folder)!;
    assert.equal(found.isGone, true);
    return found;
  };

  it('keeps commits of its submodules in the main copy, under a ref that garbage collection respects', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    const made = commit(core, 'agent');
    commit(worktree.path, 'bump');
    git(core, 'checkout', '-q', 'HEAD~1');
    await here.worktrees.remove(here.repository, worktree, { branch: true });
    const main = path.join(here.root, 'core');
    git(main, 'gc', '-q', '--prune=now');
    assert.equal(git(main, 'cat-file', '-t', made).trim(), 'commit');
    assert.equal(git(main, 'for-each-ref', '--format=%(refname)', 'refs/acp-host').trim(), `refs/acp-host/kept/${made}`);
  });

  it('stops when the commits of a submodule cannot be copied', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    commit(core, 'agent');
    writeFileSync(path.join(here.root, '.git/modules/core/refs/acp-host'), 'a file in the place of the refs');
    const failure = await failureIn(here.worktrees.remove(here.repository, worktree, { branch: false }));
    assert.deepEqual(failure, { code: 'worktree.submodule_commits', path: 'core' });
    assert.ok(existsSync(path.join(core, 'in.txt')));
  });

  it('stops when something was added after the question', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'one.txt': '1' });
    const { worktrees, repository } = here;
    const agreed = await worktrees.losses(repository, worktree);
    for (const [name, text] of [
      ['two.txt', '2'],
      ['.env', 'SECRET'],
      ['one.txt', 'more'],
    ] as const) {
      write(worktree.path, { [name]: text });
      const failure = await failureIn(worktrees.remove(repository, worktree, { branch: true, expected: agreed }));
      assert.equal(failure.code, 'worktree.changed_meanwhile', name);
      if (name !== 'one.txt') {
        rmSync(path.join(worktree.path, name));
      }
    }
    assert.ok(existsSync(path.join(worktree.path, 'one.txt')));
    const now = await worktrees.losses(repository, worktree);
    await worktrees.remove(repository, worktree, { branch: true, expected: now });
    assert.equal(existsSync(worktree.path), false);
  });

  it('removes a deleted worktree from the list and keeps another that is on a disconnected disk', async () => {
    here = await plainScene();
    const one = (await here.create('agent/one')).worktree.path;
    const two = (await here.create('agent/two')).worktree.path;
    git(two, 'checkout', '-q', '--detach');
    write(two, { 'd.txt': 'd' });
    commit(two, 'detached');
    write(two, { 'staged.txt': 's' });
    git(two, 'add', 'staged.txt');
    rmSync(one, { recursive: true });
    renameSync(two, `${two}.away`);
    await here.worktrees.remove(here.repository, await gone(one), { branch: false });
    renameSync(`${two}.away`, two);
    assert.equal(git(two, 'status', '--porcelain'), 'A  staged.txt\n');
    assert.deepEqual(
      (await here.worktrees.list(here.repository)).map((each) => each.path),
      [here.root, two],
    );
  });

  it('keeps the commits of a deleted worktree with a detached HEAD', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(worktree.path, 'checkout', '-q', '--detach');
    write(worktree.path, { 'd.txt': 'd' });
    const made = commit(worktree.path, 'detached');
    rmSync(worktree.path, { recursive: true });
    await here.worktrees.remove(here.repository, await gone(worktree.path), { branch: false });
    assert.equal(git(here.root, 'rev-parse', `refs/acp-host/kept/${made}`).trim(), made);
  });

  it('refuses a locked worktree, even a deleted one', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(here.root, 'worktree', 'lock', worktree.path);
    const remove = () => failureIn(here.worktrees.remove(here.repository, worktree, { branch: true }));
    assert.equal((await remove()).code, 'worktree.locked');
    renameSync(worktree.path, `${worktree.path}.away`);
    assert.equal((await remove()).code, 'worktree.locked');
    renameSync(`${worktree.path}.away`, worktree.path);
    assert.match(git(here.root, 'branch', '--list', 'agent/try'), /agent\/try/);
  });

  it('can keep the files, repositories and commits that would be lost', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(worktree.path, 'checkout', '-q', '--detach');
    git(worktree.path, 'commit', '-q', '--allow-empty', '-m', 'detached');
    write(worktree.path, { 'a.txt': 'staged', '.env': 'SECRET', 'build/o': 'o', 'dir/new.txt': 'new' });
    git(worktree.path, 'add', 'a.txt');
    write(worktree.path, { 'a.txt': 'edited' });
    git(worktree.path, 'init', '-q', 'nested');
    write(worktree.path, { 'nested/n.txt': 'n' });
    const nested = commit(path.join(worktree.path, 'nested'));
    const [, now] = await here.worktrees.list(here.repository);
    const losses = await here.worktrees.losses(here.repository, now!);
    const target = path.join(here.folder, 'kept', 'files');
    await here.worktrees.keep(here.repository, now!, losses, target);
    await here.worktrees.remove(here.repository, now!, { branch: false, expected: losses });
    const read = (name: string) => readFileSync(path.join(target, name), 'utf8');
    assert.deepEqual(['a.txt', 'staged versions/a.txt', '.env', 'build/o', 'dir/new.txt', 'nested/n.txt'].map(read), [
      'edited',
      'staged',
      'SECRET',
      'o',
      'new',
      'n',
    ]);
    assert.equal(git(path.join(target, 'nested'), 'rev-parse', 'HEAD').trim(), nested);
    assert.equal(git(here.root, 'log', '-1', '--format=%s', `refs/acp-host/kept/${now!.head}`).trim(), 'detached');
  });

  it('can keep the files of submodules', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'committed\n' });
    commit(core);
    write(core, { 'in.txt': 'edited\n', 'new.txt': 'n' });
    const losses = await here.worktrees.losses(here.repository, worktree);
    assert.deepEqual([losses.uncommitted, losses.untracked], [['core', 'core/in.txt'], ['core/new.txt']]);
    const target = path.join(here.folder, 'kept');
    await here.worktrees.keep(here.repository, worktree, losses, target);
    await here.worktrees.remove(here.repository, worktree, { branch: false, expected: losses });
    assert.deepEqual(readdirSync(path.join(target, 'core')).sort(), ['in.txt', 'new.txt']);
    assert.equal(readFileSync(path.join(target, 'core/in.txt'), 'utf8'), 'edited\n');
  });

  it('keeps and removes nothing when a part could not be read, or the target is inside the worktree', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { '.env': 'SECRET' });
    const losses = await here.worktrees.losses(here.repository, worktree);
    const keep = (found: typeof losses, target: string) => failureIn(here.worktrees.keep(here.repository, worktree, found, target));
    assert.equal((await keep(losses, path.join(worktree.path, 'kept'))).code, 'worktree.not_kept');
    const unknown = [{ path: '', what: 'files', detail: 'damaged' }] as const;
    assert.equal((await keep({ ...losses, unknown }, path.join(here.folder, 'kept'))).code, 'worktree.not_kept');
    write(path.join(here.folder, 'taken'), { '.env': 'another' });
    assert.equal((await keep(losses, path.join(here.folder, 'taken'))).code, 'worktree.not_kept');
    assert.deepEqual(readdirSync(path.join(here.folder, 'taken')), ['.env']);
  });

  it('compares the agreement with the present worktree, even if the list is older', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'made.txt': '1' });
    git(worktree.path, 'checkout', '-q', '-b', 'agent/next');
    commit(worktree.path);
    const agreed = await here.worktrees.losses(here.repository, worktree);
    assert.equal(agreed.commits, 1);
    await here.worktrees.remove(here.repository, worktree, { branch: false, expected: agreed });
    assert.equal(existsSync(worktree.path), false);
  });

  it('can keep the staged versions of files in submodules', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'staged\n' });
    git(core, 'add', 'in.txt');
    write(core, { 'in.txt': 'edited\n' });
    const target = path.join(here.folder, 'kept');
    await here.worktrees.keep(here.repository, worktree, await here.worktrees.losses(here.repository, worktree), target);
    assert.equal(readFileSync(path.join(target, 'core/in.txt'), 'utf8'), 'edited\n');
    assert.equal(readFileSync(path.join(target, 'staged versions/core/in.txt'), 'utf8'), 'staged\n');
  });
});
