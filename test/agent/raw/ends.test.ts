/** However an agent goes, what waits for it is told at once and why, what it said last is kept, and nothing of it is left. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Failure } from '../../../src/core/model/failure';
import { watchLeaks } from '../../support/leaks';
import { Stage } from '../../support/scenario/stage';
import { happened, rawAgent, turnEnd } from './launch';

describe('an agent that goes', function () {
  this.timeout(60_000);
  watchLeaks();
  let stage: Stage;
  let cwd: string;

  afterEach(async () => {
    await stage.close();
    await rm(cwd, { recursive: true, force: true });
    stage.checkFold();
    stage.checkFrames();
  });

  /** A session in the midst of its first turn, or after it, and what happens to it. */
  async function play(script: string): Promise<readonly string[]> {
    cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'ends-')));
    stage = new Stage(cwd, { launch: rawAgent(script), answer: () => undefined });
    await stage.ready();
    const seen = happened(stage);
    const ended = turnEnd(stage);
    stage.prompt('go');
    await ended;
    return seen;
  }

  function failure(): Omit<Failure, 'params'> & { params: object } {
    const { status, failure: found, turn } = stage.session.store.state;
    assert.deepEqual([status, turn], ['disconnected', undefined]);
    assert.ok(found);
    const { commandLine, ...params } = found.params ?? {};
    assert.ok(String(commandLine).includes('agent.ts'));
    return { ...found, params };
  }

  it('while both sides owe each other answers: exit status, stderr, and nothing waits', async () => {
    const seen = await play('dies-owing');
    assert.deepEqual(failure(), { code: 'agent.exited', params: { exitCode: 3 }, detail: 'panic: out of luck' });
    assert.ok(
      seen.some((line) => /^permission_resolved (?:lost|withdrawn)$/.test(line)),
      seen.join('\n'),
    );
    assert.notEqual(stage.session.prompt([{ type: 'text', text: 'again' }]), undefined);
  });

  it('in the middle of a line of 50 MB: what came before is kept', async () => {
    const seen = await play('dies-in-line');
    assert.deepEqual(failure(), { code: 'agent.exited', params: { signal: 'SIGKILL' } });
    assert.ok(seen.includes('message_chunk before'));
    assert.ok(
      stage.lines.some((line) => /^log A message that is no JSON: .*… \(26214400\)$/.test(line)),
      'and what was cut off is named',
    );
  });

  it('by closing its stdout, alive', async () => {
    const seen = await play('closes-stdout');
    assert.deepEqual(failure(), { code: 'connection.closed', params: {} });
    assert.ok(seen.includes('message_chunk before'));
  });

  it('by closing its stdin, alive and talking: found out by the next prompt', async () => {
    await play('closes-stdin');
    assert.equal(stage.session.store.state.status, 'ready');
    const ended = turnEnd(stage);
    stage.prompt('and now?');
    await ended;
    assert.deepEqual(failure(), { code: 'connection.closed', params: {} });
  });
});
