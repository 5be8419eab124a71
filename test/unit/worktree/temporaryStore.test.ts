/** Comparing and applying without a trace in the repository's object store. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyToMain } from '../../../src/worktree/integrate';
import { failureIn, git, type PlainScene, plainScene, write } from './scene';

describe('the temporary object store', function () {
  this.timeout(60_000);
  let here: PlainScene;
  let temporary: string;
  const before = process.env['TMPDIR'];
  beforeEach(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'store-'));
    process.env['TMPDIR'] = temporary;
  });
  afterEach(() => {
    process.env['TMPDIR'] = before;
    if (before === undefined) {
      delete process.env['TMPDIR'];
    }
    here.dispose();
    rmSync(temporary, { recursive: true });
  });

  const objects = (folder = here.root) => git(folder, 'count-objects', '-v');
  const leftOver = () => readdirSync(temporary).filter((name) => name.startsWith('acp-host'));
  const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, index) => (index * index * 31 + (index >> 7)) & 0xff));

  it('receives new objects of lists, losses and applies, and is deleted', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    const { worktrees, repository, root } = here;
    write(worktree.path, { 'large.bin': noise(5 * 1024 * 1024), 'a.txt': 'agent\n', 'b.txt': 'b\n' });
    write(root, { 'mine.bin': noise(2 * 1024 * 1024) });
    const were = objects();
    const { files } = await worktrees.changes(repository, worktree);
    assert.deepEqual(files, [
      { path: 'a.txt', status: 'modified', added: 1, removed: 1 },
      { path: 'b.txt', status: 'added', added: 1, removed: 0 },
      { path: 'large.bin', status: 'added' },
    ]);
    await worktrees.losses(repository, worktree);
    const applied = await applyToMain(worktrees, repository, worktree);
    assert.deepEqual(
      applied.files.map((file) => file.path),
      ['a.txt', 'b.txt', 'large.bin'],
    );
    assert.deepEqual([objects(), leftOver()], [were, []]);
    assert.equal(git(root, 'hash-object', 'large.bin'), git(worktree.path, 'hash-object', 'large.bin'));
  });

  it('is not needed for the lines of new files', async () => {
    here = await plainScene({ 'was.txt': 'x\n' });
    const { worktree } = await here.create();
    git(worktree.path, 'rm', '-q', '--cached', 'was.txt');
    write(worktree.path, { 'was.txt': 'y\n', 'two.txt': '1\n2', 'empty.txt': '', 'nul.bin': Buffer.from([1, 0, 10]) });
    symlinkSync('a.txt', path.join(worktree.path, 'link'));
    const { files } = await here.worktrees.changes(here.repository, worktree);
    assert.deepEqual(files, [
      { path: 'empty.txt', status: 'added', added: 0, removed: 0 },
      { path: 'link', status: 'added', added: 1, removed: 0 },
      { path: 'nul.bin', status: 'added' },
      { path: 'two.txt', status: 'added', added: 2, removed: 0 },
      { path: 'was.txt', status: 'modified', added: 1, removed: 1 },
    ]);
  });

  it('is deleted when the operation fails', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(here.root, { 'a.txt': 'user\n' });
    write(worktree.path, { 'a.txt': 'agent\n' });
    assert.equal((await failureIn(applyToMain(here.worktrees, here.repository, worktree))).code, 'worktree.conflicts');
    assert.deepEqual(leftOver(), []);
  });

  it('reads the alternates of the repository, and a path with colons and quotes', async () => {
    here = await plainScene({ 'b.txt': 'b\n' });
    const odd = path.join(here.folder, 'odd: "name\\');
    git(here.folder, 'clone', '-q', '--shared', here.root, odd);
    git(odd, 'config', 'user.name', 'Ada');
    git(odd, 'config', 'user.email', 'ada@example.org');
    const repository = await here.worktrees.repositoryOf(odd);
    const options = { branch: 'agent/odd', start: { type: 'current' }, parent: path.join(here.folder, 'trees') } as const;
    const { worktree } = await here.worktrees.create(repository, options);
    write(worktree.path, { 'b.txt': 'agent\n' });
    const were = [objects(odd), objects()];
    assert.deepEqual(
      (await applyToMain(here.worktrees, repository, worktree)).files.map((file) => file.path),
      ['b.txt'],
    );
    assert.deepEqual([objects(odd), objects()], were);
  });

  it('follows a rename in the main tree to the file’s unstaged content', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    here = await plainScene({ 'old.txt': lines.join('') });
    const { worktree } = await here.create();
    git(here.root, 'mv', 'old.txt', 'new.txt');
    git(here.root, 'commit', '-q', '-m', 'rename');
    write(here.root, { 'new.txt': lines.join('').replace('line 19', 'user') });
    write(worktree.path, { 'old.txt': lines.join('').replace('line 0\n', 'agent\n') });
    const { files } = await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual(files, [{ path: 'new.txt', status: 'modified', added: 1, removed: 1 }]);
    assert.match(git(here.root, 'diff'), /-line 0\n\+agent[^]*-line 19\n\+user/);
  });

  it('applies a tracked folder that became a link, and files whose names are patterns', async () => {
    here = await plainScene({ 'dir/x': 'x\n' });
    const { worktree } = await here.create();
    rmSync(path.join(worktree.path, 'dir'), { recursive: true });
    mkdirSync(path.join(worktree.path, 'real'));
    writeFileSync(path.join(worktree.path, 'real/x'), 'x\n');
    write(worktree.path, { dir: 'now a file\n', '*.txt': 'star\n', ':(top)': 'magic\n' });
    const { files } = await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual(
      files.map((file) => `${file.status} ${file.path}`),
      ['added *.txt', 'added :(top)', 'added dir', 'deleted dir/x', 'added real/x'],
    );
    assert.ok(existsSync(path.join(here.root, ':(top)')));
    assert.equal(git(here.root, 'show', ':a.txt'), 'a\n');
  });

  it('leaves no part of a split index in the repository', async () => {
    here = await plainScene();
    git(here.root, 'config', 'core.splitIndex', 'true');
    const { worktree } = await here.create();
    git(here.root, 'update-index', '--refresh');
    write(worktree.path, { 'a.txt': 'agent\n', ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`new ${index}`, 'new'])) });
    const names = () => readdirSync(path.join(here.root, '.git'), { recursive: true }).map(String).sort();
    const before = names();
    await here.worktrees.changes(here.repository, worktree);
    await here.worktrees.losses(here.repository, worktree);
    await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual(names(), before);
  });
});
