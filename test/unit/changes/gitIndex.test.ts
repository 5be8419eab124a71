/** The index of a repository, read from its file and as git lists it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RunGit } from '../../../src/changes/disk/git';
import { repositoryOf } from '../../../src/changes/disk/git';
import { GitIndex, type IndexEntry } from '../../../src/changes/disk/gitIndex';
import { run, Workspace } from '../../support/changes/workspace';

describe('the index of a repository', () => {
  let workspace: Workspace;
  let listings: number;
  beforeEach(() => {
    workspace = new Workspace(true);
    listings = 0;
    for (const name of ['a.txt', 'd/a.txt', 'd/deep/b.txt', 'd/deep/ü b.txt', 'd.txt', `long/${'n'.repeat(200)}/${'m'.repeat(200)}`]) {
      workspace.write(name, `${name}\n`);
    }
    workspace.commit();
    workspace.git('update-index', '--assume-unchanged', 'd/a.txt');
  });
  afterEach(() => workspace.dispose());

  const counting: RunGit = (cwd, args, input) => {
    listings += args.includes('--debug') ? 1 : 0;
    return run(cwd, args, input);
  };

  async function entries(folder = workspace.folder): Promise<{ readonly read: IndexEntry[]; readonly listed: IndexEntry[] }> {
    const repository = (await repositoryOf(run, folder))!;
    const listed = await GitIndex.of(run, folder, { ...repository, gitDir: undefined });
    const read = await GitIndex.of(counting, folder, repository);
    assert.ok(read && listed);
    assert.deepEqual(await read.unwatched(5), await listed.unwatched(5));
    assert.deepEqual(await read.all(2), await listed.all(2));
    const paths = new Set(['d/a.txt', 'd.txt', 'd/deep/ü b.txt', 'none.txt']);
    assert.deepEqual(await read.find(paths), await listed.find(paths));
    return { read: await read.all(), listed: await listed.all() };
  }

  async function expectSame(folder?: string): Promise<IndexEntry[]> {
    const { read, listed } = await entries(folder);
    assert.deepEqual(read, listed);
    return read;
  }

  const variants: readonly (readonly [string, () => void])[] = [
    ['with one version of each file', () => undefined],
    ['with files that are skipped in the working tree', () => workspace.git('update-index', '--skip-worktree', 'a.txt', 'd/deep/b.txt')],
    ['with compressed names', () => workspace.git('update-index', '--index-version', '4')],
    [
      'with compressed names and skipped files',
      () => {
        workspace.git('update-index', '--index-version', '4');
        workspace.git('update-index', '--skip-worktree', 'a.txt');
      },
    ],
    [
      'with an unmerged file',
      () => {
        const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: workspace.folder, input: 'x' }).toString().trim();
        const lines = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tconflict.txt\n`).join('');
        execFileSync('git', ['update-index', '--index-info'], { cwd: workspace.folder, input: lines });
      },
    ],
    ['with a file that is only announced', () => (workspace.write('new.txt', 'new\n'), workspace.git('add', '-N', 'new.txt'))],
    ['with a name of 5000 bytes', () => addNamed('p/'.repeat(2500) + 'x')],
    [
      'with a name of 5000 bytes, compressed',
      () => (workspace.git('update-index', '--index-version', '4'), addNamed('p/'.repeat(2500) + 'x')),
    ],
    ['without files', () => workspace.git('rm', '-q', '-r', '--cached', '.')],
  ];
  for (const [what, prepare] of variants) {
    it(`is read without a process ${what}`, async () => {
      prepare();
      const all = await expectSame();
      assert.equal(listings, 0);
      assert.equal(all.length === 0, what === 'without files');
    });
  }

  function addNamed(name: string): void {
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: workspace.folder, input: 'x' }).toString().trim();
    execFileSync('git', ['update-index', '--index-info'], { cwd: workspace.folder, input: `100644 ${blob} 0\t${name}\n` });
  }

  it('has only the files below the folder of a session', async () => {
    const found = await expectSame(workspace.at('d'));
    assert.deepEqual(
      found.map(({ path }) => path),
      ['d/a.txt', 'd/deep/b.txt', 'd/deep/ü b.txt'],
    );
    assert.equal(listings, 0);
  });

  it('is listed by git when the file is split or sparse', async () => {
    workspace.git('config', 'core.splitIndex', 'true');
    workspace.git('update-index', '--split-index');
    await expectSame();
    assert.equal(listings, 1);
    workspace.git('update-index', '--no-split-index');
    workspace.git('config', 'core.splitIndex', 'false');
    workspace.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'd');
    await expectSame();
    assert.equal(listings, 2);
  });

  it('is listed by git in a repository with SHA-256', async () => {
    rmSync(workspace.at('.git'), { recursive: true });
    workspace.git('init', '-q', '--object-format=sha256');
    workspace.git('add', '-A');
    const [entry] = await expectSame();
    assert.equal(entry?.oid.length, 64);
    assert.equal(listings, 1);
  });

  it('is read with a checksum of zeros, which git writes on request', async () => {
    const bytes = readFileSync(workspace.at('.git/index'));
    bytes.fill(0, bytes.length - 20);
    writeFileSync(workspace.at('.git/index'), bytes);
    await expectSame();
    assert.equal(listings, 0);
  });

  it('is unknown when the file is damaged at any byte', async () => {
    const file = workspace.at('.git/index');
    const whole = readFileSync(file);
    const repository = (await repositoryOf(run, workspace.folder))!;
    const nothing: RunGit = () => Promise.resolve(undefined);
    for (let at = 0; at < whole.length; at += 17) {
      const damaged = Buffer.from(whole);
      damaged[at] = damaged[at]! ^ 0x15;
      writeFileSync(file, damaged);
      assert.equal(await GitIndex.of(nothing, workspace.folder, repository), undefined, `byte ${at}`);
      writeFileSync(file, whole.subarray(0, at));
      assert.equal(await GitIndex.of(nothing, workspace.folder, repository), undefined, `length ${at}`);
    }
  });

  it('does not wait for a pipe in the place of the file', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    renameSync(workspace.at('.git/index'), workspace.at('.git/index.old'));
    execFileSync('mkfifo', [workspace.at('.git/index')]);
    const repository = { top: workspace.folder, gitDir: workspace.at('.git') };
    assert.equal(await GitIndex.of(() => Promise.resolve(undefined), workspace.folder, repository), undefined);
  });
});
