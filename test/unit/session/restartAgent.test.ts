/** Ends an agent's process and starts it again, with all of its sessions. */
import assert from 'node:assert/strict';
import { restartAgent } from '../../../src/session/restartAgent';
import { Sessions } from '../../../src/session/sessions';
import { agentSays, back, lines, OURS, setup, text } from './earlierScene';
import { fakeDependencies, launch } from './fakes';

function two() {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const [one, other] = [sessions.create(launch(), setup), sessions.create(launch(), setup)];
  const elsewhere = sessions.create(launch('Other'), setup);
  const agent = fakes.agents[0]!;
  agent.offer('resume');
  agent.ready(agent.dialect);
  agent.newSession[0]!(back('S'));
  agent.newSession[1]!(back('T'));
  fakes.agents[1]!.open('U');
  one.prompt(text('question'));
  agent.client.onUpdate('S', [agentSays('a', 'answer')]);
  agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
  return { ...fakes, sessions, one, other, elsewhere, agent };
}

describe('restarting an agent', () => {
  it('ends its process once, and reopens every session of it in one new process', () => {
    const { sessions, one, other, elsewhere, agent, agents } = two();
    restartAgent(sessions, 'Fake');
    assert.deepEqual([agents.length, agent.disposed, agents[1]!.disposed], [3, 1, 0]);
    const next = agents[2]!;
    next.offer('resume');
    next.ready(next.dialect);
    assert.deepEqual(next.sent.slice(-2), [
      ['resume', 'S'],
      ['resume', 'T'],
    ]);
    next.again[0]!(back('S'));
    next.again[1]!(back('T'));
    assert.deepEqual(
      [one, other, elsewhere].map(({ store }) => store.state.status),
      ['ready', 'ready', 'ready'],
    );
    assert.deepEqual(lines(one), OURS);
    sessions.dispose();
  });

  it('ends a running turn, with the reason', () => {
    const { sessions, one, agent, agents } = two();
    one.prompt(text('more'));
    agent.client.onUpdate('S', [agentSays('b', 'half')]);
    restartAgent(sessions, 'Fake');
    const entry = [...one.store.state.entries].at(-1) as { failure?: { code: string } };
    assert.deepEqual([lines(one).at(-1), entry.failure?.code, one.store.state.turn], ['turn error', 'agent.restarted', undefined]);
    // Messages of the old process are ignored.
    agent.client.onUpdate('S', [agentSays('c', 'late')]);
    assert.equal(lines(one).includes('agent: late'), false);
    agents[2]!.offer('resume');
    agents[2]!.ready(agents[2]!.dialect);
    agents[2]!.again[0]!(back('S'));
    assert.equal(one.store.state.status, 'ready');
    sessions.dispose();
  });

  it('starts one that had failed, and leaves sessions that have ended or are from an earlier window', async () => {
    const { sessions, one, other, agent, agents, clock } = two();
    const ending = other.end();
    clock.pass(2000);
    await ending;
    agent.end({ code: 'agent.exited' });
    assert.equal(one.store.state.status, 'disconnected');
    restartAgent(sessions, 'Fake');
    assert.deepEqual([agents.length, one.store.state.status, other.store.state.status], [3, 'starting', 'ended']);
    sessions.dispose();
  });
});
