/** A remote agent whose connection breaks and is made again. */
import assert from 'node:assert/strict';
import type { AgentLaunch } from '../../../src/core/model/agentLaunch';
import type { Failure } from '../../../src/core/model/failure';
import { MAX_ATTEMPTS } from '../../../src/core/reconnect/reconnect';
import { Sessions } from '../../../src/session/sessions';
import { agentSays, back, lines, setup } from './earlierScene';
import { type FakeAgent, fakeDependencies } from './fakes';
import { done, queue, say, sent } from './messageQueueScene';

const REMOTE: AgentLaunch = { agentId: 'Far', agentName: 'Far', kind: 'websocket', url: 'wss://far.example/acp', headers: {} };
const LOST: Failure = { code: 'remote.closed', params: { host: 'far.example' } };
const AWAY: Failure = { code: 'remote.unreachable', params: { host: 'far.example' } };

const loaded = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** @param offers the ways to open a session again */
function scene(offers: readonly ('load' | 'resume')[] = ['resume'], launch: AgentLaunch = REMOTE) {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch, setup);
  const agent = fakes.agents[0]!;
  offers.forEach((method) => agent.offer(method));
  agent.open();
  say(session, 'one');
  agent.client.onUpdate('S', [agentSays('a', 'answer')]);
  agent.prompts[0]!(done());
  const state = () => session.store.state;
  /** Answers `initialize` of the newest connection. */
  const connect = (): FakeAgent => {
    const next = fakes.agents.at(-1)!;
    offers.forEach((method) => next.offer(method));
    next.ready(next.dialect);
    return next;
  };
  const pauses = (): number => (state().reconnect?.at ?? NaN) - fakes.clock.now();
  return { ...fakes, sessions, session, agent, state, connect, pauses };
}

const notices = (session: Parameters<typeof lines>[0]): string[] => lines(session).filter((line) => line.startsWith('notice'));

describe('a remote agent whose connection breaks', () => {
  it('is connected again after a pause, and its session resumed', async () => {
    const { session, agent, agents, clock, state, connect, pauses } = scene();
    agent.end(LOST);
    await loaded();
    assert.deepEqual([state().status, state().reconnect?.attempt, state().reconnect?.host], ['disconnected', 1, 'far.example']);
    assert.ok(pauses() >= 750 && pauses() <= 1250);
    clock.pass(1250);
    assert.equal(agents.length, 2);
    const next = connect();
    assert.deepEqual(next.sent, [['resume', 'S']]);
    next.again[0]!(back('S'));
    assert.deepEqual([state().status, state().reconnect], ['ready', undefined]);
    assert.deepEqual(lines(session), ['user: one', 'agent: answer', 'turn end_turn', 'notice session.reconnected']);
    say(session, 'two');
    assert.deepEqual([sent(agent), sent(next)], [['one'], ['two']]);
  });

  it('waits longer after each attempt that fails, and stops in the end', async () => {
    const { agent, agents, clock, state, pauses } = scene();
    agent.end(LOST);
    await loaded();
    const waited: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      assert.equal(state().reconnect?.attempt, attempt);
      waited.push(pauses());
      clock.pass(pauses());
      assert.equal(agents.length, attempt + 1);
      agents.at(-1)!.end(AWAY);
    }
    assert.ok(
      waited.slice(0, 6).every((pause, index) => index === 0 || pause > waited[index - 1]!),
      waited.join(' '),
    );
    assert.deepEqual([state().status, state().reconnect, state().failure], ['failed', undefined, AWAY]);
    clock.pass(3_600_000);
    assert.equal(agents.length, MAX_ATTEMPTS + 1);
  });

  it('waits longer too when each connection breaks soon after it was made, and stops in the end', async () => {
    const { session, agent, agents, clock, state, connect, pauses } = scene();
    agent.end(LOST);
    await loaded();
    const waited: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      assert.equal(state().reconnect?.attempt, attempt);
      waited.push(pauses());
      clock.pass(pauses());
      const next = connect();
      next.again[0]!(back('S'));
      assert.equal(state().status, 'ready');
      clock.pass(2000);
      next.end(LOST);
    }
    assert.ok(waited[5]! > 20_000, waited.join(' '));
    assert.deepEqual([state().status, state().reconnect, state().failure], ['disconnected', undefined, LOST]);
    clock.pass(3_600_000);
    assert.equal(agents.length, MAX_ATTEMPTS + 1);
    // The user can still connect, and a connection that holds counts as a new beginning.
    assert.equal(session.act('resume'), true);
    connect().again[0]!(back('S'));
    clock.pass(120_000);
    agents.at(-1)!.end(LOST);
    assert.equal(state().reconnect?.attempt, 1);
  });

  it('ends a running turn once, sends nothing twice, and asks for the replay', async () => {
    const { session, agent, clock, state, connect } = scene(['resume', 'load']);
    say(session, 'two');
    agent.client.onUpdate('S', [agentSays('b', 'half')]);
    say(session, 'queued');
    agent.end(LOST);
    await loaded();
    assert.deepEqual(lines(session).at(-1), 'turn error');
    assert.deepEqual(queue(session), ['(queued)']);
    clock.pass(1250);
    const next = connect();
    // `load` fetches what was sent in between; `resume` could not.
    assert.deepEqual(next.sent, [['load', 'S']]);
    next.client.onUpdate('S', [
      { type: 'message_chunk', role: 'user', messageId: 'u1', content: { type: 'text', text: 'one' } },
      agentSays('a', 'answer'),
      { type: 'message_chunk', role: 'user', messageId: 'u2', content: { type: 'text', text: 'two' } },
      agentSays('b', 'half and the rest'),
    ]);
    next.again[0]!(back('S'));
    assert.equal(state().status, 'ready');
    assert.equal(lines(session).filter((line) => line === 'user: two').length, 1);
    assert.equal(
      lines(session)
        .filter((line) => line.startsWith('agent: half'))
        .join(),
      'agent: half and the rest',
    );
    assert.deepEqual(notices(session), ['notice session.reconnected']);
    // The queued message still waits for the user, because the turn before it has failed.
    assert.deepEqual([sent(next), queue(session)], [[], ['(queued)']]);
    session.resumeQueue();
    assert.deepEqual(sent(next), ['queued']);
  });

  it('connects at once for a message of the user, which is kept over failed attempts', async () => {
    const { session, agent, agents, clock, state, connect, pauses } = scene();
    agent.end(LOST);
    await loaded();
    say(session, 'two');
    assert.deepEqual([agents.length, state().status, queue(session)], [2, 'starting', ['two']]);
    agents[1]!.end(AWAY);
    assert.deepEqual([state().status, queue(session), state().reconnect?.attempt], ['failed', ['two'], 2]);
    say(session, 'three');
    assert.equal(agents.length, 3);
    agents[2]!.end(AWAY);
    assert.deepEqual(queue(session), ['two', 'three']);
    clock.pass(pauses());
    const next = connect();
    next.again[0]!(back('S'));
    assert.deepEqual(sent(next), ['two']);
    next.prompts[0]!(done());
    assert.deepEqual(sent(next), ['two', 'three']);
    clock.pass(3_600_000);
    assert.equal(agents.length, 4);
  });

  it('connects at once when the user chooses so, and once only', async () => {
    const { session, agent, agents, clock, state, connect } = scene();
    agent.end(LOST);
    await loaded();
    session.act('resume');
    session.act('resume');
    assert.equal(agents.length, 2);
    connect().again[0]!(back('S'));
    clock.pass(60_000);
    assert.deepEqual([agents.length, state().status], [2, 'ready']);
  });

  it('goes on while the server starts, and answers as if it had no agent', async () => {
    const { agent, agents, clock, state, connect, pauses } = scene();
    agent.end(LOST);
    await loaded();
    for (const [index, code] of (['remote.not_acp', 'remote.not_found'] as const).entries()) {
      clock.pass(pauses());
      agents[index + 1]!.end({ code, params: { host: 'far.example', status: '406' } });
      assert.deepEqual([state().status, state().reconnect?.attempt], ['failed', index + 2]);
    }
    clock.pass(pauses());
    connect().again[0]!(back('S'));
    assert.equal(state().status, 'ready');
  });

  it('stops at a failure that needs the user, and the queue waits for them', async () => {
    const { session, agent, agents, clock, state } = scene();
    agent.end(LOST);
    await loaded();
    say(session, 'two');
    agents[1]!.end({ code: 'remote.denied', params: { host: 'far.example', status: '401' } });
    assert.deepEqual(
      [state().status, state().failure?.code, state().reconnect, queue(session)],
      ['failed', 'remote.denied', undefined, ['(two)']],
    );
    clock.pass(3_600_000);
    assert.equal(agents.length, 2);
  });

  it('stays away when it is a process, cannot open the session, or the session has ended', async () => {
    const forgetful = scene([]);
    forgetful.agent.end(LOST);
    const process = scene(['resume'], { agentId: 'P', agentName: 'P', command: 'p', args: [], env: {} });
    process.agent.end({ code: 'agent.exited' });
    const ended = scene();
    ended.agent.end(LOST);
    await loaded();
    void ended.session.end();
    for (const { agents, clock, state } of [forgetful, process, ended]) {
      clock.pass(60_000);
      assert.deepEqual([agents.length, state().reconnect], [1, undefined]);
    }
  });

  it('waits for another break afterwards, and begins with the first pause again', async () => {
    const { agent, agents, clock, state, connect, pauses } = scene();
    agent.end(LOST);
    await loaded();
    clock.pass(1250);
    agents[1]!.end(AWAY);
    clock.pass(pauses());
    connect().again[0]!(back('S'));
    clock.pass(60_000);
    agents[2]!.end(LOST);
    assert.deepEqual([state().reconnect?.attempt, pauses() <= 1250], [1, true]);
  });

  it('leaves the timer with the window', async () => {
    const { sessions, agent, agents, clock } = scene();
    agent.end(LOST);
    await loaded();
    sessions.dispose();
    clock.pass(60_000);
    assert.equal(agents.length, 1);
  });

  it('keeps nothing of the wait in the journal', async () => {
    const { sessions, session, agent, journals } = scene();
    agent.end(LOST);
    await loaded();
    await sessions.flush();
    assert.ok(!journals.get(session.key)!.includes('reconnect'));
  });
});
