/** Applying and merging next to files of the main tree that Git does not protect. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { applyToMain, commitAll, mergeIntoMain } from '../../../src/worktree/integrate';
import type { Worktree } from '../../../src/worktree/worktrees';
import { commit, failureIn, git, type PlainScene, plainScene, write } from './scene';

describe('applying and merging', function () {
  this.timeout(60_000);
  let here: PlainScene;
  afterEach(() => here.dispose());

  const apply = (worktree: Worktree) => failureIn(applyToMain(here.worktrees, here.repository, worktree));
  const merge = (worktree: Worktree) => failureIn(mergeIntoMain(here.worktrees, here.repository, worktree));
  const read = (name: string) => readFileSync(path.join(here.root, name), 'utf8');
  /** Asserts that both operations refuse, name these files, and change nothing. */
  const refuseBoth = async (worktree: Worktree, files: string) => {
    git(worktree.path, 'add', '--all', '--force');
    const before = git(here.root, 'status', '--porcelain', '--ignored');
    assert.deepEqual(await apply(worktree), { code: 'worktree.in_the_way', files });
    git(worktree.path, '-c', 'user.name=Ada', 'commit', '-q', '-m', 'agent');
    assert.deepEqual(await merge(worktree), { code: 'worktree.in_the_way', files });
    assert.equal(git(here.root, 'status', '--porcelain', '--ignored'), before);
  };

  it('overwrite no ignored or untracked file', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(here.root, { 'local.cfg': 'only copy', 'new.txt': 'user' });
    write(worktree.path, { 'local.cfg': 'agent', 'new.txt': 'agent', 'fine.txt': 'agent' });
    await refuseBoth(worktree, 'local.cfg, new.txt');
    assert.deepEqual([read('local.cfg'), read('new.txt')], ['only copy', 'user']);
  });

  it('replace no folder with ignored files by a file, and no file by a folder', async () => {
    here = await plainScene({ 'dir/tracked.txt': 't' });
    const { worktree } = await here.create();
    write(here.root, { 'dir/.env': 'SECRET', 'build/o': 'o', 'local.cfg': 'only copy' });
    rmSync(path.join(worktree.path, 'dir'), { recursive: true });
    write(worktree.path, { dir: 'a file', build: 'a file', 'local.cfg/inside.txt': 'agent' });
    await refuseBoth(worktree, 'build/o, dir/.env, local.cfg');
    assert.deepEqual([read('dir/.env'), read('build/o'), read('local.cfg')], ['SECRET', 'o', 'only copy']);
  });

  it('write nothing through a symbolic link', async () => {
    here = await plainScene({ 'conf/key': 'k' });
    const { worktree } = await here.create();
    const outside = path.join(here.folder, 'outside');
    write(outside, { key: 'k' });
    rmSync(path.join(here.root, 'conf'), { recursive: true });
    symlinkSync(outside, path.join(here.root, 'conf'));
    write(worktree.path, { 'conf/key': 'agent', 'conf/new': 'agent' });
    await refuseBoth(worktree, 'conf');
    assert.deepEqual(readdirSync(outside), ['key']);
    assert.equal(readFileSync(path.join(outside, 'key'), 'utf8'), 'k');
  });

  it('write no file in place of a dangling link', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    symlinkSync(path.join(here.folder, 'nowhere'), path.join(here.root, 'dangling'));
    write(worktree.path, { dangling: 'agent' });
    await refuseBoth(worktree, 'dangling');
    assert.equal(lstatSync(path.join(here.root, 'dangling')).isSymbolicLink(), true);
  });

  it('add no file whose name differs only in case from an untracked one', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(here.root, { 'Notes.TXT': 'user' });
    write(worktree.path, { 'notes.txt': 'agent' });
    await refuseBoth(worktree, 'Notes.TXT');
  });

  it('add no two files that are the same on a volume that ignores case', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'notes.txt': 'agent', 'NOTES.txt': 'agent' });
    git(worktree.path, 'add', '--all');
    git(here.root, 'config', 'core.ignorecase', 'true');
    assert.deepEqual(await apply(worktree), { code: 'worktree.in_the_way', files: 'notes.txt' });
  });

  it('keep local content of files that Git is configured not to compare', async () => {
    here = await plainScene({ conf: '1\n2\n3\n4\n5\n6\n7\n8\n', other: 'o\n' });
    const { worktree } = await here.create();
    git(here.root, 'update-index', '--skip-worktree', 'conf');
    git(here.root, 'update-index', '--assume-unchanged', 'other');
    write(here.root, { conf: 'local secret\n2\n3\n4\n5\n6\n7\n8\n', other: 'local\n' });
    write(worktree.path, { conf: '1\n2\n3\n4\n5\n6\n7\nagent\n' });
    rmSync(path.join(worktree.path, 'other'));
    git(worktree.path, 'add', '--all');
    assert.equal((await apply(worktree)).code, 'worktree.conflicts', 'deleted here, changed there');
    commit(worktree.path);
    assert.deepEqual(await merge(worktree), { code: 'worktree.in_the_way', files: 'conf, other' });
    assert.match(read('conf'), /^local secret/);
    assert.equal(read('other'), 'local\n');
    write(worktree.path, { other: 'o\n' });
    assert.deepEqual(await apply(worktree), { code: 'worktree.in_the_way', files: 'conf' });
  });

  it('put no file in place of a submodule with files', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    write(here.root, { 'core/only copy.txt': 'user' });
    git(worktree.path, 'rm', '-q', '--cached', 'core');
    rmSync(path.join(worktree.path, 'core'), { recursive: true });
    write(worktree.path, { core: 'a file' });
    commit(worktree.path);
    const { code, files } = await merge(worktree);
    assert.equal(code, 'worktree.in_the_way');
    assert.match(String(files), /core\/only copy\.txt/);
    assert.equal(read('core/only copy.txt'), 'user');
    assert.equal((await apply(worktree)).code, 'worktree.only_submodules');
  });

  it('stop at an ignored file whose name is not UTF-8', async function () {
    here = await plainScene();
    if (process.platform !== 'linux') {
      this.skip(); // Other systems have no such names.
    }
    const { worktree } = await here.create();
    const name = (folder: string) => Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]);
    writeFileSync(name(worktree.path), 'agent');
    assert.equal((await apply(worktree)).code, 'worktree.file_names');
    commit(worktree.path);
    writeFileSync(path.join(here.root, '.git/info/exclude'), 'caf*\n');
    writeFileSync(name(here.root), 'only copy');
    assert.equal((await merge(worktree)).code, 'worktree.file_names');
    assert.equal(readFileSync(name(here.root), 'utf8'), 'only copy');
  });

  it('revert written files when a filter fails halfway', async () => {
    here = await plainScene({ 'gone.txt': 'g\n' });
    const { worktree } = await here.create();
    write(worktree.path, { 'a.txt': 'agent\n', 'b.txt': 'agent\n', 'z.bad': 'z\n', '.gitattributes': '*.bad filter=bad\n' });
    rmSync(path.join(worktree.path, 'gone.txt'));
    chmodSync(path.join(here.root, 'a.txt'), 0o755);
    git(here.root, 'config', 'core.fileMode', 'false');
    git(here.root, 'config', 'filter.bad.clean', 'cat');
    git(here.root, 'config', 'filter.bad.smudge', 'false');
    git(here.root, 'config', 'filter.bad.required', 'true');
    write(here.root, { '.gitattributes': '*.bad filter=bad\n' });
    const before = readdirSync(here.root).sort();
    assert.equal((await apply(worktree)).code, 'worktree.not_applied');
    assert.deepEqual([read('a.txt'), read('gone.txt')], ['a\n', 'g\n']);
    assert.deepEqual(readdirSync(here.root).sort(), before);
    assert.equal(lstatSync(path.join(here.root, 'a.txt')).mode & 0o777, 0o755);
  });

  it('name every path before anything changes, and stop when the user cancels', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { '.vscode/tasks.json': '{}', 'b.txt': 'b' });
    git(worktree.path, 'init', '-q', 'nested');
    write(worktree.path, { 'nested/n.txt': 'n' });
    commit(path.join(worktree.path, 'nested'));
    const seen: string[][] = [];
    const review = async (paths: readonly string[]) => {
      seen.push([...paths]);
      return false;
    };
    assert.equal((await failureIn(applyToMain(here.worktrees, here.repository, worktree, { review }))).code, 'request.cancelled');
    await commitAll(here.worktrees, worktree, 'all');
    assert.equal((await failureIn(mergeIntoMain(here.worktrees, here.repository, worktree, { review }))).code, 'request.cancelled');
    assert.deepEqual(seen, [
      ['.vscode/tasks.json', 'b.txt', 'nested/.git'],
      ['.vscode/tasks.json', 'b.txt'],
    ]);
    assert.equal(git(here.root, 'status', '--porcelain'), '');
  });

  it("do not abort the user's merge", async () => {
    here = await plainScene();
    git(here.root, 'checkout', '-q', '-b', 'side');
    write(here.root, { 'a.txt': 'side\n' });
    commit(here.root);
    git(here.root, 'checkout', '-q', 'main');
    write(here.root, { 'a.txt': 'main\n' });
    commit(here.root);
    const { worktree } = await here.create();
    write(worktree.path, { 'b.txt': 'b' });
    commit(worktree.path);
    assert.throws(() => git(here.root, 'merge', 'side'));
    write(here.root, { 'a.txt': 'half resolved\n' });
    assert.equal((await merge(worktree)).code, 'worktree.main_busy');
    assert.equal(read('a.txt'), 'half resolved\n');
  });

  it('merge no commit of a submodule that only the worktree has', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(worktree.path, 'init', '-q', 'fresh');
    write(worktree.path, { 'fresh/x': 'x' });
    commit(path.join(worktree.path, 'fresh'));
    commit(worktree.path, 'with a repository that is no submodule');
    assert.deepEqual(await merge(worktree), { code: 'worktree.submodule_commits', path: 'fresh' });
    assert.deepEqual(readdirSync(here.root).sort(), ['.git', '.gitignore', 'a.txt']);
  });

  it('merge the commit that the question named, not a later one', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'shown.txt': 'agent\n' });
    const shown = commit(worktree.path);
    write(here.root, { 'user.txt': 'user\n' });
    commit(here.root);
    await mergeIntoMain(here.worktrees, here.repository, worktree, {
      review: async () => {
        write(worktree.path, { '.vscode/tasks.json': '{}' });
        return commit(worktree.path) !== '';
      },
    });
    assert.equal(git(here.root, 'rev-parse', 'HEAD^2').trim(), shown);
    assert.equal(existsSync(path.join(here.root, '.vscode')), false);
    assert.equal(git(here.root, 'log', '-1', '--format=%s').trim(), "Merge branch 'agent/try'");
  });
});
