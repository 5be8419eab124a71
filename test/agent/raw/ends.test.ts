/** However an agent exits, pending requests fail at once with the reason, its last messages are kept, and no process remains. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Failure } from '../../../src/core/model/failure';
import { watchLeaks } from '../../support/leaks';
import { Stage } from '../../support/scenario/stage';
import { happened, rawAgent, turnEnd } from './launch';

describe('an agent that exits', function () {
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

  /** Plays a script in a session during or after its first turn, and returns the events. */
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

  it('while both sides owe answers: reports exit status and stderr, and leaves nothing pending', async () => {
    const seen = await play('dies-owing');
    assert.deepEqual(failure(), { code: 'agent.exited', params: { exitCode: 3 }, detail: 'panic: out of luck' });
    assert.ok(
      seen.some((line) => /^permission_resolved (?:lost|withdrawn)$/.test(line)),
      seen.join('\n'),
    );
    assert.notEqual(stage.session.prompt([{ type: 'text', text: 'again' }]), undefined);
  });

  it('in the middle of a line of 50 MB: keeps the earlier messages', async () => {
    const seen = await play('dies-in-line');
    assert.deepEqual(failure(), { code: 'agent.exited', params: { signal: 'SIGKILL' } });
    assert.ok(seen.includes('message_chunk before'));
    assert.ok(
      stage.lines.some((line) => /^log A message that is no JSON: .*… \(26214400\)$/.test(line)),
      'and what was cut off is named',
    );
  });

  it('by closing its stdout, but stays alive', async () => {
    const seen = await play('closes-stdout');
    assert.deepEqual(failure(), { code: 'connection.closed', params: {} });
    assert.ok(seen.includes('message_chunk before'));
  });

  it('by closing its stdin, but stays alive and sends: the next prompt detects it', async () => {
    await play('closes-stdin');
    assert.equal(stage.session.store.state.status, 'ready');
    const ended = turnEnd(stage);
    stage.prompt('and now?');
    await ended;
    assert.deepEqual(failure(), { code: 'connection.closed', params: {} });
  });
});
