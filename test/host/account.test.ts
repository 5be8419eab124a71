import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuthMethod } from '../../src/core/model/content';
import { failureOf } from '../../src/core/model/failure';
import type { ProcessLaunch } from '../../src/core/model/agentLaunch';
import { loadNodePty } from '../../src/terminal/nodePty';
import type { LoadPty } from '../../src/terminal/pty';
import { Account, type AccountDependencies } from '../../src/workbench/signIn/account';
import { fingerprintOf } from '../../src/workbench/signIn/savedCredentials';

/** Writes its arguments and environment to the file that its first argument names, and exits with the status in its last one. */
const PROGRAM = `
  const [file, ...args] = process.argv.slice(1);
  const { writeFileSync } = require('node:fs');
  writeFileSync(file, JSON.stringify({ args, cwd: process.cwd(), env: process.env, tty: process.stdout.isTTY === true }));
  const last = args.at(-1);
  if (last !== 'wait') process.exit(Number(last));
  setInterval(() => undefined, 1000);
`;

describe('an account', function () {
  this.timeout(40_000);
  let folder: string;
  let file: string;
  let secrets: Map<string, string>;
  let memory: Map<string, unknown>;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'account-')));
    file = join(folder, 'started.json');
    secrets = new Map();
    memory = new Map();
  });

  afterEach(async () => {
    vscode.window.terminals.forEach((terminal) => terminal.dispose());
    await until('the terminals to be gone', () => vscode.window.terminals.length === 0);
    await rm(folder, { recursive: true, force: true });
  });

  async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (await holds()) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`waited for ${what}`);
  }

  function account(loadPty: LoadPty = loadNodePty): Account {
    const deps: AccountDependencies = {
      secrets: {
        get: async (key) => secrets.get(key),
        store: async (key, value) => void secrets.set(key, value),
        delete: async (key) => void secrets.delete(key),
        keys: async () => [...secrets.keys()],
        onDidChange: () => ({ dispose: () => undefined }),
      } as vscode.SecretStorage,
      globalState: {
        get: (key: string, fallback: unknown) => memory.get(key) ?? fallback,
        update: async (key: string, value: unknown) => void memory.set(key, value),
        keys: () => [],
      } as never,
      activity: { during: <T>(run: () => Thenable<T>) => run() } as never,
      environment: { ...process.env, VSCODE_SECRET: 'x', ELECTRON_X: 'y', NODE_OPTIONS: '--no-warnings' },
      places: (_, cwd) => ({ cwd }),
      loadPty,
      runsAsNode: () => false,
    };
    return new Account(deps);
  }

  const launch = (): ProcessLaunch => ({
    agentId: 'Tested',
    agentName: 'Tested',
    command: process.env.ACP_HOST_TEST_NODE!,
    args: ['-e', PROGRAM, '--', file],
    env: { OWN: 'mine' },
  });
  const terminalMethod = (args: string[], env = {}): AuthMethod => ({ methodId: 't', name: 'T', type: 'terminal', args, env });
  const started = async (): Promise<{ args: string[]; cwd: string; env: Record<string, string>; tty: boolean }> =>
    JSON.parse(await readFile(file, 'utf8'));
  const has = (): Promise<boolean> =>
    started().then(
      () => true,
      () => false,
    );
  const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'done',
      (error: unknown) => failureOf(error),
    );
  const never = new AbortController().signal;

  const ways: readonly [string, LoadPty][] = [
    ['on a pseudo terminal of ours', loadNodePty],
    ['on VS Code’s own', () => Promise.reject(new Error('none here'))],
  ];
  for (const [where, loadPty] of ways) {
    describe(where, () => {
      it('runs the same program in a visible terminal, with its arguments appended and its environment merged', async () => {
        await account(loadPty).runInTerminal(launch(), folder, terminalMethod(['log in', '0'], { EXTRA: 'too' }), never);
        const { args, cwd, env, tty } = await started();
        assert.deepEqual([args, cwd, tty], [['log in', '0'], folder, true]);
        assert.deepEqual(
          [env.OWN, env.EXTRA, env.VSCODE_SECRET, env.ELECTRON_X, env.NODE_OPTIONS],
          ['mine', 'too', undefined, undefined, undefined],
        );
        assert.equal(env.PATH, process.env.PATH);
        await until('its terminal to close', () => vscode.window.terminals.length === 0);
      });

      it('returns its exit status', async () => {
        const failure = await codeOf(account(loadPty).runInTerminal(launch(), folder, terminalMethod(['3']), never));
        assert.deepEqual(failure, { code: 'auth.program_failed', params: { exitCode: 3 } });
      });

      it('is not done when the user closes its terminal, or cancels', async () => {
        const closed = codeOf(account(loadPty).runInTerminal(launch(), folder, terminalMethod(['wait']), never));
        await until('the program', has);
        assert.match(vscode.window.terminals[0]!.name, /Tested/);
        vscode.window.terminals[0]!.dispose();
        assert.deepEqual(await closed, { code: 'auth.terminal_closed' });
        await rm(file);
        const abort = new AbortController();
        const givenUp = codeOf(account(loadPty).runInTerminal(launch(), folder, terminalMethod(['wait']), abort.signal));
        await until('the program', has);
        abort.abort();
        assert.deepEqual(await givenUp, { code: 'auth.not_finished' });
        await until('its terminal to close', () => vscode.window.terminals.length === 0);
      });
    });
  }

  it('keeps the terminal of a failed program open until the next attempt', async () => {
    const tried = account();
    await codeOf(tried.runInTerminal(launch(), folder, terminalMethod(['4']), never));
    await codeOf(tried.runInTerminal(launch(), folder, terminalMethod(['3']), never));
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(vscode.window.terminals.length, 1);
    vscode.window.terminals[0]!.sendText('x', false);
    await until('a key to close it', () => vscode.window.terminals.length === 0);
  });

  it('starts no missing program, and none that could be another one', async () => {
    const missing = { ...launch(), command: 'no-such-program-4711' };
    assert.equal(
      ((await codeOf(account().runInTerminal(missing, folder, terminalMethod([]), never))) as { code: string }).code,
      'agent.not_found',
    );
    for (const name of ['PATH', 'node_options', 'LD_PRELOAD', 'A=B']) {
      assert.deepEqual(await codeOf(account().runInTerminal(launch(), folder, terminalMethod(['0'], { [name]: 'x' }), never)), {
        code: 'auth.unsafe_variable',
        params: { name },
      });
    }
    const values: AuthMethod = {
      methodId: 'v',
      name: 'V',
      type: 'env_var',
      vars: [{ name: 'DYLD_LIBRARY_PATH', secret: true, optional: false }],
    };
    assert.equal(((await codeOf(account().askVariables(launch(), values, never))) as { code: string }).code, 'auth.unsafe_variable');
    assert.equal(vscode.window.terminals.length, 0);
    assert.equal(await has(), false);
  });

  it('passes the stored values to the program, and forgets them', async () => {
    const method: AuthMethod = {
      methodId: 'v',
      name: 'V',
      type: 'env_var',
      vars: [
        { name: 'A_KEY', secret: true, optional: false },
        { name: 'B', secret: false, optional: true },
      ],
    };
    const values = [{ launch: fingerprintOf(launch(), vscode.env.remoteName), values: { A_KEY: 'sesame', BAD: 7 } }];
    secrets.set('acpHost.signIn.Tested', JSON.stringify(values));
    memory.set('agentsWithValues', ['Tested']);
    const kept = account();
    const other = { ...launch(), args: [...launch().args, 'other'] };
    await kept.load(launch());
    await kept.load(other);
    assert.deepEqual([kept.environment(launch()), kept.hasVariables(launch(), method)], [{ A_KEY: 'sesame' }, true]);
    assert.deepEqual([kept.environment(other), kept.hasVariables(other, method)], [{}, false]);
    await kept.runInTerminal(launch(), folder, terminalMethod(['0']), never);
    assert.equal((await started()).env.A_KEY, 'sesame');
    await kept.forget(launch());
    assert.deepEqual(
      [kept.environment(launch()), kept.hasVariables(launch(), method), secrets.size, kept.agentsWithValues],
      [{}, false, 0, []],
    );
  });

  it('lets the user refuse to enter values: Escape and cancellation store nothing', async () => {
    const method: AuthMethod = { methodId: 'v', name: 'V', type: 'env_var', vars: [{ name: 'A_KEY', secret: true, optional: false }] };
    const escaped = codeOf(account().askVariables(launch(), method, never));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.deepEqual(await escaped, { code: 'auth.not_finished' });
    const abort = new AbortController();
    const givenUp = codeOf(account().askVariables(launch(), method, abort.signal));
    abort.abort();
    assert.deepEqual(await givenUp, { code: 'auth.not_finished' });
    assert.equal(secrets.size, 0);
  });
});
