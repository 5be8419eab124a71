/** The session has all messages of any kind in the order of the wire, including the last ones before the agent exits. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { watchLeaks } from '../support/leaks';
import { Stage } from '../support/scenario/stage';
import { happened, rawAgent, turnEnd } from './raw/launch';
import { flood } from './raw/scripts';

describe('order', function () {
  this.timeout(60_000);
  watchLeaks();
  let stage: Stage;
  let cwd: string;

  async function open(...script: string[]): Promise<void> {
    cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'order-')));
    stage = new Stage(cwd, { launch: rawAgent(...script) });
    await stage.ready();
  }

  afterEach(async () => {
    await stage.close();
    await rm(cwd, { recursive: true, force: true });
    stage.checkFold();
    stage.checkFrames();
  });

  /** The lines of {@link happened} that belong to the raw agent's numbered messages. */
  const isNumbered = (line: string): boolean => /^(?:message_chunk|tool_call_update|usage|permission_requested|turn_ended)\b/.test(line);

  function numbered(index: number): string {
    const kind = ['tool_call_update', 'usage', 'message_chunk', 'message_chunk'][index % 4];
    return `${kind} ${index}`;
  }

  it('is kept for 10,000 updates, permission requests and the prompt’s answer', async () => {
    await open('flood');
    const seen = happened(stage);
    const finished = new Promise<string>((resolve) =>
      stage.session.store.onEvents((_, events) => events.forEach((event) => event.type === 'session_info' && resolve(String(event.title)))),
    );
    stage.prompt('go');
    assert.equal(await finished, 'answered 25');
    const expected = [...flood()].map((each) =>
      each === 'answer' ? 'turn_ended end_turn' : 'ask' in each ? `permission_requested ask ${each.ask}` : numbered(each.update),
    );
    assert.equal(expected.length, 10_026);
    // Joined to one string, so that a failure shows only the lines that differ.
    assert.equal(seen.filter((line) => isNumbered(line) && line !== 'tool_call_update 0').join('\n'), expected.join('\n'));
  });

  for (const how of ['', 'unterminated']) {
    it(`is kept without a gap for the last 5,000 updates of an agent that exits at once${how && ', the last line unterminated'}`, async () => {
      await open('tail', how);
      const seen = happened(stage);
      const ended = turnEnd(stage);
      stage.prompt('go');
      await ended;
      assert.equal(
        seen.filter((line) => isNumbered(line) && line !== 'turn_ended error').join('\n'),
        Array.from({ length: 5_000 }, (_, index) => numbered(index + 1)).join('\n'),
      );
      assert.equal(seen.at(-1), 'disconnected agent.exited');
    });
  }
});
