import assert from 'node:assert/strict';
import { runningAgents } from '../../../../src/application/agents/runningAgents';
import type { Failure } from '../../../../src/core/model/failure';
import { Sessions } from '../../../../src/session/sessions';
import { back, setup, text } from '../../session/earlierScene';
import { fakeDependencies, launch } from '../../session/fakes';

const EXITED: Failure = { code: 'agent.exited', params: { exitCode: 1 } };

function scene() {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  runningAgents(sessions, () => fakes.clock.now());
  const session = sessions.create(launch(), setup);
  /** Opens the session in the newest process. */
  const opened = (id?: string): void => {
    const agent = fakes.agents.at(-1)!;
    agent.offer('resume');
    agent.ready(agent.dialect);
    (id === undefined ? agent.again : agent.newSession)[0]!(back(id ?? 'S'));
  };
  opened('S');
  /** Ends the agent after this time, and sends a message, which starts it again. */
  const endAndSend = (ms: number, failure = EXITED): void => {
    fakes.clock.pass(ms);
    fakes.agents.at(-1)!.end(failure);
    session.submit(text('go on'));
  };
  return { ...fakes, sessions, session, opened, endAndSend, state: () => session.store.state };
}

describe('an agent that ends again and again', () => {
  it('is not started after five ends in three minutes, and the failure says so', () => {
    const { sessions, agents, endAndSend, opened, state } = scene();
    for (let count = 1; count < 5; count++) {
      endAndSend(20_000);
      assert.deepEqual([agents.length, state().status], [count + 1, 'starting']);
      opened();
    }
    endAndSend(20_000);
    assert.deepEqual([agents.length, state().status], [5, 'failed']);
    assert.deepEqual(state().failure, { code: 'agent.ends_too_often', params: { agent: 'Fake', count: 5, minutes: 3 } });
    sessions.dispose();
  });

  it('is started again when the user retries', () => {
    const { sessions, session, agents, endAndSend, opened } = scene();
    for (let count = 0; count < 5; count++) {
      endAndSend(20_000);
      if (count < 4) {
        opened();
      }
    }
    assert.equal(session.act('retry'), true);
    assert.equal(agents.length, 6);
    opened();
    endAndSend(1000);
    assert.equal(agents.length, 7);
    sessions.dispose();
  });

  it('is started when the ends are further apart', () => {
    const { sessions, agents, endAndSend, opened } = scene();
    for (let count = 0; count < 8; count++) {
      endAndSend(46_000);
      opened();
    }
    assert.equal(agents.length, 9);
    sessions.dispose();
  });

  it('does not count ends that the user has caused, and other agents', () => {
    const { sessions, agents, endAndSend, opened } = scene();
    for (let count = 0; count < 6; count++) {
      endAndSend(1000, { code: 'agent.stopped' });
      opened();
    }
    assert.equal(agents.length, 7);
    for (let count = 0; count < 5; count++) {
      endAndSend(1000);
      if (count < 4) {
        opened();
      }
    }
    const before = agents.length;
    const other = sessions.create(launch('Other'), setup);
    assert.deepEqual([agents.length, other.store.state.status], [before + 1, 'starting']);
    sessions.dispose();
  });

  it('can be joined while it runs', () => {
    const { sessions, agents, endAndSend, opened } = scene();
    for (let count = 0; count < 4; count++) {
      endAndSend(1000);
      opened();
    }
    const other = sessions.create(launch(), setup);
    assert.deepEqual([agents.length, other.store.state.status], [5, 'starting']);
    sessions.dispose();
  });
});
