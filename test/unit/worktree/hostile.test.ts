/** Repositories whose configuration or `.gitmodules` tries to run a command or to reach the network. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Git, type GitOptions, type GitResult } from '../../../src/util/git';
import { applyToMain, mergeIntoMain } from '../../../src/worktree/integrate';
import { Worktrees } from '../../../src/worktree/worktrees';
import { commit, failureIn, git, type PlainScene, plainScene, write } from './scene';

describe('worktrees of a hostile repository', function () {
  this.timeout(60_000);
  let here: PlainScene;
  afterEach(() => here.dispose());

  /** A program that leaves a mark when it runs. */
  const trap = (name: string): string => {
    const file = path.join(here.folder, `trap ${name}`);
    writeFileSync(file, `#!/bin/sh\necho ran >> '${mark(name)}'\ncat\n`);
    chmodSync(file, 0o755);
    return `'${file}'`;
  };
  const mark = (name: string) => path.join(here.folder, `mark-${name}`);

  it('run no command that a submodule’s name puts into the configuration', async () => {
    here = await plainScene();
    here.addSubmodule('Lib');
    const modules = readFileSync(path.join(here.root, '.gitmodules'), 'utf8');
    const evil = `[submodule "Lib.update=!touch ${mark('name')} #"]\n\tpath = "[L]ib"\n\turl = ./../sub\n`;
    write(here.root, { '.gitmodules': evil + modules });
    mkdirSync(path.join(here.root, '[L]ib'));
    git(here.root, '-C', '[L]ib', 'init', '-q');
    git(here.root, 'add', '.gitmodules');
    git(here.root, 'commit', '-q', '-m', 'evil');
    const { worktree, problems } = await here.create();
    assert.equal(existsSync(mark('name')), false);
    assert.deepEqual(problems, [{ code: 'worktree.unsafe_submodule', params: { path: '[L]ib' } }]);
    assert.equal(readFileSync(path.join(worktree.path, 'Lib/in.txt'), 'utf8'), 'library\n');
  });

  it('skip a submodule with an unsafe name or path, and report it', async () => {
    here = await plainScene();
    const names: [name: string, at: string][] = [
      ['../up', 'one'],
      ['-option', 'two'],
      ['a=b', 'three'],
      ['fine', '../../outside'],
      ['fine2', '-x'],
      ['fine3', '.git/hooks'],
      ['twice', 'four'],
      ['twice2', 'four'],
    ];
    write(here.root, { '.gitmodules': names.map(([name, at]) => `[submodule "${name}"]\n\tpath = ${at}\n\turl = ./x\n`).join('') });
    commit(here.root);
    const { problems } = await here.create();
    assert.deepEqual(
      problems.map(({ code, params }) => [code, params?.['path']]),
      names.map(([, at]) => ['worktree.unsafe_submodule', at]),
    );
  });

  it('run no submodule’s own update command or transport', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    git(here.root, 'config', 'submodule.core.update', `!${trap('update')}`);
    git(here.root, 'config', 'protocol.ext.allow', 'always');
    git(here.root, 'config', `url.ext::sh -c touch% ${mark('ext')} .insteadOf`, path.join(here.root, '.git'));
    const { worktree, problems } = await here.create();
    assert.deepEqual([existsSync(mark('update')), existsSync(mark('ext'))], [false, false]);
    assert.ok(problems.length > 0 || existsSync(path.join(worktree.path, 'core/in.txt')));
  });

  it('never use the network for a commit that the main copy lacks', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const library = path.join(here.folder, 'library core');
    write(library, { 'in.txt': 'newer\n' });
    const newer = commit(library);
    git(here.root, 'config', 'protocol.file.allow', 'always');
    git(here.root, 'update-index', '--cacheinfo', `160000,${newer},core`);
    git(here.root, 'commit', '-q', '-m', 'bump');
    const { worktree, problems } = await here.create();
    assert.deepEqual(
      problems.map(({ code, params }) => [code, params?.['path']]),
      [['worktree.submodule', 'core']],
    );
    assert.equal(existsSync(path.join(worktree.path, 'core/in.txt')), false);
  });

  it('run neither monitor, filter, hook nor signature check when they are listed', async () => {
    here = await plainScene({ 'x.txt': 'x\n' });
    here.addSubmodule('core');
    const { worktree } = await here.create();
    write(worktree.path, { '.gitattributes': '* filter=evil diff=evil\n', 'x.txt': 'edited\n', 'new.txt': 'n' });
    write(path.join(worktree.path, 'core'), { '.gitattributes': '* filter=inner\n', 'in.txt': 'edited\n' });
    git(path.join(worktree.path, 'core'), 'config', 'filter.inner.clean', trap('inner'));
    git(path.join(worktree.path, 'core'), 'config', 'core.fsmonitor', trap('inner'));
    git(worktree.path, 'stash', 'store', git(worktree.path, 'stash', 'create').trim());
    const config: Record<string, string> = {
      'core.fsmonitor': trap('monitor'),
      'filter.evil.clean': trap('filter'),
      'filter.evil.process': trap('filter'),
      'filter.evil.required': 'true',
      'filter.e=v.il.clean': trap('filter'),
      'diff.evil.command': trap('diff'),
      'diff.evil.textconv': trap('diff'),
      'diff.external': trap('diff'),
      'gpg.program': trap('gpg'),
      'log.showSignature': 'true',
      'core.pager': trap('pager'),
    };
    Object.entries(config).forEach(([key, value]) => git(here.root, 'config', key, value));
    const hooks = path.join(here.root, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of ['post-index-change', 'reference-transaction']) {
      writeFileSync(path.join(hooks, hook), `#!/bin/sh\necho ran >> '${mark('hook')}'\n`, { mode: 0o755 });
    }
    const { worktrees, repository } = here;
    await worktrees.list(repository);
    await worktrees.branches(repository);
    const { files, submodules } = await worktrees.changes(repository, worktree);
    assert.deepEqual([files.map((file) => file.path), submodules], [['.gitattributes', 'new.txt', 'x.txt'], ['core']]);
    const { uncommitted, stashes, unknown } = await worktrees.losses(repository, worktree);
    assert.deepEqual([uncommitted, stashes.length, unknown], [['core/in.txt', 'x.txt'], 1, []]);
    const marks = ['monitor', 'filter', 'diff', 'gpg', 'pager', 'hook', 'inner'].filter((name) => existsSync(mark(name)));
    assert.deepEqual(marks, []);
  });

  it('are not read in a folder of the list that is another repository', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    const other = path.join(here.folder, 'other');
    git(here.folder, 'init', '-q', 'other');
    write(other, { 'secret.txt': 's' });
    commit(other);
    const admin = git(worktree.path, 'rev-parse', '--absolute-git-dir').trim();
    writeFileSync(path.join(admin, 'gitdir'), `${path.join(other, '.git')}\n`);
    const found = (await here.worktrees.list(here.repository)).find((each) => each.path === other)!;
    const { worktrees, repository } = here;
    const expected = { code: 'worktree.not_ours', path: other };
    assert.deepEqual(await failureIn(worktrees.changes(repository, found)), expected);
    assert.deepEqual(await failureIn(applyToMain(worktrees, repository, found)), expected);
    assert.notEqual((await failureIn(worktrees.remove(repository, found, { branch: false }))).code, 'no failure');
    assert.ok(existsSync(path.join(other, 'secret.txt')));
  });

  it('fill no submodule through a symbolic link', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const outside = path.join(here.folder, 'outside');
    renameSync(path.join(here.root, '.git/modules/core'), outside);
    symlinkSync(outside, path.join(here.root, '.git/modules/core'));
    renameSync(path.join(here.root, 'core'), path.join(here.folder, 'real core'));
    symlinkSync(path.join(here.folder, 'real core'), path.join(here.root, 'core'));
    const { worktree, problems } = await here.create();
    assert.deepEqual([problems, existsSync(path.join(worktree.path, 'core/in.txt'))], [[], false]);
  });

  it('run no command that lists borrowed commits when commits of a submodule are kept', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    commit(core, 'agent');
    commit(worktree.path, 'bump');
    const main = path.join(here.root, '.git/modules/core');
    git(main, 'config', 'core.alternateRefsCommand', trap('alternates'));
    write(main, { 'objects/info/alternates': `${path.join(here.folder, 'library core/.git/objects')}\n` });
    await mergeIntoMain(here.worktrees, here.repository, worktree);
    assert.equal(existsSync(mark('alternates')), false);
  });

  it('download no bundle when submodules are filled and their commits are kept', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const main = path.join(here.root, '.git/modules/core');
    const bundles: Record<string, string> = { 'fetch.bundleURI': 'https://example.invalid/bundle', 'transfer.bundleURI': 'true' };
    const configured = [main, here.root];
    configured.forEach((each) => Object.entries(bundles).forEach(([key, value]) => git(each, 'config', key, value)));
    const seen: string[] = [];
    // The same command line, with a query of the configuration in place of the command.
    class AskingGit extends Git {
      override async run(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
        const at = args.findIndex((each) => each === 'fetch' || each === 'submodule');
        if (at >= 0) {
          for (const key of Object.keys(bundles)) {
            const { stdout } = await super.run(cwd, [...args.slice(0, at), 'config', '--get', key], { ...options, input: '' });
            seen.push(`${args[at]} ${key}=${stdout.toString().trim()}`);
          }
        }
        return super.run(cwd, args, options);
      }
    }
    const worktrees = new Worktrees(new AskingGit());
    const { worktree } = await worktrees.create(here.repository, {
      branch: 'agent/try',
      start: { type: 'current' },
      parent: path.join(here.folder, 'trees'),
    });
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    commit(core, 'agent');
    commit(worktree.path, 'bump');
    await mergeIntoMain(worktrees, here.repository, worktree);
    assert.deepEqual(
      [...new Set(seen)],
      ['submodule fetch.bundleURI=', 'submodule transfer.bundleURI=false', 'fetch fetch.bundleURI=', 'fetch transfer.bundleURI=false'],
    );
  });

  it('are read in their own folder, whatever folder their configuration names', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    const other = path.join(here.folder, 'other');
    git(here.folder, 'clone', '-q', here.root, other);
    rmSync(path.join(other, '.git'), { recursive: true });
    git(worktree.path, 'init', '-q', 'nested');
    const nested = path.join(worktree.path, 'nested');
    write(nested, { 'a.txt': 'a\n' });
    commit(nested);
    git(nested, 'config', 'core.worktree', other);
    git(here.root, 'config', 'extensions.worktreeConfig', 'true');
    git(worktree.path, 'config', '--worktree', 'core.worktree', other);
    write(worktree.path, { 'new.txt': '1', 'nested/new.txt': '1', '.env': 'SECRET' });
    const { untracked, ignored, unknown } = await here.worktrees.losses(here.repository, worktree);
    assert.deepEqual([untracked, ignored.map((each) => each.path), unknown], [['nested/new.txt', 'new.txt'], ['.env'], []]);
  });

  it('are not applied to a main tree that the configuration moved elsewhere', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'a.txt': 'agent\n' });
    const other = path.join(here.folder, 'other');
    write(other, { 'a.txt': 'a\n' });
    git(here.root, 'config', 'core.worktree', other);
    assert.equal((await failureIn(applyToMain(here.worktrees, here.repository, worktree))).code, 'worktree.no_main_tree');
    assert.equal(readFileSync(path.join(other, 'a.txt'), 'utf8'), 'a\n');
  });

  it('list a submodule with another commit, although `.gitmodules` hides it', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    git(here.root, 'config', '--file', '.gitmodules', 'submodule.core.ignore', 'all');
    commit(here.root);
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    write(core, { 'in.txt': 'agent\n' });
    commit(core);
    git(worktree.path, 'add', '--force', 'core');
    git(worktree.path, 'commit', '-q', '-m', 'bump');
    write(worktree.path, { 'a.txt': 'agent\n' });
    const changes = await here.worktrees.changes(here.repository, worktree);
    const applied = await applyToMain(here.worktrees, here.repository, worktree);
    assert.deepEqual([changes.submodules, applied.submodules], [['core'], ['core']]);
  });
});
