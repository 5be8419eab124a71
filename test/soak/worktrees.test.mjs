// Worktrees in a repository with a submodule, hooks, and uncommitted changes of every kind: the main tree does not change until a worktree
// is applied or merged. Pictures go to test-results/worktrees/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { openWorkspace } from '../e2e/stage.mjs';

const identity = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.org',
  '-c',
  'protocol.file.allow=always',
  '-c',
  'commit.gpgsign=false',
];
const git = (cwd, ...args) => execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const write = (folder, files) =>
  Object.entries(files).forEach(([name, text]) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  });
const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const writes = (name) => [{ write: { path: `\${cwd}/${name}.txt`, content: `by ${name}\n` } }, { say: `${name} is done.` }];

describe('worktrees in the window', function () {
  this.timeout(240_000);
  let window;
  let root;
  let hooks;

  before(async () => {
    const agents = {
      Worker: scripted(resumes, 'worktree-worker'),
      One: scripted({ ...resumes, script: writes('one') }, 'worktree-one'),
      Two: scripted({ ...resumes, script: writes('two') }, 'worktree-two'),
    };
    ({ window } = await openWorkspace({
      userSettings: { 'acpHost.agents': agents, 'acpHost.permissions.present': 'card', 'git.enabled': false },
      prepare: async (workspace) => {
        root = workspace;
        const library = join(dirname(workspace), 'library');
        write(library, { 'lib.txt': 'library\n' });
        git(library, 'init', '-q', '-b', 'main');
        git(library, 'add', '-A');
        git(library, 'commit', '-q', '-m', 'library');
        write(root, { 'b.txt': 'b\n', '.gitignore': 'ignored/\n', 'dir/ünï code.txt': 'u\n' });
        git(root, 'init', '-q', '-b', 'main');
        git(root, 'submodule', '--quiet', 'add', library, 'sub');
        git(root, 'add', '-A');
        git(root, 'commit', '-q', '-m', 'first');
        git(root, 'config', 'user.name', 'Ada');
        git(root, 'config', 'user.email', 'ada@example.org');
        write(root, { 'stashed.txt': 'stashed\n' });
        git(root, 'stash', 'push', '-q', '-u');
        hooks = join(dirname(workspace), 'hooks.log');
        for (const hook of ['post-checkout', 'pre-commit', 'post-merge']) {
          const file = join(root, '.git', 'hooks', hook);
          writeFileSync(file, `#!/bin/sh\necho ${hook} >> '${hooks}'\n`);
          chmodSync(file, 0o755);
        }
        write(root, { 'b.txt': 'staged\n' });
        git(root, 'add', 'b.txt');
        write(root, {
          'b.txt': 'staged, then edited\n',
          'new.txt': 'untracked\n',
          'ignored/x': 'ignored\n',
          'sub/lib.txt': 'edited library\n',
        });
        return workspace;
      },
    }));
  });
  after(() => rmSync(`${root}.worktrees`, { recursive: true, force: true }));

  const picture = (name) => window.screenshot(`worktrees/${name}`);
  const input = () =>
    window.page.locator('.quick-input-widget:visible input[type="text"], .quick-input-widget:visible .quick-input-box input').first();
  const dialog = () => window.page.locator('.monaco-dialog-box');
  const rowText = async (name) => (await window.page.locator(quickRows).filter({ hasText: name }).first().innerText()).replace(/\s+/g, ' ');
  const manage = async (name, action) => {
    await window.command('ACP: Manage Worktrees…');
    await window.pickRow(name);
    if (action) await window.pickRow(action);
  };
  const list = () => git(root, 'worktree', 'list').trim().split('\n').length - 1;

  /** Working tree, index, HEAD, stash, and the branches other than the worktrees'. */
  function state() {
    const files = (inside) =>
      readdirSync(join(root, inside))
        .filter((name) => name !== '.git')
        .sort()
        .flatMap((name) => {
          const path = join(inside, name);
          const entry = lstatSync(join(root, path));
          return entry.isDirectory() ? files(path) : [`${path} ${entry.mode} ${hash(readFileSync(join(root, path)))}`];
        });
    return {
      files: files(''),
      index: hash(readFileSync(join(root, '.git', 'index'))),
      head: readFileSync(join(root, '.git', 'HEAD'), 'utf8'),
      stash: git(root, 'stash', 'list', '--format=%H'),
      refs: git(root, 'for-each-ref', '--format=%(refname) %(objectname)')
        .split('\n')
        .filter((line) => !/heads\/(agent|compare)\//.test(line)),
      config: readFileSync(join(root, '.git', 'config'), 'utf8'),
    };
  }
  const hash = (bytes) => createHash('sha1').update(bytes).digest('hex');

  it('a session works in a new one; the main tree does not change', async () => {
    const before = state();
    await window.command('ACP: New Session in Worktree…');
    await window.pickRow('Worker');
    await window.page.locator(quickRows).filter({ hasText: 'New worktree from main' }).first().click();
    // The changed submodule can't be taken along.
    await window.pickRow('Leave them in main');
    await until('the name to be asked for', async () => /agent\/worker/.test(await input().inputValue()));
    await input().press('Enter');
    await window.panel();
    const conversation = new Conversation(window);
    await conversation.prompt(
      `Work there ${script(
        { write: { path: '${cwd}/made here.txt', content: 'made\n' } },
        { edit: { path: '${cwd}/dir/ünï code.txt', find: 'u', replace: 'v' } },
        { shell: 'echo more >> "${cwd}/sub/lib.txt"' },
        { say: 'All done there.' },
      )}`,
    );
    await until('the answer', async () => (await conversation.log.innerText()).split('All done there.').length === 3);
    await conversation.turnEnd();
    const folder = join(`${root}.worktrees`, 'agent-worker');
    assert.equal(readFileSync(join(folder, 'made here.txt'), 'utf8'), 'made\n');
    assert.equal(readFileSync(join(folder, 'sub', 'lib.txt'), 'utf8'), 'library\nmore\n', 'the submodule is filled');
    assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'b\n', 'it begins with the commit');
    assert.deepEqual(state(), before);
    assert.match(readFileSync(hooks, 'utf8'), /post-checkout/);
  });

  it('the list shows its changes, its sessions and its size', async () => {
    await window.command('ACP: Manage Worktrees…');
    await until('all of it', async () => /2 files \+\d+ -\d+ · 1 session · \d+\.\d MB/.test(await rowText('agent/worker')));
    await picture('list');
    await window.dismiss();
    await manage('agent/worker', 'Show Changes');
    await window.page
      .getByRole('tab', { name: /Changes in agent\/worker/ })
      .first()
      .waitFor();
    await picture('changes');
    await window.command('View: Close Editor');
  });

  it('applies it to the main tree, keeps uncommitted changes there, and names what was left out', async () => {
    const before = state();
    await manage('agent/worker', 'Apply to Main Working Tree');
    const said = await window.notification('Applied changes to 2 files. Nothing was committed.');
    assert.match(said, /Submodules were left out: sub/);
    await picture('applied');
    assert.equal(readFileSync(join(root, 'made here.txt'), 'utf8'), 'made\n');
    assert.equal(readFileSync(join(root, 'dir', 'ünï code.txt'), 'utf8'), 'v\n');
    const { files, index, ...rest } = state();
    const { files: filesBefore, index: indexBefore, ...restBefore } = before;
    assert.deepEqual(rest, restBefore);
    const others = (all) => all.filter((line) => !/^(made here|dir\/ünï code)\.txt /.test(line));
    assert.deepEqual(others(files), others(filesBefore));
    assert.ok(index && indexBefore);
    assert.match(git(root, 'diff', '--cached', '--name-only'), /^b\.txt\n$/, 'what was staged is, and nothing else');
  });

  it('removes it after naming the losses, and its session ends', async () => {
    await manage('agent/worker', 'Remove Worktree…');
    await dialog().getByText('Are you sure you want to remove the worktree agent/worker?').waitFor();
    const text = await dialog().innerText();
    assert.match(text, /Uncommitted files that will be lost: [23]/);
    assert.match(text, /Sessions that will end: 1/);
    await picture('remove');
    await window.pressButton('Remove Worktree and Branch');
    await until('it to be gone', () => list() === 0 && !existsSync(join(`${root}.worktrees`, 'agent-worker')));
    await until('the branch to be gone', () => git(root, 'branch', '--list', 'agent/worker') === '');
    await new Conversation(window).frame.getByText('This session has ended.').waitFor();
    await window.closeEditors();
  });

  it('gives one prompt to two agents, each in its own worktree, side by side', async () => {
    const before = state();
    await window.command('ACP: Compare Agents…');
    for (const name of ['One', 'Two'])
      await window.page
        .locator(quickRows)
        .filter({ hasText: new RegExp(`^\\s*${name}`) })
        .first()
        .click();
    await picture('compare-agents');
    await window.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
    await window.pickRow('Leave them in main');
    await until('the message to be asked for', async () =>
      /The message that each agent gets/.test(await window.page.locator('.quick-input-widget:visible').innerText()),
    );
    await input().fill('Write a file');
    await input().press('Enter');
    const files = ['one', 'two'].map((name) => join(`${root}.worktrees`, `compare-write-a-file-${name}`, `${name}.txt`));
    await until('both to have written', () => files.every(existsSync), { timeoutMs: 60_000 });
    await until('two groups', async () => (await window.page.locator('.part.editor .editor-group-container').count()) === 2);
    await until('both to be seen', async () => (await window.page.locator('iframe.webview.ready:visible').count()) === 2);
    await picture('compare');
    assert.deepEqual(state(), before);
    assert.equal(list(), 2);
  });

  it('merges one with its hooks, and leaves the main tree’s own changes alone', async () => {
    const before = state();
    rmSync(hooks, { force: true });
    await manage('compare/write-a-file/one', 'Merge into Current Branch…');
    await dialog().getByText('has uncommitted changes.').waitFor();
    await picture('merge');
    await window.pressButton('Commit All and Merge');
    await window.notification('Merged 1 commit.');
    assert.equal(readFileSync(join(root, 'one.txt'), 'utf8'), 'by one\n');
    assert.equal(readFileSync(join(root, 'b.txt'), 'utf8'), 'staged, then edited\n');
    assert.match(readFileSync(hooks, 'utf8'), /pre-commit/);
    assert.equal(state().stash, before.stash);
    const others = ({ files }) => files.filter((line) => !line.startsWith('one.txt '));
    assert.deepEqual(others(state()), others(before));
    assert.equal(existsSync(join(root, 'two.txt')), false);
  });

  it('marks one that was deleted outside VS Code, and so does its session', async () => {
    const gone = join(`${root}.worktrees`, 'compare-write-a-file-two');
    rmSync(gone, { recursive: true, force: true });
    await window.command('ACP: Manage Worktrees…');
    await until('it to be said', async () => /folder not found/.test(await rowText('compare/write-a-file/two')));
    await picture('gone');
    await window.pickRow('compare/write-a-file/two');
    await window.pickRow('Remove from List');
    await until('it to be off the list', () => list() === 1);
    assert.match(git(root, 'branch', '--list', 'compare/write-a-file/two'), /two/, 'its branch stays');
    await window.closeEditors();
    await window.command('ACP: Open Session…');
    await window.page.locator(quickRows).filter({ hasText: 'write-a-file-two' }).first().click();
    await window.panel();
    const conversation = new Conversation(window);
    await window.command('ACP: Restart Agent');
    await until('it to be said', async () =>
      /(doesn't exist or isn't a folder|was replaced or now points elsewhere)/.test(await conversation.frame.locator('body').innerText()),
    );
    await picture('gone-session');
    await window.closeEditors();
  });
});
