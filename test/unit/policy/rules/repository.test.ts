import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { holdsIn, repositoryOf } from '../../../../src/policy/rules/repository';

describe('the folder of a rule', () => {
  let base: string;
  const at = (...names: string[]): string => path.join(base, ...names);

  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-repository-')));
    mkdirSync(at('main', '.git', 'worktrees', 'w'), { recursive: true });
    mkdirSync(at('main', 'src'));
    writeFileSync(at('main', '.git', 'HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(at('w'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function worktree(name: string, back: string, gitdir = at('main', '.git', 'worktrees', 'w')): void {
    mkdirSync(at(name), { recursive: true });
    writeFileSync(at(name, '.git'), `gitdir: ${gitdir}\n`);
    writeFileSync(at('main', '.git', 'worktrees', 'w', 'gitdir'), `${back}\n`);
  }

  it('is the repository that contains it', async () => {
    assert.equal(await repositoryOf(at('main', 'src')), at('main'));
    assert.equal(await repositoryOf(at('main')), at('main'));
  });

  it('is the folder itself in a repository of the home folder', async () => {
    const name = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
    const home = process.env[name];
    process.env[name] = at('main');
    try {
      assert.equal(await repositoryOf(at('main', 'src')), at('main', 'src'));
    } finally {
      process.env[name] = home;
    }
  });

  it('is the folder itself outside of a repository', async () => {
    assert.equal(await repositoryOf(at('w')), at('w'));
    assert.equal(await repositoryOf(at('missing')), at('missing'));
  });

  it('is shared by the worktrees of a repository', async () => {
    worktree('w', at('w', '.git'));
    assert.equal(await repositoryOf(at('w')), at('main'));
  });

  it('is not that of a repository that does not know the worktree', async () => {
    worktree('evil', at('w', '.git'));
    writeFileSync(at('w', '.git'), `gitdir: ${at('main', '.git', 'worktrees', 'w')}\n`);
    assert.equal(await repositoryOf(at('evil')), at('evil'));
  });

  it('is not that of a repository whose folder it names', async () => {
    for (const gitdir of [at('main', '.git'), at('main'), '../main/.git', 'nowhere']) {
      mkdirSync(at('evil'), { recursive: true });
      writeFileSync(at('evil', '.git'), `gitdir: ${gitdir}\n`);
      assert.equal(await repositoryOf(at('evil')), at('evil'), gitdir);
    }
    rmSync(at('evil'), { recursive: true });
    mkdirSync(at('evil', '.git'), { recursive: true });
    writeFileSync(at('evil', '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(at('evil', '.git', 'commondir'), '../../main/.git\n');
    assert.equal(await repositoryOf(at('evil')), at('evil'), 'a commondir of its own');
  });

  it('follows a link to its target', async () => {
    symlinkSync(at('main'), at('link'));
    assert.equal(await repositoryOf(at('link', 'src')), at('main'));
    symlinkSync(at('main', '.git'), at('w', '.git'));
    assert.equal(await repositoryOf(at('w')), at('w'), 'a linked `.git` belongs to another folder');
  });

  it('holds below itself and in its worktrees', () => {
    assert.equal(holdsIn(at('main'), at('main', 'src'), at('main')), true);
    assert.equal(holdsIn(at('main'), at('w'), at('main')), true);
    assert.equal(holdsIn(at('main', 'src'), at('main'), at('main')), false);
    assert.equal(holdsIn(at('ma'), at('main'), at('main')), false);
    assert.equal(holdsIn(at('main'), at('main', '..build'), at('w')), true);
    assert.equal(holdsIn(at('main'), at('w'), at('w')), false);
    assert.equal(holdsIn(at('main'), path.dirname(at('main')), at('w')), false);
  });
});
