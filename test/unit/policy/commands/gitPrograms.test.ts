/** Repositories whose own files let git run programs. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { linkedRepositories } from '../../../../src/policy/commands/gitLinks';
import { runsPrograms } from '../../../../src/policy/commands/gitPrograms';

const git = (cwd: string, ...args: readonly string[]): void => {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, env, stdio: 'ignore' });
};

describe('programs of a repository', function () {
  this.timeout(30_000);
  let folder: string;
  let config: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'git-programs-')));
    git(folder, 'init', '-q');
    config = path.join(folder, '.git/config');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('do not exist in a new repository, in a folder of it and in a folder without one', async () => {
    mkdirSync(path.join(folder, 'a/b'), { recursive: true });
    assert.equal(await runsPrograms(folder), false);
    assert.equal(await runsPrograms(path.join(folder, 'a/b')), false);
    assert.equal(await runsPrograms('/'), false);
  });

  it('are possible where the folder is not known', async () => assert.equal(await runsPrograms(undefined), true));

  for (const text of [
    '[core]\n\tfsmonitor = /tmp/x',
    '[core]\n\tFSMonitor=/tmp/x',
    '[core] hooksPath = /tmp/x',
    '[core]\n\tpager = x',
    '[core]\n\tsshCommand = x',
    '[core]\n\teditor = x',
    '[diff "a"]\n\ttextconv = x',
    '[diff]\n\texternal = x',
    '[filter "a"]\n\tsmudge = x',
    '[alias]\n\tst = !x',
    '[include]\n\tpath = /tmp/x',
    '[includeIf "gitdir:/"]\n\tpath = /tmp/x',
    '[pager]\n\tlog = x',
    '[protocol "ext"]\n\tallow = always',
    '[remote "a"]\n\tuploadpack = x',
    '[remote "a"]\n\tvcs = x',
    '[submodule "a"]\n\tupdate = !x',
    '[gpg]\n\tprogram = x',
    '[credential]\n\thelper = x',
    '[merge "a"]\n\tdriver = x',
    '[core]\n\tworktree = /',
  ]) {
    it(`are found in ${JSON.stringify(text)}`, async () => {
      appendFileSync(config, `${text}\n`);
      assert.equal(await runsPrograms(folder, true), true);
    });
  }

  it('are found in the configuration of a worktree, of its repository and of a nested one', async () => {
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(folder, 'worktree', 'add', '-q', 'tree');
    const tree = path.join(folder, 'tree');
    assert.equal(await runsPrograms(tree), false);
    appendFileSync(config, '[core]\n\tfsmonitor = /tmp/x\n');
    assert.equal(await runsPrograms(tree), true);
    const nested = path.join(tree, 'nested');
    mkdirSync(nested);
    git(nested, 'init', '-q');
    assert.equal(await runsPrograms(nested), false);
  });

  it('are found in a folder that is a repository by itself', async () => {
    const bare = path.join(folder, 'bare');
    mkdirSync(bare);
    git(bare, 'init', '-q', '--bare');
    assert.equal(await runsPrograms(bare), false);
    appendFileSync(path.join(bare, 'config'), '[core]\n\tfsmonitor = /tmp/x\n');
    assert.equal(await runsPrograms(bare), true);
  });

  it('are the hooks, of which commands that only read run one', async () => {
    const hooks = path.join(folder, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(path.join(hooks, 'pre-commit'), '#!/bin/sh\n');
    chmodSync(path.join(hooks, 'pre-commit'), 0o755);
    assert.equal(await runsPrograms(folder), true);
    assert.equal(await runsPrograms(folder, true), false);
    writeFileSync(path.join(hooks, 'post-index-change'), '#!/bin/sh\n');
    assert.equal(await runsPrograms(folder, true), true);
  });

  it('are possible where a configuration cannot be read', async () => {
    rmSync(config);
    mkdirSync(config);
    assert.equal(await runsPrograms(folder), true);
    writeFileSync(path.join(folder, 'x'), '');
  });

  it('are possible where the link to the repository is broken', async () => {
    const linked = path.join(folder, 'linked');
    mkdirSync(linked);
    writeFileSync(path.join(linked, '.git'), 'no link\n');
    assert.equal(await runsPrograms(linked), true);
  });

  it('are found behind several names of sections', async () => {
    for (const text of ['[user][core]fsmonitor = /tmp/x\n', '[a "]"][core] fsmonitor = /tmp/x\n', '[user] [alias] st = !x\n']) {
      writeFileSync(config, text);
      assert.equal(await runsPrograms(folder), true, text);
    }
    writeFileSync(config, '[user]\n\tname = the pager of x\n');
    assert.equal(await runsPrograms(folder), false);
  });

  it('are found where another folder has the configuration', async () => {
    const common = path.join(folder, '.git/commondir');
    writeFileSync(common, '../elsewhere\n');
    assert.equal(await runsPrograms(folder), true);
    writeFileSync(common, '.\n');
    assert.equal(await runsPrograms(folder), false);
  });

  it('are found by the real folder', async () => {
    const other = path.join(folder, 'other');
    mkdirSync(path.join(other, 'sub'), { recursive: true });
    git(other, 'init', '-q');
    appendFileSync(path.join(other, '.git/config'), '[core]\n\tfsmonitor = /tmp/x\n');
    symlinkSync(path.join(other, 'sub'), path.join(folder, 'link'));
    assert.equal(await runsPrograms(path.join(folder, 'link')), true);
  });

  for (const version of [2, 3, 4]) {
    it(`are found in a repository inside, by an index of version ${version}`, async () => {
      git(folder, 'config', 'index.version', String(version));
      const inside = path.join(folder, 'lib/inside');
      mkdirSync(inside, { recursive: true });
      git(inside, 'init', '-q');
      git(inside, 'commit', '-q', '--allow-empty', '-m', 'x');
      for (const name of ['lib/a', 'lib/inside-b', 'z'.repeat(200)]) {
        writeFileSync(path.join(folder, name), 'x');
      }
      git(folder, 'add', '.');
      if (version === 3) {
        writeFileSync(path.join(folder, 'lib/b'), 'x');
        git(folder, 'add', '-N', 'lib/b');
      }
      assert.deepEqual(await linkedRepositories(path.join(folder, '.git')), ['lib/inside']);
      assert.equal(await runsPrograms(folder), false);
      appendFileSync(path.join(inside, '.git/config'), '[core]\n\tfsmonitor = /tmp/x\n');
      assert.equal(await runsPrograms(folder), true);
      assert.equal(await runsPrograms(folder, true), true);
    });
  }

  it('are found in a submodule, which may name its working tree', async () => {
    const [outer, library] = ['outer', 'library'].map((name) => path.join(folder, name));
    for (const each of [outer!, library!]) {
      mkdirSync(each);
      git(each, 'init', '-q');
      git(each, 'commit', '-q', '--allow-empty', '-m', 'x');
    }
    git(outer!, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library!, 'lib');
    assert.equal(await runsPrograms(outer), false);
    assert.equal(await runsPrograms(path.join(outer!, 'lib')), false);
    appendFileSync(path.join(outer!, '.git/modules/lib/config'), '[core]\n\tfsmonitor = /tmp/x\n');
    assert.equal(await runsPrograms(outer), true);
  });

  it('are possible where the index cannot be read', async () => {
    writeFileSync(path.join(folder, '.git/index'), 'DIRC');
    assert.equal(await runsPrograms(folder), true);
  });
});
