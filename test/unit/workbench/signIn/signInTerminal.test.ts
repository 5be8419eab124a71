import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import Module from 'node:module';
import os from 'node:os';
import { loadNodePty } from '../../../../src/terminal/nodePty';
import type { LoadPty } from '../../../../src/terminal/pty';
import { alive, until } from '../../terminal/fakes';
import { own } from '../../../../src/application/shared/escape';

interface Pseudoterminal {
  onDidWrite(listener: (text: string) => void): unknown;
  open(size: undefined): void;
  close(): void;
}

/** The parts of VS Code that the terminal needs. */
class FakeVscode {
  shown = '';
  options: Record<string, unknown> = {};
  private readonly closed = new EventEmitter();
  readonly ThemeIcon = class {};
  readonly l10n = { t: (words: string) => words };
  readonly EventEmitter = class {
    private readonly emitter = new EventEmitter();
    readonly event = (listener: (value: unknown) => void): unknown => this.emitter.on('event', listener);
    fire(value: unknown): void {
      this.emitter.emit('event', value);
    }
  };
  readonly window = {
    createTerminal: (options: Record<string, unknown>) => {
      this.options = options;
      const pty = options['pty'] as Pseudoterminal | undefined;
      pty?.onDidWrite((text) => (this.shown += text));
      const terminal = { show: () => pty?.open(undefined), dispose: () => this.close(terminal, undefined) };
      return terminal;
    },
    onDidCloseTerminal: (listener: (terminal: unknown) => void) => {
      this.closed.on('closed', listener);
      return { dispose: () => this.closed.off('closed', listener) };
    },
  };

  close(terminal: object, code: number | undefined): void {
    (this.options['pty'] as Pseudoterminal | undefined)?.close();
    this.closed.emit('closed', Object.assign(terminal, { exitStatus: { code } }));
  }
}

describe('the terminal of a sign-in', function () {
  this.timeout(20_000);
  let vscode: FakeVscode;
  let runVisibly: typeof import('../../../../src/workbench/signIn/signInTerminal').runVisibly;
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  before(() => {
    vscode = new FakeVscode();
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));
    ({ runVisibly } =
      require('../../../../src/workbench/signIn/signInTerminal') as typeof import('../../../../src/workbench/signIn/signInTerminal'));
  });
  after(() => (loader._load = load));
  beforeEach(() => (vscode.shown = ''));

  const run = (
    script: string,
    loadPty: LoadPty = loadNodePty,
    signal = new AbortController().signal,
    opened: (terminal: object) => void = () => {},
  ): Promise<void> =>
    runVisibly(
      {
        file: '/bin/sh',
        args: ['-c', script],
        verbatim: false,
        environment: { PATH: process.env['PATH'] ?? '' },
        title: own('Sign in'),
        cwd: os.tmpdir(),
        commandLine: 'sh',
      },
      loadPty,
      signal,
      opened,
    );

  const OSC_52 = {
    'a copy that ends with BEL': `printf '\\033]52;c;aGVsbG8=\\007'`,
    'a copy that ends with ST': `printf '\\033]52;c;aGVsbG8=\\033\\\\'`,
    'a question for what is there': `printf '\\033]52;c;?\\007'`,
    'one control character for two': `printf '\\302\\23552;p;aGVsbG8=\\302\\234'`,
    'leading zeros': `printf '\\033]0052;;aGVsbG8=\\007'`,
    'wrapped for tmux': `printf '\\033Ptmux;\\033\\033]52;c;aGVsbG8=\\007\\033\\\\'`,
    'a byte at a time': `for part in '\\033' ']' '5' '2' ';' 'c' ';aGVs' 'bG8=' '\\007'; do printf "$part"; sleep 0.02; done`,
    'a character in two reads': `printf '\\302'; sleep 0.05; printf '\\23552;c;aGVsbG8=\\007'`,
  };
  for (const [name, script] of Object.entries(OSC_52)) {
    it(`shows the program's output, and blocks access to the clipboard: ${name}`, async () => {
      await run(`printf 'Your code: \\033[1m1234\\033[0m'; ${script}; echo after`);
      assert.ok(vscode.shown.includes('Your code: \x1b[1m1234\x1b[0m') && vscode.shown.includes('after'), JSON.stringify(vscode.shown));
      assert.doesNotMatch(vscode.shown, /52;|aGVs/);
    });
  }

  it("passes the program's queries to the terminal", async () => {
    await run(`printf '\\033[6n\\033]11;?\\007'`);
    assert.ok(vscode.shown.includes('\x1b[6n') && vscode.shown.includes('\x1b]11;?\x07'));
  });

  it('leaves no process of the program when it is closed, wherever that ran', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const abort = new AbortController();
    const running = run(`setsid sh -c 'echo pid $$.; exec sleep 300' & wait`, loadNodePty, abort.signal);
    await until(() => /pid \d+\./.test(vscode.shown));
    const pids = [/pid (\d+)\./.exec(vscode.shown)![1]!];
    assert.equal((await alive(pids)).length, 1);
    abort.abort();
    await assert.rejects(running);
    await until(async () => (await alive(pids)).length === 0);
  });

  it('leaves no process of a program in VS Code’s own terminal either', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    let terminal: object = {};
    const { spawn } = await import('node:child_process');
    const running = run(
      '',
      () => Promise.reject(new Error('no binary')),
      new AbortController().signal,
      (opened) => (terminal = opened),
    );
    await until(() => vscode.options['env'] !== undefined);
    const child = spawn('setsid', ['sleep', '300'], { stdio: 'ignore', detached: true, env: vscode.options['env'] as NodeJS.ProcessEnv });
    vscode.close(terminal, 0);
    await running;
    await until(async () => (await alive([String(child.pid)])).length === 0);
  });
});
