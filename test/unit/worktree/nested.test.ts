/** Repositories inside a worktree that are not submodules, and commits of submodules. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { applyToMain, commitAll, mergeIntoMain } from '../../../src/worktree/integrate';
import { commit, failureIn, git, type PlainScene, plainScene, write } from './scene';

describe('repositories inside a worktree', function () {
  this.timeout(60_000);
  let here: PlainScene;
  afterEach(() => here.dispose());

  it('are applied as a whole, with their history and uncommitted files', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(worktree.path, 'init', '-q', 'packages/nested');
    write(worktree.path, { 'packages/nested/n.txt': 'n', 'b.txt': 'b' });
    const head = commit(path.join(worktree.path, 'packages/nested'));
    write(worktree.path, { 'packages/nested/later.txt': 'l' });
    const { files, nested, nestedLeft } = await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual([files.map((file) => file.path), nested, nestedLeft], [['b.txt'], ['packages/nested'], []]);
    const copy = path.join(here.root, 'packages/nested');
    assert.equal(git(copy, 'rev-parse', 'HEAD').trim(), head);
    assert.equal(git(copy, 'status', '--porcelain'), '?? later.txt\n');
    assert.deepEqual(
      readdirSync(here.root).filter((name) => name.startsWith('.acp-host')),
      [],
    );
  });

  it('are listed when something is in their place or their Git folder is elsewhere', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    for (const name of ['one', 'two']) {
      git(worktree.path, 'init', '-q', name);
      write(worktree.path, { [`${name}/n.txt`]: 'n' });
      commit(path.join(worktree.path, name));
    }
    write(here.root, { 'one/mine.txt': 'mine' });
    git(path.join(worktree.path, 'two'), 'init', '-q', `--separate-git-dir=${path.join(here.folder, 'elsewhere')}`);
    assert.deepEqual(await failureIn(applyToMain(here.worktrees, here.repository, worktree)), {
      code: 'worktree.nested_left',
      files: 'one, two',
    });
    write(worktree.path, { 'b.txt': 'b' });
    const { nested, nestedLeft } = await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual([nested, nestedLeft], [[], ['one', 'two']]);
    assert.deepEqual([readdirSync(path.join(here.root, 'one')), existsSync(path.join(here.root, 'two'))], [['mine.txt'], false]);
  });

  it('are not committed with the other files, and are listed', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(worktree.path, 'init', '-q', 'nested');
    write(worktree.path, { 'nested/n.txt': 'n', 'b.txt': 'b' });
    commit(path.join(worktree.path, 'nested'));
    assert.deepEqual(await commitAll(here.worktrees, worktree, 'all'), ['nested']);
    assert.equal(git(worktree.path, 'ls-tree', '--name-only', 'HEAD'), '.gitignore\na.txt\nb.txt\n');
    assert.deepEqual(await commitAll(here.worktrees, worktree, 'nothing more'), ['nested']);
  });

  it('have their commits in the main copy before a merge or an apply', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    const first = commit(core, 'first');
    write(worktree.path, { 'b.txt': 'b' });
    assert.deepEqual((await applyToMain(here.worktrees, here.repository, worktree)).submodules, ['core']);
    assert.equal(git(path.join(here.root, 'core'), 'cat-file', '-t', first).trim(), 'commit');
    rmSync(path.join(here.root, 'b.txt'));
    write(core, { 'in.txt': 'more\n' });
    commit(core, 'second');
    commit(worktree.path, 'bump');
    await mergeIntoMain(here.worktrees, here.repository, worktree);
    await here.worktrees.remove(here.repository, worktree, { branch: true });
    git(here.root, 'submodule', 'update');
    assert.equal(readFileSync(path.join(here.root, 'core/in.txt'), 'utf8'), 'more\n');
  });

  it('get a main copy when the worktree has added a submodule with its own commits', async () => {
    here = await plainScene();
    here.addSubmodule('known');
    const library = path.join(here.folder, 'library known');
    const { worktree } = await here.create();
    const fresh = path.join(worktree.path, 'libs/fresh');
    git(worktree.path, 'submodule', '--quiet', 'add', library, 'libs/fresh');
    git(fresh, 'submodule', '--quiet', 'add', library, 'deep');
    write(path.join(fresh, 'deep'), { 'in.txt': 'agent\n' });
    const deep = commit(path.join(fresh, 'deep'), 'deep');
    const made = commit(fresh, 'agent');
    commit(worktree.path, 'add a submodule');
    const { commitsIn } = await here.worktrees.losses(here.repository, worktree);
    assert.deepEqual(
      commitsIn.flatMap((each) => (each.path === '' ? [] : [[each.path, each.isKept]])),
      [
        ['libs/fresh', true],
        ['libs/fresh/modules/deep', true],
      ],
    );
    await mergeIntoMain(here.worktrees, here.repository, worktree);
    await here.worktrees.remove(here.repository, worktree, { branch: true });
    git(here.root, 'submodule', 'update', '--init', '--recursive');
    const there = path.join(here.root, 'libs/fresh');
    assert.deepEqual([git(there, 'rev-parse', 'HEAD').trim(), git(path.join(there, 'deep'), 'rev-parse', 'HEAD').trim()], [made, deep]);
    assert.equal(git(there, 'remote', 'get-url', 'origin').trim(), library);
  });

  it('stop an apply and a merge when their commits cannot be copied', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    commit(core, 'agent');
    write(worktree.path, { 'b.txt': 'b' });
    commit(worktree.path, 'bump');
    writeFileSync(path.join(here.root, '.git/modules/core/refs/acp-host'), 'in the place of the refs');
    const expected = { code: 'worktree.submodule_commits', path: 'core' };
    assert.deepEqual(await failureIn(applyToMain(here.worktrees, here.repository, worktree)), expected);
    assert.deepEqual(await failureIn(mergeIntoMain(here.worktrees, here.repository, worktree)), expected);
    assert.equal(existsSync(path.join(here.root, 'b.txt')), false);
  });
});
