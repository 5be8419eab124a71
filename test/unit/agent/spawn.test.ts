import assert from 'node:assert/strict';
import { StderrReader } from '../../../src/agent/stderr';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TransportEnd } from '../../../src/core/model/transport';
import { spawnAgent, type AgentProcess } from '../../../src/agent/spawn';
import { systemClock } from '../../../src/util/clock';
import { listProcesses } from '../../../src/util/processes/processList';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Started {
  readonly agent: AgentProcess;
  readonly lines: string[];
  readonly end: Promise<TransportEnd>;
  /** All of stdout so far. */
  text(): string;
}

describe('spawnAgent', function () {
  this.timeout(20_000);
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'acp-agent-'));
  let started: Started[] = [];

  function start(
    command: string,
    args: readonly string[],
    more: Partial<Parameters<typeof spawnAgent>[0]> = {},
    environment = process.env,
  ): Started {
    const lines: string[] = [];
    const chunks: Uint8Array[] = [];
    const launch = { agentId: 'Test', agentName: 'Test', command, args, env: {}, cwd, ...more };
    const agent = spawnAgent(launch, { clock: systemClock, log: quiet, environment, onStderrLine: (line) => void lines.push(line) });
    let ended = false;
    const end = new Promise<TransportEnd>((resolve) =>
      agent.transport.read({
        chunk: (chunk) => {
          assert.equal(ended, false, 'data after the end');
          chunks.push(chunk);
        },
        end: (each) => {
          assert.equal(ended, false, 'one end only');
          ended = true;
          resolve(each);
        },
      }),
    );
    const result = { agent, lines, end, text: () => Buffer.concat(chunks).toString() };
    started.push(result);
    return result;
  }

  const shell = (script: string, ...more: string[]): Started => start('sh', ['-c', script, ...more]);
  const node = (script: string, ...args: string[]): Started => start(process.execPath, ['-e', script, '--', ...args]);

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function alive(pids: readonly string[]): Promise<string[]> {
    const rows = await listProcesses();
    return pids.filter((pid) => rows.some((row) => row.pid === Number(pid) && !row.zombie));
  }

  afterEach(async () => {
    await Promise.all(started.map(({ agent }) => agent.dispose()));
    started = [];
  });

  it('carries bytes both ways, including those sent before the process runs', async () => {
    const { agent, end, text } = start('cat', []);
    const large = 'é'.repeat(300_000);
    assert.equal(agent.transport.write('first\n'), true);
    assert.equal(agent.transport.write(Buffer.from('second\n')), true);
    await until(() => text().endsWith('second\n'));
    agent.transport.write(large);
    await until(() => text().length === 'first\nsecond\n'.length + large.length);
    assert.equal(text(), `first\nsecond\n${large}`);
    await agent.dispose();
    assert.deepEqual(await end, { exitCode: 0 });
    assert.equal(agent.transport.write('late'), false);
  });

  it('passes arguments on unchanged, and runs no shell', async () => {
    const words = ['a;touch x', '$HOME', '`id`', '"', "'", '', '*', 'a\nb'];
    const { end, text } = node('console.log(JSON.stringify(process.argv.slice(1)))', ...words);
    await end;
    assert.deepEqual(JSON.parse(text()), words);
  });

  it('ends after the last byte of stdout', async () => {
    const { end, text } = shell('head -c 500000 /dev/zero; exit 3');
    assert.deepEqual(await end, { exitCode: 3 });
    assert.equal(text().length, 500_000);
  });

  it("removes the editor's variables, and adds those of the entry", async () => {
    const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1', NODE_OPTIONS: '--no-warnings' };
    const plain = start('printenv', [], { env: { KEY: 'value' } }, environment);
    await plain.end;
    assert.doesNotMatch(plain.text(), /^(ELECTRON_|VSCODE_|NODE_OPTIONS)/m);
    assert.match(plain.text(), /^KEY=value$/m);
    const asNode = start('printenv', ['ELECTRON_RUN_AS_NODE'], { runAsNode: true }, environment);
    await asNode.end;
    assert.equal(asNode.text(), '1\n');
  });

  it('finds the command on the PATH of its entry', async () => {
    const bin = mkdtempSync(path.join(os.tmpdir(), 'acp-bin-'));
    writeFileSync(path.join(bin, 'own-agent'), '#!/bin/sh\necho found\n', { mode: 0o755 });
    const { end, text } = start('own-agent', [], { env: { PATH: `${bin}:${process.env['PATH']}` } });
    await end;
    assert.equal(text(), 'found\n');
    assert.equal((await start('own-agent', []).end).failure?.code, 'agent.not_found');
  });

  it('reports why it did not start, without a value of the environment', async () => {
    const script = path.join(cwd, 'script');
    writeFileSync(script, '#!/no/such/interpreter\n');
    const params = (command: string) => ({ command, commandLine: command, cwd });
    const missing = start('no-such-agent', [], { env: { KEY: 'secret' } });
    assert.deepEqual(await missing.end, { failure: { code: 'agent.not_found', params: params('no-such-agent') } });
    assert.deepEqual((await start(script, []).end).failure, { code: 'agent.not_executable', params: params(script) });
    chmodSync(script, 0o755);
    const { failure } = await start(script, []).end;
    assert.equal(failure?.code, 'agent.spawn_failed');
    assert.match(failure?.detail ?? '', /ENOENT\n#!\/no\/such\/interpreter$/, 'what its first line names is what is missing');
    assert.equal((await start('cat', [], { cwd: path.join(cwd, 'missing') }).end).failure?.code, 'agent.bad_cwd');
    const nul = await start('cat', [], { env: { KEY: 'sec\0ret' } }).end;
    assert.equal(nul.failure?.code, 'agent.spawn_failed');
    assert.doesNotMatch(JSON.stringify(nul), /sec/);
  });

  it('describes the command line', () => {
    assert.deepEqual(start('npx', ['--yes', '@a/b@1.0.0', 'two words', "it's"], { env: { KEY: 'secret' } }).agent.transport.describe(), {
      commandLine: `npx --yes @a/b@1.0.0 'two words' 'it'\\''s'`,
    });
  });

  it('passes on the lines of stderr, and the last of them with the end', async () => {
    const { end, lines } = shell(
      `printf '\\033[31mréd\\033[0m\\r\\n\\n' >&2; head -c 10000 /dev/zero | tr '\\0' x >&2; printf '\\nlast' >&2; exit 1`,
    );
    const { stderrTail, exitCode } = await end;
    assert.equal(exitCode, 1);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 5)),
      ['réd', 'xxxxx', 'last'],
    );
    assert.equal(lines[1]!.length, 4097);
    assert.equal(stderrTail, lines.join('\n'));
  });

  it('bounds the stderr tail, and leaves out lines before the last frame', async () => {
    const long = await shell('for i in $(seq 1 500); do echo line $i >&2; done; exit 1').end;
    assert.equal(long.stderrTail?.split('\n').length, 40);
    assert.ok(long.stderrTail?.endsWith('line 500'));
    const framed = await shell('echo old >&2; sleep 0.6; echo frame; echo new >&2; exit 1').end;
    assert.equal(framed.stderrTail, 'new');
  });

  it('reports the lines of the last seconds when none came after the last frame', async () => {
    const said = await shell('echo fatal: database is locked >&2; sleep 0.6; echo frame; exit 1').end;
    assert.equal(said.stderrTail, 'fatal: database is locked');
    let now = 0;
    const reader = new StderrReader(
      () => now,
      () => {},
    );
    reader.push(Buffer.from('a warning\n'));
    now = 6000;
    reader.frame();
    assert.equal(reader.tail(), undefined);
  });

  it('ends even if a child keeps stdout open, and leaves no child', async () => {
    const { end, text } = shell(`sleep 300 & echo $!; exit 4`);
    assert.deepEqual(await end, { exitCode: 4 });
    await started[0]!.agent.dispose();
    assert.deepEqual(await alive([text().trim()]), []);
  });

  it('ends when the agent closes its stdin, even if it keeps running and writing', async () => {
    const { agent, end, text } = node(
      "require('fs').closeSync(0); process.stdout.write('deaf'); setInterval(() => process.stdout.write('.'), 50)",
    );
    await until(() => text().startsWith('deaf'));
    assert.equal(agent.transport.write('hello\n'), true, 'nobody knows yet');
    assert.deepEqual(await end, {});
    assert.equal(agent.transport.write('hello\n'), false);
  });

  it('reads everything that was written before the exit, even when the time limit for it is already over', async () => {
    const hurried = { now: () => systemClock.now(), after: (_ms: number, callback: () => void) => systemClock.after(0, callback) };
    const script = "for (let i = 0; i < 4; i++) require('fs').writeSync(1, 'x'.repeat(50000)); process.kill(process.pid, 'SIGKILL')";
    const launch = { agentId: 'Test', agentName: 'Test', command: process.execPath, args: ['-e', script], env: {}, cwd };
    const agent = spawnAgent(launch, { clock: hurried, log: quiet, environment: process.env, onStderrLine: () => {} });
    let bytes = 0;
    const end = new Promise((resolve) =>
      agent.transport.read({
        chunk: (chunk) => {
          bytes += chunk.length;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); // The agent writes the rest and ends while the test's thread is blocked.
        },
        end: resolve,
      }),
    );
    assert.deepEqual(await end, { signal: 'SIGKILL' });
    assert.equal(bytes, 200_000);
    await agent.dispose();
  });

  it('ends when stdout does, even if the agent keeps running', async () => {
    const { agent, end } = start(process.execPath, ['-e', 'require("fs").closeSync(1); setInterval(() => {}, 1000)']);
    assert.deepEqual(await end, {});
    await agent.dispose();
    assert.deepEqual(await alive([String(agent.pid)]), []);
  });

  it('ends the whole process group, including processes that ignore signals', async () => {
    const { agent, end, text } = shell(`trap '' TERM; sleep 300 & echo $$ $!; while :; do sleep 300; done`);
    await until(() => text().includes('\n'));
    const pids = text().trim().split(' ');
    assert.equal((await alive(pids)).length, 2);
    await agent.dispose();
    assert.deepEqual(await alive(pids), []);
    assert.deepEqual(await end, { signal: 'SIGKILL' });
  });

  it('lets an agent exit by itself when its stdin ends', async () => {
    const { agent, end } = shell('cat >/dev/null; exit 5');
    agent.transport.write('x');
    await until(() => agent.pid !== undefined);
    agent.transport.close();
    assert.deepEqual(await end, { exitCode: 5 });
  });

  it('never starts when it is disposed immediately', async () => {
    const { agent, end } = shell('echo started > started');
    await agent.dispose();
    assert.equal((await end).failure?.code, 'agent.start_cancelled');
    assert.equal(agent.pid, undefined);
  });

  it('survives writing to an agent that does not read', async () => {
    const { agent, end, text } = shell('exec <&-; echo closed; sleep 0.3; exit 0');
    await until(() => text() !== '');
    for (let turn = 0; turn < 10; turn++) {
      agent.transport.write('x'.repeat(100_000));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(agent.transport.write('x'), false);
    assert.deepEqual(await end, { exitCode: 0 });
  });

  it('reports the end to a reader that comes late', async () => {
    const { agent, end } = start('no-such-agent', []);
    await end;
    const told: unknown[] = [];
    agent.transport.read({ chunk: () => undefined, end: (late) => told.push(late.failure?.code) });
    assert.deepEqual(told, ['agent.not_found']);
  });
});
