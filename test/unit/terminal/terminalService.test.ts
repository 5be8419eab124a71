import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import { MAX_RUNNING, type CreateTerminal } from '../../../src/terminal/terminalService';
import { loadNodePty } from '../../../src/terminal/nodePty';
import { alive, brokenPty, testRoom, until, type TestRoom } from './fakes';

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => failureOf(error).code,
  );

for (const [name, loadPty] of [
  ['node-pty', loadNodePty],
  ['pipe', brokenPty],
] as const) {
  describe(`terminal service on ${name}`, function () {
    this.timeout(30_000);
    let test: TestRoom;
    beforeEach(() => (test = testRoom({ loadPty })));
    afterEach(() => test.room.dispose());

    it('returns the complete output of many short commands', async () => {
      const pending = Array.from({ length: 100 }, (_, index) => index);
      const one = async (): Promise<void> => {
        for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
          const size = (index * 977) % 30_000;
          // Every fifth output is written by other processes than the shell, which take most of the time.
          const written = index % 5 === 0 ? `head -c ${size} /dev/zero | tr '\\0' 0` : size > 0 ? `printf '%0${size}d' 0` : '';
          const output = await test.run('/bin/sh', ['-c', `${written}\nprintf 'END%s' ${index}`]);
          assert.equal(output.length, size + `END${index}`.length, `${index}: ${output.slice(-20)}`);
          assert.ok(output.endsWith(`0END${index}`) || size === 0);
        }
      };
      await Promise.all([one(), one(), one(), one()]);
    });

    it('passes arguments on unchanged', async () => {
      const words = ['a;touch x', '$HOME', '`id`', '"', "'", ' ', '', '*', '-n', 'é\tb'];
      const output = await test.run(process.execPath, ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...words]);
      assert.deepEqual(JSON.parse(output), words);
      assert.equal(await test.run('echo', ['a;touch x']), 'a;touch x\n');
      assert.equal(existsSync(path.join(test.cwd, 'x')), false);
    });

    it('runs a program without arguments directly, and anything else as a line of the shell', async () => {
      assert.equal(await test.run('pwd', []), `${test.cwd}\n`);
      assert.equal(await test.run('printf "%s-" a b | tr a-z A-Z; echo $0'), 'A-B-/bin/sh\n');
      const created = test.events.filter((each) => each.type === 'terminal_update' && each.command !== undefined);
      assert.deepEqual(
        created.map((each) => 'shell' in each && each.shell),
        [false, true],
      );
    });

    it("hides the editor's variables and sets no pager", async () => {
      await test.room.dispose();
      test = testRoom({
        loadPty,
        environment: { ...process.env, ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1', NODE_OPTIONS: '--no-warnings', PAGER: 'less' },
      });
      const terminalId = await test.room.create({ command: 'printenv', env: [{ name: 'ASKED', value: 'a=b c' }] });
      await test.room.waitForExit(terminalId);
      const lines = test.room.output(terminalId).output.split('\n');
      assert.deepEqual(
        lines.filter((line) => /^(ELECTRON_|VSCODE_|NODE_OPTIONS)/.test(line)),
        [],
      );
      for (const line of ['PAGER=cat', 'GIT_PAGER=cat', 'ASKED=a=b c', `PWD=${test.cwd}`]) {
        assert.ok(lines.includes(line), line);
      }
    });

    it('gives the agent plain text and the card the colors', async () => {
      const terminalId = await test.room.create({ command: `printf '\\033[31mréd\\033[0m\\r\\nnext\\n'` });
      assert.deepEqual(await test.room.waitForExit(terminalId), { exitCode: 0 });
      assert.deepEqual(test.room.output(terminalId), { output: 'réd\nnext\n', truncated: false, exitStatus: { exitCode: 0 } });
      assert.match(test.shown(terminalId), /\u001b\[31mréd\u001b\[0m\r+\nnext/);
    });

    it('cuts at a character, and reports that', async () => {
      const terminalId = await test.room.create({ command: `for i in 1 2 3 4 5 6 7 8 9; do printf '漢字'; done`, outputByteLimit: 20 });
      await test.room.waitForExit(terminalId);
      assert.deepEqual(test.room.output(terminalId), { output: '漢字漢字漢字', truncated: true, exitStatus: { exitCode: 0 } });
    });

    it('stays within the limit when the output is not UTF-8', async () => {
      const terminalId = await test.room.create({ command: `head -c 1000 /dev/zero | tr '\\0' '\\377'`, outputByteLimit: 100 });
      await test.room.waitForExit(terminalId);
      const { output, truncated } = test.room.output(terminalId);
      assert.ok(Buffer.byteLength(output) <= 100 && output.length > 30 && truncated, output);
    });

    it('ends a shell and its three children, and keeps the output', async () => {
      const terminalId = await test.room.create({ command: 'sleep 300 & a=$!; sleep 300 & b=$!; sleep 300 & echo $$ $a $b $!; wait' });
      await until(() => test.room.output(terminalId).output.includes('\n'));
      const { output } = test.room.output(terminalId);
      assert.equal((await alive(output.trim().split(' '))).length, 4);
      await test.room.kill(terminalId);
      assert.deepEqual(await test.room.waitForExit(terminalId), { signal: 'SIGTERM' });
      assert.deepEqual(await alive(output.trim().split(' ')), []);
      assert.ok(test.room.output(terminalId).output.startsWith(output));
      await test.room.kill(terminalId);
    });

    it('ends processes that outlive their command on release', async () => {
      const terminalId = await test.room.create({ command: `trap '' HUP; sleep 300 & echo $!; exit 3` });
      assert.deepEqual(await test.room.waitForExit(terminalId), { exitCode: 3 });
      const pids = test.room.output(terminalId).output.trim().split(' ');
      assert.equal((await alive(pids)).length, 1);
      await test.room.release(terminalId);
      assert.deepEqual(await alive(pids), []);
    });

    it('ends all processes when it is disposed', async () => {
      const terminalIds = await Promise.all(Array.from({ length: 3 }, () => test.room.create({ command: 'echo $$; exec sleep 300' })));
      await until(() => terminalIds.every((terminalId) => test.room.output(terminalId).output !== ''));
      const pids = terminalIds.map((terminalId) => test.room.output(terminalId).output.trim());
      const waiting = test.room.waitForExit(terminalIds[0]!);
      await test.room.dispose();
      assert.deepEqual(await alive(pids), []);
      assert.deepEqual(await waiting, { signal: 'SIGTERM' });
      assert.equal(await codeOf(test.room.create({ command: 'pwd' })), 'session.ended');
    });

    it('reports a start, an exit and a release, in order', async () => {
      const terminalId = await test.room.create({ command: 'printf', args: ['hi there'] });
      await test.room.waitForExit(terminalId);
      await test.room.release(terminalId);
      assert.deepEqual(test.events, [
        {
          type: 'terminal_update',
          terminalId,
          ours: true,
          command: "printf 'hi there'",
          cwd: test.cwd,
          ...(name === 'pipe' && { pipe: true }),
        },
        { type: 'terminal_output', terminalId, text: 'hi there' },
        { type: 'terminal_update', terminalId, exitStatus: { exitCode: 0 } },
        { type: 'terminal_update', terminalId, released: true },
      ]);
    });
  });
}

describe('terminal service', function () {
  this.timeout(30_000);
  let test: TestRoom;
  beforeEach(() => (test = testRoom()));
  afterEach(() => test.room.dispose());

  it('reports a missing pseudo terminal once', async () => {
    test = testRoom({ loadPty: brokenPty });
    await test.run('pwd');
    await test.run('pwd');
    assert.equal(test.warnings.length, 1);
    assert.match(test.warnings[0]!, /no binary/);
  });

  it('uses a pipe when the system gives no terminal', async () => {
    test = testRoom({
      loadPty: () =>
        Promise.resolve(() => {
          throw new Error('forkpty(3) failed.');
        }),
    });
    assert.equal(await test.run('pwd'), `${test.cwd}\n`);
    assert.equal(
      test.events.some((each) => each.type === 'terminal_update' && each.pipe === true),
      true,
    );
  });

  it('gives the command a terminal', async () => {
    assert.equal(
      await test.run('test -t 0 && test -t 1 && test -t 2 && tty </dev/tty >/dev/null && echo "$TERM" && stty size'),
      'xterm-256color\n24 120\n',
    );
  });

  it('refuses commands that it cannot run', async () => {
    mkdirSync(path.join(test.cwd, 'folder'));
    symlinkSync(os.tmpdir(), path.join(test.cwd, 'out'));
    const cases: [CreateTerminal, string][] = [
      [{ command: 'no-such-program-here', args: ['x'] }, 'terminal.not_found'],
      [{ command: './folder', args: ['x'] }, 'terminal.not_found'],
      [{ command: '' }, 'params.invalid'],
      [{ command: 'echo', args: ['a\0b'] }, 'params.invalid'],
      [{ command: 'pwd', cwd: '/' }, 'terminal.outside_roots'],
      [{ command: 'pwd', cwd: path.join(test.cwd, 'out') }, 'terminal.outside_roots'],
      [{ command: 'pwd', cwd: path.join(test.cwd, 'missing') }, 'params.invalid'],
      [{ command: 'pwd', cwd: 'folder' }, 'fs.not_absolute'],
      [{ command: 'pwd', env: [{ name: 'A=B', value: '' }] }, 'params.invalid'],
    ];
    for (const [request, code] of cases) {
      assert.equal(await codeOf(test.room.create(request)), code, JSON.stringify(request));
    }
    assert.deepEqual(test.events, []);
  });

  it('runs nothing when the folder was replaced after it was requested', async () => {
    let asked = 0;
    const swapped = testRoom({ roots: { resolve: async (folder) => (++asked === 1 ? folder : '/') } });
    assert.equal(await codeOf(swapped.room.create({ command: 'pwd' })), 'terminal.outside_roots');
    assert.deepEqual(swapped.events, []);
  });

  it('refuses unknown ids, and ids after their release', async () => {
    const terminalId = await test.room.create({ command: 'pwd' });
    await test.room.release(terminalId);
    for (const [id, code] of [
      [terminalId, 'terminal.released'],
      ['other', 'terminal.unknown'],
    ] as const) {
      assert.throws(
        () => test.room.output(id),
        (error) => failureOf(error).code === code,
      );
      assert.equal(await codeOf(test.room.waitForExit(id)), code);
      assert.equal(await codeOf(test.room.kill(id)), code);
      assert.equal(await codeOf(test.room.release(id)), code);
      await test.room.stop(id);
    }
  });

  it('lets a wait be cancelled, and answers a wait that a release ends', async () => {
    const terminalId = await test.room.create({ command: 'sleep', args: ['300'] });
    const abort = new AbortController();
    const cancelled = codeOf(test.room.waitForExit(terminalId, abort.signal));
    const waiting = test.room.waitForExit(terminalId, new AbortController().signal);
    abort.abort();
    assert.equal(await cancelled, 'request.cancelled');
    await test.room.release(terminalId);
    assert.deepEqual(await waiting, { signal: 'SIGTERM' });
  });

  it('limits the number of running commands', async () => {
    const asked = Array.from({ length: MAX_RUNNING + 1 }, () => test.room.create({ command: 'sleep', args: ['300'] }));
    const codes = await Promise.all(asked.map(codeOf));
    assert.deepEqual(
      codes.filter((code) => code !== 'no failure'),
      ['terminal.too_many'],
    );
    await test.room.stop(await asked[0]!);
    await test.room.create({ command: 'pwd' });
  });

  it('shows a flood in part, and counts the rest', async () => {
    const size = 3_000_000;
    const terminalId = await test.room.create({ command: `yes 0123456789 | head -c ${size}` });
    await test.room.waitForExit(terminalId);
    const outputs = test.events.filter((each) => each.type === 'terminal_output');
    const shown = outputs.reduce((sum, each) => sum + each.text.length, 0);
    const skipped = outputs.reduce((sum, each) => sum + (each.skipped ?? 0), 0);
    // The terminal writes CR before every LF.
    assert.equal(shown + skipped, size + Math.floor(size / 11));
    assert.ok(skipped > 0);
    assert.ok(outputs.every((each) => each.text.length <= 32 * 1024));
    const lines = test.shown(terminalId).split('\r\n').slice(0, -1);
    assert.deepEqual(
      lines.filter((line) => line !== '0123456789'),
      [],
      'cut between lines',
    );
    assert.equal(test.room.output(terminalId).output.length, 1024 * 1024);
    assert.equal(test.room.output(terminalId).truncated, true);
  });
});
