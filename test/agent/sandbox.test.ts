/** The sandbox of Linux, with real programs. Skipped by name where bubblewrap does not run. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { SandboxRefusal } from '../../src/core/sandbox/sandbox';
import type { SandboxDependencies } from '../../src/sandbox/sandbox';
import { missingSandbox, testSandbox, type TestSandbox } from '../support/sandbox/sandboxes';

const missing = missingSandbox();

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly refused: readonly SandboxRefusal[];
}

describe(`the sandbox on Linux${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  const folders: string[] = [];
  const made: TestSandbox[] = [];

  before(function () {
    if (missing !== undefined) {
      this.skip();
    }
  });

  afterEach(() => {
    made.splice(0).forEach(({ sandbox }) => sandbox.dispose());
    folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  });

  function folder(): string {
    const made = realpathSync(mkdtempSync(path.join(tmpdir(), 'sandboxed-')));
    folders.push(made);
    return made;
  }

  function make(root: string, more: Partial<SandboxDependencies> = {}): TestSandbox {
    const made_ = testSandbox(root, more);
    made.push(made_);
    return made_;
  }

  async function run({ sandbox }: TestSandbox, cwd: string, line: string, environment: Record<string, string> = {}): Promise<Outcome> {
    const refused: SandboxRefusal[] = [];
    const own = { PATH: process.env['PATH']!, HOME: homedir(), ...environment };
    const wrapped = await sandbox.wrap({ file: '/bin/bash', args: ['-c', line], cwd, environment: own }, false, (each) =>
      refused.push(each),
    );
    const { file, args, environment: outer, cwd: start } = wrapped.program;
    const child = spawn(file, args, { cwd: start, env: outer, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    refused.push(...wrapped.refusalsIn(output, cwd));
    wrapped.dispose();
    return { code, output, refused };
  }

  it('lets a command edit files of the session and run its tests', async () => {
    const root = folder();
    writeFileSync(path.join(root, 'sum.test.mjs'), "import test from 'node:test';\ntest('adds', () => {});\n");
    const { code, output } = await run(
      make(root),
      root,
      'echo changed > file.txt && node --test sum.test.mjs && echo x > "$TMPDIR/y" && cat "$TMPDIR/y"',
    );
    assert.equal(code, 0, output);
    assert.equal(readFileSync(path.join(root, 'file.txt'), 'utf8'), 'changed\n');
  });

  it('refuses a write outside, and names it', async () => {
    const root = folder();
    // The home may be in a folder for temporary files, which a sandbox can write.
    const outside = `/sandbox-outside-${process.pid}.txt`;
    const { code, refused } = await run(make(root), root, `echo x > ${outside}`);
    assert.notEqual(code, 0);
    assert.equal(existsSync(outside), false);
    assert.deepEqual(refused, [{ kind: 'write', target: outside }]);
  });

  it('follows no symbolic link out of the folder', async () => {
    const root = folder();
    // The home may be in a folder for temporary files, which a sandbox can write.
    const outside = `sandbox-through-a-link-${process.pid}.txt`;
    symlinkSync('/', path.join(root, 'top'));
    const { code } = await run(make(root), root, `touch top/${outside}`);
    assert.notEqual(code, 0);
    assert.equal(existsSync(`/${outside}`), false);
  });

  it('allows a write in a folder of the user’s setting from the next start on', async () => {
    const [root, other] = [folder(), folder()];
    const test = make(root);
    assert.equal((await run(test, root, `echo x > ${other}/a`)).code, 1);
    test.settings.writable = [other];
    assert.equal((await run(test, root, `echo x > ${other}/a`)).code, 0);
    assert.equal(existsSync(path.join(other, 'a')), true);
  });

  it('hides secrets of the session’s folder and of the user', async () => {
    const root = folder();
    const secret = folder();
    writeFileSync(path.join(root, '.env'), 'TOKEN=1234');
    writeFileSync(path.join(secret, 'key'), 'TOKEN=1234');
    const test = make(root);
    test.settings.unreadable = [path.join(secret, 'key')];
    const { output, refused } = await run(test, root, `cat .env; cat ${secret}/key; chmod 600 .env; cat .env; ls /run/user /tmp/.X11-unix`);
    assert.doesNotMatch(output, /1234/);
    assert.ok(refused.some(({ kind, target }) => kind === 'read' && target === path.join(root, '.env')));
  });

  it('hides keys and sign-ins of the home, and the state of other agents', async () => {
    const [root, home] = [folder(), folder()];
    const secrets = ['.ssh/id', '.config/gh/hosts.yml', '.netrc', '.npmrc', '.codex/auth.json', '.config/Code/User/x', '.bash_history'];
    for (const file of secrets) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), `TOKEN=1234 ${file}`);
    }
    mkdirSync(path.join(home, '.claude'));
    writeFileSync(path.join(home, '.claude', 'settings.json'), 'own');
    const { HOME } = process.env;
    process.env['HOME'] = home;
    try {
      const agent = { agentId: 'Claude Code', agentName: 'Claude Code', command: 'claude', args: [] };
      const lines = `cd; cat ${secrets.join(' ')}; cat .claude/settings.json; echo evil > .claude/settings.json; echo kept > .claude/state; echo x > .bashrc`;
      const { output } = await run(make(root, { agent, isAgent: true }), root, lines, { HOME: home });
      assert.doesNotMatch(output, /1234/);
      assert.match(output, /^own/m);
      assert.equal(readFileSync(path.join(home, '.claude', 'settings.json'), 'utf8'), 'own');
      assert.equal(readFileSync(path.join(home, '.claude', 'state'), 'utf8'), 'kept\n');
      assert.equal(existsSync(path.join(home, '.bashrc')), false);
    } finally {
      process.env['HOME'] = HOME;
    }
  });

  it('hides the target of a link with a protected name', async () => {
    const [root, other] = [folder(), path.join(folder(), 'values')];
    writeFileSync(other, 'TOKEN=1234');
    symlinkSync(other, path.join(root, '.env'));
    writeFileSync(path.join(root, 'plain'), 'TOKEN=1234');
    symlinkSync('plain', path.join(root, '.env.local'));
    const test = make(root);
    test.settings.writable = [path.dirname(other)];
    const { output } = await run(test, root, `cat .env .env.local ${other} plain`);
    assert.doesNotMatch(output, /1234/);
  });

  it('opens nothing by a link with a protected name', async () => {
    const [root, hidden] = [folder(), folder()];
    mkdirSync(path.join(hidden, 'keys'));
    writeFileSync(path.join(hidden, 'keys', 'one'), 'TOKEN=1234');
    const test = make(root);
    test.settings.unreadable = [hidden];
    for (const name of ['.vscode', '.git', '.claude', '.husky']) {
      symlinkSync(path.join(hidden, 'keys'), path.join(root, name));
    }
    const { output } = await run(test, root, `cat ${hidden}/keys/one; touch ${hidden}/keys/new .git/new .vscode/new`);
    assert.doesNotMatch(output, /1234/);
    assert.equal(existsSync(path.join(hidden, 'keys', 'new')), false);
    rmSync(path.join(root, '.git'));
    symlinkSync(homedir(), path.join(root, '.git'));
    await run(test, root, 'touch .git/through-git');
    assert.equal(existsSync(path.join(homedir(), 'through-git')), false);
  });

  it('starts nothing when a folder becomes a link between the plan and the mount', async function () {
    // The socket of a program outside, such as another test's, may vanish between the plan and the mount, which is then refused for that.
    this.retries(2);
    const [root, victim] = [folder(), folder()];
    mkdirSync(path.join(root, '.git', 'hooks'), { recursive: true });
    const { sandbox } = make(root);
    const program = { file: '/bin/touch', args: [path.join(victim, 'planted')], cwd: root, environment: {} };
    const wrapped = await sandbox.wrap(program, false, () => undefined);
    const start = () => execFileSync(wrapped.program.file, wrapped.program.args, { env: wrapped.program.environment, stdio: 'pipe' });
    rmSync(path.join(root, '.git'), { recursive: true });
    mkdirSync(path.join(victim, 'hooks'));
    symlinkSync(victim, path.join(root, '.git'));
    assert.throws(start, /was replaced meanwhile|Can't/);
    assert.equal(existsSync(path.join(victim, 'planted')), false);
    // The folder is there again when the mount is checked.
    rmSync(path.join(root, '.git'));
    mkdirSync(path.join(root, '.git', 'hooks'), { recursive: true });
    assert.throws(start, /was replaced meanwhile/);
    wrapped.dispose();
  });

  it('keeps its cache in a hidden folder, and the rest of the folder hidden', async () => {
    const [root, hidden] = [folder(), folder()];
    writeFileSync(path.join(hidden, 'state.db'), 'TOKEN=1234');
    const test = make(root, { cacheFolder: path.join(hidden, 'sandbox', 'ada') });
    test.settings.unreadable = [hidden];
    const { output } = await run(
      test,
      root,
      `mkdir -p "$npm_config_cache" && echo kept > "$npm_config_cache/a"; cat ${hidden}/state.db; touch ${hidden}/new`,
    );
    assert.doesNotMatch(output, /1234/);
    assert.equal(readFileSync(path.join(hidden, 'sandbox', 'ada', 'npm', 'a'), 'utf8'), 'kept\n');
    assert.equal(existsSync(path.join(hidden, 'new')), false);
  });

  it('does not reopen a hidden file that a command names', async () => {
    const root = folder();
    const secret = path.join(folder(), 'key');
    writeFileSync(secret, 'TOKEN=1234');
    const test = make(root);
    test.settings.unreadable = [secret];
    const wrapped = await test.sandbox.wrap({ file: '/bin/cat', args: [secret], cwd: root, environment: {} }, false, () => undefined);
    assert.throws(
      () => execFileSync(wrapped.program.file, wrapped.program.args, { env: wrapped.program.environment, stdio: 'pipe' }),
      /denied/,
    );
    wrapped.dispose();
  });

  it('keeps hooks and settings of the repository read-only, and lets Git commit', async () => {
    const root = folder();
    execFileSync('git', ['init', '-q', root]);
    writeFileSync(path.join(root, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\n');
    mkdirSync(path.join(root, '.vscode'));
    writeFileSync(path.join(root, '.vscode', 'tasks.json'), '{}');
    const lines = [
      'echo x > a && git add a && git -c user.name=a -c user.email=a@b commit -qm first --no-verify && echo committed',
      'echo evil > .git/hooks/post-commit',
      'git config core.fsmonitor evil',
      'echo evil > .vscode/tasks.json',
      'mv .git moved && echo MOVED',
      'rm -rf .git/hooks && echo REMOVED',
    ];
    const { output } = await run(make(root), root, lines.join('; '));
    assert.match(output, /committed/);
    assert.doesNotMatch(output, /MOVED|REMOVED/);
    assert.equal(existsSync(path.join(root, '.git', 'hooks', 'post-commit')), false);
    assert.doesNotMatch(readFileSync(path.join(root, '.git', 'config'), 'utf8'), /evil/);
    assert.equal(readFileSync(path.join(root, '.vscode', 'tasks.json'), 'utf8'), '{}');
  });

  it('keeps the places of hooks and settings that a project lacks', async () => {
    const root = folder();
    execFileSync('git', ['init', '-q', root]);
    execFileSync('git', ['-C', root, 'config', 'core.hooksPath', 'tools/hooks']);
    rmSync(path.join(root, '.git', 'hooks'), { recursive: true });
    mkdirSync(path.join(root, 'tools', 'hooks'), { recursive: true });
    const ran = path.join(folder(), 'ran');
    const lines = [
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      'mkdir evil && cp -r .git/objects .git/refs .git/HEAD evil/',
      `printf '[core]\nrepositoryformatversion = 0\nfsmonitor = touch ${ran}; false\n' > evil/config`,
      'echo ../evil > .git/commondir',
      'mv .git/commondir .git/other; rm .git/commondir',
      'echo evil > tools/hooks/pre-commit; mv tools moved && echo MOVED',
      'mkdir -p .vscode; echo {} > .vscode/tasks.json; mv .vscode moved && echo MOVED',
      'git -c user.name=a -c user.email=a@b commit -qm first --allow-empty && echo committed',
    ];
    const { output } = await run(make(root), root, lines.join('; '));
    assert.match(output, /committed/);
    assert.doesNotMatch(output, /MOVED/);
    execFileSync('git', ['-C', root, 'status'], { stdio: 'pipe' });
    assert.equal(existsSync(ran), false, 'Git runs no program of another configuration');
    for (const file of ['.git/hooks/pre-commit', 'tools/hooks/pre-commit', '.vscode/tasks.json']) {
      assert.equal(existsSync(path.join(root, file)), false, file);
    }
  });

  it('removes what it made in a project when its last sandbox ends', async () => {
    const root = folder();
    execFileSync('git', ['init', '-q', root]);
    const made = ['.vscode', '.git/commondir'].map((name) => path.join(root, name));
    const { TMPDIR } = process.env;
    // Sandboxes of other processes are in the usual folder.
    process.env['TMPDIR'] = folder();
    try {
      const [one, other] = [make(root), make(root)];
      await run(one, root, 'true');
      await run(one, root, 'true');
      await run(other, root, 'true');
      one.sandbox.dispose();
      assert.deepEqual(made.map(existsSync), [true, true]);
      other.sandbox.dispose();
      assert.deepEqual(made.map(existsSync), [false, false]);
    } finally {
      void (TMPDIR === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = TMPDIR));
    }
  });

  it('makes the settings of an agent that do not exist, so that the agent cannot', async () => {
    const [root, home] = [folder(), folder()];
    const { HOME } = process.env;
    process.env['HOME'] = home;
    try {
      const agent = { agentId: 'Claude Code', agentName: 'Claude Code', command: 'claude', args: [] };
      const lines =
        'cd ~/.claude; echo evil > settings.json; mkdir -p hooks && echo evil > hooks/a; echo evil > CLAUDE.md; echo kept > state';
      await run(make(root, { agent, isAgent: true }), root, lines, { HOME: home });
      assert.equal(readFileSync(path.join(home, '.claude', 'settings.json'), 'utf8'), '{}\n');
      assert.equal(readFileSync(path.join(home, '.claude', 'CLAUDE.md'), 'utf8'), '');
      assert.equal(existsSync(path.join(home, '.claude', 'hooks', 'a')), false);
      assert.equal(readFileSync(path.join(home, '.claude', 'state'), 'utf8'), 'kept\n');
    } finally {
      process.env['HOME'] = HOME;
    }
  });

  it('passes on the host of the address, and no other one', async () => {
    const hosts: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      hosts.push(headers.host);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const root = folder();
    const test = make(root);
    test.settings.hosts = [`127.0.0.1:${port}`];
    try {
      await run(test, root, `curl -sS --noproxy '' -x "$http_proxy" -H 'Host: hidden.example' http://127.0.0.1:${port}/`);
      assert.deepEqual(hosts, [`127.0.0.1:${port}`]);
    } finally {
      server.close();
    }
  });

  it('lets Git commit in a worktree, whose repository is elsewhere', async () => {
    const main = folder();
    const root = path.join(folder(), 'tree');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' });
    git('init', '-q');
    git('commit', '-qm', 'first', '--allow-empty');
    git('worktree', 'add', '-q', root);
    const { output } = await run(
      make(root),
      root,
      'git -c user.name=a -c user.email=a@b commit -qm second --allow-empty && echo committed; echo x > .git',
    );
    assert.match(output, /committed/);
    assert.match(readFileSync(path.join(root, '.git'), 'utf8'), /^gitdir/);
  });

  it('does not believe a file that calls another folder its repository', async () => {
    const root = folder();
    const victim = folder();
    writeFileSync(path.join(root, '.git'), `gitdir: ${victim}/worktrees/x\n`);
    mkdirSync(path.join(victim, 'worktrees', 'x'), { recursive: true });
    await run(make(root), root, `echo x > ${victim}/planted`);
    assert.equal(existsSync(path.join(victim, 'planted')), false);
  });

  it('connects to listed hosts only, and names the others', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const root = folder();
    const test = make(root);
    const request = `curl -sS --noproxy '' -x "$http_proxy" http://127.0.0.1:${port}/`;
    try {
      const refused = await run(test, root, request);
      assert.doesNotMatch(refused.output, /reached/);
      assert.match(refused.output, /sandbox of ACP Host refused/);
      assert.deepEqual(refused.refused, [{ kind: 'host', target: `127.0.0.1:${port}` }]);
      const direct = await run(test, root, `curl -sS -m 3 http://127.0.0.1:${port}/`);
      assert.doesNotMatch(direct.output, /reached/);
      test.settings.hosts = [`localhost:${port}`, `127.0.0.1:${port}`];
      assert.match((await run(test, root, request)).output, /reached/);
      // A client that ignores the proxy for this machine gets there, too.
      assert.match((await run(test, root, `curl -sS -m 3 http://localhost:${port}/`)).output, /reached/);
    } finally {
      server.close();
    }
  });

  it('connects to no host while the network is off', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const root = folder();
    const test = make(root);
    Object.assign(test.settings, { network: 'off', hosts: [`127.0.0.1:${port}`] });
    const lines = `curl -sS -m 3 --noproxy '' -x "$http_proxy" http://127.0.0.1:${port}/; curl -sS -m 3 http://127.0.0.1:${port}/`;
    try {
      assert.doesNotMatch((await run(test, root, lines)).output, /reached/);
    } finally {
      server.close();
    }
  });

  it('offers no pattern of hosts', async () => {
    const root = folder();
    const { refused } = await run(make(root), root, `curl -sS -m 3 --noproxy '' -x "$http_proxy" -g 'http://*.com/' 'https://*.com/'`);
    assert.deepEqual(refused, []);
  });

  it('allows a host for a program that already runs', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const root = folder();
    const test = make(root);
    const request = `curl -sS --noproxy '' -x "$http_proxy" http://127.0.0.1:${port}/`;
    try {
      const running = run(test, root, `${request}; touch asked; while [ ! -e go ]; do sleep 0.05; done; ${request}`);
      while (!existsSync(path.join(root, 'asked'))) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      test.settings.hosts = [`127.0.0.1:${port}`];
      writeFileSync(path.join(root, 'go'), '');
      assert.match((await running).output, /refused.*reached/s);
    } finally {
      server.close();
    }
  });

  it('reaches no socket of a program outside', async () => {
    const place = realpathSync(mkdtempSync(path.join(homedir(), '.sandbox-socket-')));
    folders.push(place);
    const server = createSocketServer((socket) => socket.end('reached'));
    const file = path.join(place, 'outside.sock');
    await new Promise<void>((resolve) => server.listen(file, resolve));
    const root = folder();
    try {
      const line = `node -e "require('net').connect('${file}').on('data', d => console.log(String(d))).on('error', e => console.log(e.code))"; env`;
      const { output } = await run(make(root), root, line, {
        SSH_AUTH_SOCK: file,
        VSCODE_IPC_HOOK_CLI: file,
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${file}`,
      });
      assert.doesNotMatch(output, /reached|SSH_AUTH_SOCK|VSCODE_IPC|DBUS_SESSION/);
    } finally {
      server.close();
    }
  });

  it('runs nothing of the agent’s environment outside', async () => {
    const root = folder();
    const { program } = await make(root).sandbox.wrap(
      {
        file: '/bin/true',
        args: ['--secret'],
        cwd: root,
        environment: { LD_PRELOAD: `${root}/evil.so`, TOKEN: '1234', BASH_ENV: 'x', ENV: 'x' },
      },
      false,
      () => undefined,
    );
    assert.deepEqual(Object.keys(program.environment).sort(), ['PATH']);
    assert.doesNotMatch(program.args.join(' '), /1234|secret/);
  });

  it('sees and signals no process outside', async () => {
    const root = folder();
    const { output } = await run(
      make(root),
      root,
      `kill -0 ${process.pid} && echo ALIVE; ls /proc | grep -c '^[0-9]'; cat /proc/1/environ | tr '\\0' '\\n'`,
    );
    assert.doesNotMatch(output, /ALIVE/);
  });

  it('ends what a program leaves behind', async () => {
    const root = folder();
    await run(
      make(root),
      root,
      'setsid nohup bash -c "while true; do date +%s%N > alive; sleep 0.05; done" >/dev/null 2>&1 & until [ -s alive ]; do sleep 0.05; done',
    );
    const last = readFileSync(path.join(root, 'alive'), 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(readFileSync(path.join(root, 'alive'), 'utf8'), last);
  });

  it('passes on the exit code, and lets a program finish its work on a signal', async () => {
    const root = folder();
    const test = make(root);
    assert.equal((await run(test, root, 'exit 7')).code, 7);
    assert.equal((await run(test, root, 'kill -TERM $$')).code, 143);
    const wrapped = await test.sandbox.wrap(
      {
        file: '/bin/bash',
        args: ['-c', 'trap "echo saved > saved; exit 3" TERM; touch ready; while true; do sleep 0.05; done'],
        cwd: root,
        environment: { PATH: process.env['PATH']! },
      },
      false,
      () => undefined,
    );
    const child = spawn(wrapped.program.file, wrapped.program.args, { env: wrapped.program.environment, stdio: 'ignore', detached: true });
    while (!existsSync(path.join(root, 'ready'))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const ended = new Promise((resolve) => child.on('close', resolve));
    const inside = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
      .split('\n')
      .find((line) => /^\s*\d+ \/bin\/bash -c trap "echo saved/.test(line));
    process.kill(-child.pid!, 'SIGTERM');
    process.kill(Number.parseInt(inside!, 10), 'SIGTERM');
    assert.equal(await ended, 3);
    assert.equal(existsSync(path.join(root, 'saved')), true);
  });

  it('says what is missing on a machine without bubblewrap, and starts nothing', async () => {
    const root = folder();
    const empty = folder();
    const { sandbox } = make(root, { environment: { PATH: empty } });
    const program = { file: '/bin/true', args: [], cwd: root, environment: {} };
    await assert.rejects(
      sandbox.wrap(program, false, () => undefined),
      { failure: { code: 'sandbox.not_installed' } },
    );
    writeFileSync(path.join(empty, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n');
    chmodSync(path.join(empty, 'bwrap'), 0o755);
    await assert.rejects(
      sandbox.wrap(program, false, () => undefined),
      (error: { failure: { code: string } }) => /^sandbox\.(?:no_namespaces|restricted)$/.test(error.failure.code),
    );
  });

  it('starts no bubblewrap of the project', async () => {
    const root = folder();
    writeFileSync(path.join(root, 'bwrap'), '#!/bin/sh\ntouch planted\n');
    chmodSync(path.join(root, 'bwrap'), 0o755);
    const link = path.join(folder(), 'link');
    symlinkSync(root, link);
    const { sandbox } = make(root, { environment: { PATH: `${root}:${link}` } });
    await assert.rejects(
      sandbox
        .wrap({ file: '/bin/true', args: [], cwd: root, environment: {} }, false, () => undefined)
        .then((each) => {
          assert.ok(each.program.args.includes('/usr/bin/bwrap'));
          throw new Error('found the system’s');
        }),
      /system’s|not_installed/,
    );
    assert.equal(existsSync(path.join(root, 'planted')), false);
  });
});
