/** The list of files and commits that would be lost with a worktree. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commit, git, type PlainScene, plainScene, write } from './scene';

describe('losses of a worktree', function () {
  this.timeout(60_000);
  let here: PlainScene;
  afterEach(() => here.dispose());

  const lossesIn = async (branch = 'agent/try') => {
    const worktree = (await here.worktrees.list(here.repository)).find((each) => each.branch === branch || each.path.endsWith(branch))!;
    return here.worktrees.losses(here.repository, worktree);
  };

  it('list untracked files one by one, uncommitted ones, ignored files and ignored folders', async () => {
    here = await plainScene({ 'hidden.txt': 'h\n' });
    const { worktree } = await here.create();
    write(worktree.path, { 'a.txt': 'edited\n', 'dir/1': '1', 'dir/2': '2', '.env': 'SECRET', 'build/x/o': 'o', 'build/p': 'p' });
    git(worktree.path, 'update-index', '--skip-worktree', 'hidden.txt');
    write(worktree.path, { 'hidden.txt': 'local\n' });
    const { uncommitted, untracked, ignored, files, unknown } = await lossesIn();
    assert.deepEqual(
      [uncommitted, untracked],
      [
        ['a.txt', 'hidden.txt'],
        ['dir/1', 'dir/2'],
      ],
    );
    assert.deepEqual(ignored, [
      { path: '.env', files: 1, isAtLeast: false },
      { path: 'build/', files: 2, isAtLeast: false },
    ]);
    assert.deepEqual([files, unknown], [7, []]);
  });

  it("count commits that no other ref has, amended ones separately, and list the branch's stashes", async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'made.txt': '1' });
    commit(worktree.path);
    write(worktree.path, { 'made.txt': '2' });
    git(worktree.path, 'commit', '-q', '-a', '--amend', '-m', 'amended');
    write(worktree.path, { 'made.txt': '3' });
    git(worktree.path, 'stash', '-q');
    write(here.root, { 'a.txt': 'in main' });
    git(here.root, 'stash', '-q');
    const { commits, loggedCommits, stashes } = await lossesIn();
    assert.deepEqual([commits, loggedCommits.length], [1, 1]);
    assert.equal(stashes.length, 1);
    assert.match(stashes[0]!, /^WIP on agent\/try: \w+ amended$/);
    git(here.root, 'tag', 'kept', 'agent/try');
    assert.equal((await lossesIn()).commits, 0);
  });

  it('count the commits of a detached HEAD', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    git(worktree.path, 'checkout', '-q', '--detach');
    write(worktree.path, { 'made.txt': '1' });
    commit(worktree.path);
    assert.equal((await lossesIn('agent-try')).commits, 1);
  });

  it('include files and commits of submodules at every depth, and of nested repositories', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const deep = path.join(here.root, 'core');
    git(deep, 'submodule', '--quiet', 'add', path.join(here.folder, 'library core'), 'deep');
    git(deep, '-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'deep');
    commit(here.root, 'bump');
    const { worktree, problems } = await here.create();
    assert.deepEqual(problems, []);
    const at = (name: string) => path.join(worktree.path, name);
    git(at('core'), 'submodule', '--quiet', 'update', '--init');
    write(at('core'), { 'in.txt': 'edited\n', 'new.txt': 'n', 'deep/in.txt': 'edited\n', 'deep/more.txt': 'm' });
    git(at('core/deep'), 'commit', '-q', '-a', '-m', 'deep work');
    git(worktree.path, 'init', '-q', 'nested');
    write(at('nested'), { 'n.txt': 'n' });
    commit(at('nested'));
    write(at('nested'), { 'later.txt': 'l' });
    mkdirSync(at('build'));
    git(worktree.path, 'init', '-q', 'build/hidden');
    write(at('build/hidden'), { 'h.txt': 'h' });
    commit(at('build/hidden'));
    const { uncommitted, untracked, nested, commitsIn, unknown } = await lossesIn();
    assert.deepEqual(unknown, []);
    assert.deepEqual(uncommitted, ['core/deep', 'core/in.txt']);
    assert.deepEqual(untracked, ['core/deep/more.txt', 'core/new.txt', 'nested/later.txt']);
    assert.deepEqual(nested, ['build/hidden', 'nested']);
    assert.deepEqual(
      commitsIn.map((each) => [each.path, each.count, each.isKept]),
      [
        ['nested', 1, false],
        ['build/hidden', 1, false],
        ['core/modules/deep', 1, true],
      ],
    );
  });

  it('are unknown, not zero, when Git fails', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    const admin = git(worktree.path, 'rev-parse', '--absolute-git-dir').trim();
    writeFileSync(path.join(admin, 'index'), 'damaged');
    const { unknown, files } = await lossesIn();
    assert.deepEqual([unknown.some(({ path: at, what }) => at === '' && what === 'files'), files], [true, undefined]);
    rmSync(path.join(worktree.path, '.git'));
    writeFileSync(path.join(admin, 'commondir'), 'damaged');
    const kinds = (await lossesIn()).unknown.map(({ what }) => what);
    assert.ok(kinds.includes('files') && kinds.includes('commits'), kinds.join());
  });

  it('are unknown for a repository with a damaged Git folder, for which the one above is not read', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    mkdirSync(path.join(worktree.path, 'build'));
    git(worktree.path, 'init', '-q', 'build/broken');
    rmSync(path.join(worktree.path, 'build/broken/.git/HEAD'));
    write(worktree.path, { 'new.txt': 'n' });
    const { nested, unknown, untracked } = await lossesIn();
    assert.deepEqual([nested, untracked], [['build/broken'], ['new.txt']]);
    assert.ok(unknown.some(({ path: at }) => at === 'build/broken'));
  });

  it('do not follow symbolic links', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(path.join(here.folder, 'outside'), { x: 'x' });
    mkdirSync(path.join(worktree.path, 'build'));
    symlinkSync(path.join(here.folder, 'outside'), path.join(worktree.path, 'build/link'));
    const { ignored } = await lossesIn();
    assert.deepEqual(ignored, [{ path: 'build/', files: 1, isAtLeast: false }]);
  });

  it('include commits that only the log of a worktree without a folder contains, which are kept', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'made.txt': '1' });
    const made = commit(worktree.path);
    git(worktree.path, 'reset', '-q', '--hard', 'HEAD~1');
    rmSync(worktree.path, { recursive: true });
    const { loggedCommits, unknown } = await lossesIn();
    assert.deepEqual([loggedCommits, unknown], [[made], []]);
    await here.worktrees.remove(here.repository, { ...worktree, isGone: true }, { branch: false });
    assert.equal(git(here.root, 'rev-parse', `refs/acp-host/kept/${made}`).trim(), made);
  });

  it("include commits of the worktree's own refs", async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    const made = git(worktree.path, 'commit-tree', 'HEAD^{tree}', '-m', 'made', '-p', 'HEAD').trim();
    git(worktree.path, 'update-ref', 'refs/worktree/saved', made);
    assert.deepEqual((await lossesIn()).loggedCommits, [made]);
  });

  it('include uncommitted changes that an unfinished rebase has stashed', async () => {
    here = await plainScene();
    const { worktree } = await here.create();
    write(worktree.path, { 'both.txt': 'agent\n' });
    commit(worktree.path);
    git(here.root, 'checkout', '-q', '-b', 'other');
    write(here.root, { 'both.txt': 'other\n' });
    commit(here.root);
    write(worktree.path, { 'a.txt': 'precious\n' });
    assert.throws(() => git(worktree.path, 'rebase', '--autostash', 'other'));
    const { loggedCommits } = await lossesIn('agent-try');
    assert.ok(loggedCommits.some((each) => git(here.root, 'show', `${each}:a.txt`) === 'precious\n'));
  });

  it("include commits of a submodule's own worktrees", async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const linked = path.join(here.folder, 'linked');
    git(path.join(worktree.path, 'core'), 'worktree', 'add', '-q', '--detach', linked);
    write(linked, { 'made.txt': '1' });
    commit(linked);
    assert.deepEqual((await lossesIn()).commitsIn, [{ path: 'core', count: 1, isKept: true }]);
  });

  it('distinguish stashes that are lost from those that are kept', async () => {
    here = await plainScene();
    here.addSubmodule('core');
    const { worktree } = await here.create();
    const core = path.join(worktree.path, 'core');
    git(worktree.path, 'init', '-q', 'nested');
    const nested = path.join(worktree.path, 'nested');
    write(nested, { 'in.txt': '1' });
    commit(nested);
    for (const [folder, name] of [
      [nested, 'in.txt'],
      [core, 'in.txt'],
      [worktree.path, 'a.txt'],
    ] as const) {
      write(folder, { [name]: 'stashed' });
      git(folder, 'stash', 'push', '-q', '-m', `of ${path.basename(folder)}`);
    }
    const { stashes, lostStashes } = await lossesIn();
    assert.deepEqual(
      [stashes, lostStashes].map((each) => each.map((text) => text.replace(/.*: /, ''))),
      [['of agent-try', 'of core'], ['of nested']],
    );
  });
});
