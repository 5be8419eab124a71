/** Programs that speak no ACP: what they print on stdout is the only hint at the mistake in the settings. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Failure } from '../../../src/core/model/failure';
import { watchLeaks } from '../../support/leaks';
import { Stage } from '../../support/scenario/stage';

describe('a program that is no agent', function () {
  this.timeout(60_000);
  watchLeaks();

  /** @param lines gets the lines of the starting card */
  async function failureOf(script: string, timeout?: number, lines: (string | undefined)[] = []): Promise<Failure> {
    const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'other-')));
    const stage = new Stage(cwd, {
      launch: { command: process.execPath, args: ['-e', script], ...(timeout !== undefined && { timeoutMs: timeout }) },
      defaults: null,
    });
    stage.session.store.onEvents(() => void lines.push(stage.session.store.state.start?.line));
    try {
      await stage.when('the failure', () => stage.session.store.state.status !== 'starting');
      return stage.session.store.state.failure!;
    } finally {
      await stage.close();
      await rm(cwd, { recursive: true, force: true });
    }
  }

  it('is shown with the usage text that it prints, as plain text', async () => {
    const failure = await failureOf("console.log('\\u001b[1mUsage:\\u001b[0m tool [options]\\n\\n  --acp   speak ACP')");
    assert.deepEqual([failure.code, failure.params?.['exitCode']], ['agent.exited_at_start', 0]);
    assert.equal(failure.detail, 'Usage: tool [options]\n  --acp   speak ACP');
  });

  it('is shown with the text that is no JSON when it does not end', async () => {
    const failure = await failureOf("console.log('Welcome!'); console.error('ready'); setInterval(() => {}, 1000)", 3000);
    assert.deepEqual([failure.code, failure.params?.['printsText']], ['agent.start_timeout', 'yes']);
    assert.deepEqual(failure.detail?.split('\n').sort(), ['Welcome!', 'ready']);
  });

  it('shows what it prints while it starts', async () => {
    const lines: (string | undefined)[] = [];
    await failureOf("console.log('Usage: tool\\n\\n  \\u001b[1m--acp\\u001b[0m'); setInterval(() => {}, 1000)", 1500, lines);
    assert.equal(
      lines.findLast((line) => line !== undefined),
      'Usage: tool\n  --acp',
    );
  });

  it('is recognized when it sends back what it reads', async () => {
    const failure = await failureOf('process.stdin.pipe(process.stdout)');
    assert.equal(failure.code, 'protocol.echo');
  });

  it('is shown with the last lines of many', async () => {
    const failure = await failureOf("for (let i = 0; i < 500; i++) console.log('line ' + i + ' ' + 'z'.repeat(5000))");
    const lines = failure.detail!.split('\n');
    assert.deepEqual([lines.length, lines.at(-1)!.slice(0, 8)], [40, 'line 499']);
    assert.ok(failure.detail!.length < 50_000);
  });
});
