import assert from 'node:assert/strict';
import { needsYou } from '../../../src/core/model/select';
import type { Session } from '../../../src/session/session';
import { launch, turn } from './fakes';
import type { Scene } from './signInScene';
import { setup, no, text, scene, initialize, opened, ended, statusOf, turnsOf, sentTo } from './signInScene';

describe('signing in by a terminal', () => {
  it('starts the agent again, reopens the session and sends the waiting prompt', async () => {
    const { session, agent, agents, account } = scene();
    agent().newSession[0]!(no);
    session.signIn('login');
    assert.equal(account.asked[0]!.method.methodId, 'login');
    account.asked[0]!.finish();
    await turn();
    assert.deepEqual([agents.length, agents[0]!.disposed, statusOf(session)], [2, 1, 'signed_in']);
    initialize(agent());
    opened(agent(), 'S');
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    account.asked[1]!.finish();
    await turn();
    agent().offer('resume');
    initialize(agent());
    assert.ok(session.store.state.turn, 'the turn waits on');
    assert.deepEqual(agent().sent, [['resume', 'S']]);
    agent().again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
    assert.equal(agents.length, 3);
    assert.ok(
      agents.every(({ authentications }) => authentications.length === 0),
      'never told of a terminal’s method',
    );
  });

  it('sends the prompt once more after the agent has replayed the conversation', async () => {
    const { session, agent, account } = scene();
    agent().offer('load');
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    agent().offer('load');
    initialize(agent());
    agent().client.onUpdate('S', [{ type: 'message', role: 'user', messageId: 'old', content: [text('earlier')] }]);
    agent().again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.equal(statusOf(session), 'signed_in', 'that is not for the agent to tell');
    ended(agent());
    const said = [...session.store.state.entries].map((slot) =>
      slot.kind === 'message' && 'content' in slot ? slot.content.map((block) => 'text' in block && block.text).join() : slot.kind,
    );
    assert.deepEqual(said, ['earlier', 'go', 'turn']);
  });

  it('shows how the program ended, or that its terminal was closed', async () => {
    const { session, agent, account } = scene();
    agent().newSession[0]!(no);
    for (const failure of [{ code: 'auth.program_failed', params: { exitCode: 4 } }, { code: 'auth.terminal_closed' }] as const) {
      session.signIn('login');
      account.asked.at(-1)!.fail(failure);
      await turn();
      assert.deepEqual(session.store.state.signIn, { status: 'failed', methodId: 'login', failure });
    }
    session.signIn('key');
    account.asked.at(-1)!.fail({ code: 'auth.not_finished' });
    await turn();
    assert.equal(session.store.state.signIn?.failure?.detail, 'Who are you?', 'backing out is no failure');
    session.signIn('login');
    session.signIn();
    assert.ok(account.asked.at(-1)!.signal.aborted);
    account.asked.at(-1)!.finish();
    await turn();
    assert.equal(statusOf(session), 'required');
  });

  it('works for an agent that exits when it is not signed in', async () => {
    const { session, agent, agents, account } = scene();
    agent().newSession[0]!(no);
    agent().end({ code: 'agent.exited', params: { exitCode: 1 } });
    assert.deepEqual([session.store.state.status, statusOf(session)], ['starting', 'required']);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    initialize(agent());
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    agent().end({ code: 'agent.exited', params: { exitCode: 1 } });
    assert.deepEqual([session.store.state.status, statusOf(session), !!session.store.state.turn], ['ready', 'required', true]);
    session.signIn('browser');
    await turn();
    assert.equal(agents.length, 3, 'what it must be told waits for its next process');
    initialize(agent());
    assert.deepEqual([sentTo(agent()), statusOf(session)], [['authenticate'], 'running']);
    agent().authentications[0]!({ ok: true, value: undefined });
    opened(agent(), 'T');
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
  });

  it('disposes of an agent that has exited when the user declines', () => {
    for (const stop of [(session: Session) => session.signIn(), (session: Session) => session.cancel()]) {
      const { session, agent, given } = scene();
      opened(agent());
      session.prompt([text('go')]);
      agent().prompts[0]!(no);
      agent().end({ code: 'agent.exited', params: { exitCode: 1 } });
      stop(session);
      assert.deepEqual([session.store.state.status, session.store.state.failure?.code, given.length], ['disconnected', 'agent.exited', 1]);
      assert.equal(session.store.state.turn, undefined);
    }
  });

  it('fails like any start when the new process does not start', async () => {
    const { session, agent, account, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    agent().end({ code: 'agent.exited_at_start' });
    assert.deepEqual([session.store.state.status, session.store.state.failure?.code], ['failed', 'agent.exited_at_start']);
    assert.deepEqual([turnsOf(session), given], [['error'], [[text('go')]]]);
    assert.ok(!needsYou(session.store.state));
  });

  it('stays open when the new process exits during the authentication', async () => {
    const { session, agent, account } = scene();
    agent().newSession[0]!(no);
    session.signIn('key');
    account.asked[0]!.finish();
    await turn();
    initialize(agent());
    agent().authentications[0]!({ ok: false, failure: { code: 'agent.exited' } });
    agent().end({ code: 'agent.exited' });
    assert.deepEqual([session.store.state.status, statusOf(session)], ['starting', 'failed']);
  });
});

describe('signing in with values', () => {
  it('starts the agent with them, authenticates, and continues with the waiting request', async () => {
    const { session, agent, agents, account } = scene();
    agent().newSession[0]!(no);
    session.signIn('key');
    account.asked[0]!.finish();
    await turn();
    assert.equal(agents.length, 2);
    initialize(agent());
    assert.deepEqual(agent().sent, [['authenticate', 'key']]);
    agent().authentications[0]!({ ok: true, value: undefined });
    opened(agent());
    assert.deepEqual([session.store.state.status, statusOf(session)], ['ready', 'signed_in']);
  });

  it('uses the stored values first, and asks when they did not work', async () => {
    const { session, agent, agents, account } = scene();
    account.has = true;
    agent().newSession[0]!(no);
    session.signIn('key');
    assert.deepEqual([account.asked.length, sentTo(agent()).at(-1)], [0, 'authenticate']);
    agent().authentications[0]!({ ok: false, failure: { code: 'request.failed' } });
    session.signIn('key');
    assert.equal(account.asked.length, 1);
    account.asked[0]!.finish();
    await turn();
    initialize(agent());
    agent().authentications[0]!({ ok: true, value: undefined });
    opened(agent());
    session.prompt([text('go')]);
    ended(agent());
    session.prompt([text('again')]);
    agent().prompts[1]!(no);
    session.signIn('key');
    assert.deepEqual([account.asked.length, agents.length], [1, 2], 'they worked, so they are tried before anything is asked');
  });

  it('skips the authentication if the agent does not know that request', async () => {
    const { session, agent, account } = scene();
    agent().newSession[0]!(no);
    session.signIn('key');
    account.asked[0]!.finish();
    await turn();
    initialize(agent());
    agent().authentications[0]!({ ok: false, failure: { code: 'request.failed', params: { code: -32601 } } });
    opened(agent());
    assert.equal(session.store.state.status, 'ready');
  });
});

describe('another session during a sign-in', () => {
  function two(): Scene & { other: Session } {
    const made = scene();
    const other = made.sessions.create(launch(), setup);
    return { ...made, other };
  }

  it('continues in the same process', () => {
    const { session, other, agent, agents } = two();
    agent().newSession[0]!(no);
    agent().newSession[1]!(no);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual([statusOf(other), agents.length, agent().newSession.length], ['signed_in', 1, 4]);
    agent().newSession[3]!(no);
    assert.equal(statusOf(other), 'required', 'and is asked when that did not help');
  });

  it('moves to the new process of a sign-in in a terminal, once', async () => {
    const { session, other, agent, agents, account } = two();
    agent().newSession[0]!(no);
    agent().newSession[1]!(no);
    other.signIn('login');
    session.signIn('login');
    account.asked[1]!.finish();
    await turn();
    assert.ok(account.asked[0]!.signal.aborted, 'its own attempt is of no more use');
    assert.deepEqual([agents.length, agents[0]!.disposed], [2, 1]);
    initialize(agent());
    assert.equal(agent().newSession.length, 2);
  });

  it('finishes its turn in the old process, and moves when that requires a sign-in', async () => {
    const { session, other, agent, agents, account } = two();
    opened(agent(0), 'B');
    agent(0).newSession[0]!({ ok: true, value: { sessionId: 'A', events: [] } });
    agent(0).offer('resume');
    other.prompt([text('busy')]);
    session.prompt([text('go')]);
    agent(0).prompts[1]!(no);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    assert.deepEqual([agents.length, agents[0]!.disposed], [2, 0]);
    assert.ok(other.store.state.turn);
    agent(1).offer('resume');
    initialize(agent(1));
    agent(0).prompts[0]!(no);
    assert.equal(account.asked.length, 1, 'the user has signed in');
    assert.deepEqual([agents.length, agents[0]!.disposed], [2, 1]);
    assert.deepEqual(agent(1).sent.filter(([what]) => what === 'resume').length, 2);
    agent(1).again[1]!({ ok: true, value: { sessionId: 'B', events: [] } });
    ended(agent(1));
    assert.deepEqual(turnsOf(other), ['end_turn']);
    agent(1).again[0]!({ ok: true, value: { sessionId: 'A', events: [] } });
    other.prompt([text('more')]);
    agent(1).prompts.at(-1)!(no);
    assert.equal(statusOf(other), 'required', 'this process is up to date: the user is asked');
  });

  it('is asked in the old process when the new one could not continue its conversation', async () => {
    const { session, other, agent, account, agents } = two();
    agent(0).newSession[0]!({ ok: true, value: { sessionId: 'A', events: [] } });
    opened(agent(0), 'B');
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    other.prompt([text('go')]);
    agent(0).prompts[0]!(no);
    assert.deepEqual([statusOf(other), agents.length], ['required', 2]);
  });

  it('is not affected when it belongs to another agent', () => {
    const { session, sessions, agents, agent } = scene();
    const stranger = sessions.create(launch('Other'), setup);
    initialize(agents[1]!);
    agents[1]!.newSession[0]!(no);
    agent(0).newSession[0]!(no);
    session.signIn('browser');
    agent(0).authentications[0]!({ ok: true, value: undefined });
    assert.equal(statusOf(stranger), 'required');
  });
});
