import assert from 'node:assert/strict';
import type { Failure } from '../../../src/core/model/failure';
import { needsYou } from '../../../src/core/model/select';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAccount, fakeDependencies, launch, turn } from './fakes';
import type { Scene } from './signInScene';
import { setup, REQUIRED, no, text, scene, initialize, opened, ended, statusOf, turnsOf } from './signInScene';

describe('signing in on the user’s own initiative', () => {
  it('changes only the sign-in status', () => {
    const { session, agent, given } = scene();
    opened(agent());
    session.signIn('browser');
    session.signIn();
    assert.equal(statusOf(session), 'dismissed');
    session.signIn('browser');
    agent().authentications[1]!({ ok: false, failure: { code: 'request.failed' } });
    assert.equal(statusOf(session), 'failed');
    session.signIn();
    assert.deepEqual([session.store.state.status, given], ['ready', []]);
  });

  it('starts an agent whose start had failed', async () => {
    const { session, agent, agents, account } = scene();
    agent().end({ code: 'agent.exited', params: { exitCode: 1 }, detail: 'not signed in' });
    assert.equal(session.store.state.status, 'failed');
    session.signIn('login');
    assert.equal(statusOf(session), 'running');
    account.asked[0]!.finish();
    await turn();
    assert.deepEqual([session.store.state.status, agents.length], ['starting', 2]);
    initialize(agent());
    opened(agent());
    assert.equal(session.store.state.status, 'ready');
  });

  it('must wait for the turn when it needs a new process', () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.signIn('login');
    assert.deepEqual([account.asked.length, session.store.state.signIn?.failure?.code], [0, 'turn.busy']);
  });

  it('ends when its agent exits', async () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.signIn('login');
    agent().end({ code: 'agent.exited' });
    assert.deepEqual([session.store.state.status, statusOf(session), account.asked[0]!.signal.aborted], ['disconnected', undefined, true]);
  });
});

describe('signing out', () => {
  function signedOut(): Scene & { answers: ((outcome: { ok: true; value: undefined } | { ok: false; failure: Failure }) => void)[] } {
    const made = scene();
    const answers: ((outcome: never) => void)[] = [];
    made.agent().dialect.logout = (settled) => {
      answers.push(settled as never);
      return { requestId: 99, cancel: () => undefined };
    };
    initialize(made.agent());
    opened(made.agent());
    return { ...made, answers: answers as never };
  }

  it('leaves the session open, which asks for a sign-in when it is next needed', () => {
    const { session, sessions, agent, answers } = signedOut();
    const other = sessions.create(launch(), setup);
    agent().newSession.at(-1)!({ ok: true, value: { sessionId: 'B', events: [] } });
    session.act('sign_out');
    answers[0]!({ ok: true, value: undefined });
    assert.deepEqual([statusOf(session), statusOf(other), session.store.state.status], ['signed_out', 'signed_out', 'ready']);
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    assert.equal(statusOf(session), 'required');
    session.act('sign_out');
    assert.equal(answers.length, 1, 'not while it is asked to sign in');
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual([statusOf(session), statusOf(other)], ['signed_in', 'signed_in']);
  });

  it('reports a failure; an agent that requires a sign-in for it counts as signed out', () => {
    const { session, answers } = signedOut();
    session.act('sign_out');
    answers[0]!({ ok: false, failure: { code: 'request.failed', detail: 'not now' } });
    const notice = [...session.store.state.entries].at(-1);
    assert.deepEqual(notice && 'failure' in notice && notice.failure, { code: 'request.failed', detail: 'not now' });
    assert.equal(statusOf(session), undefined);
    session.act('sign_out');
    answers[1]!(no);
    assert.equal(statusOf(session), 'signed_out');
  });
});

describe('an agent that requires a sign-in', () => {
  it('fails with a plain message when it names no method', () => {
    const { session, agent } = scene([]);
    agent().newSession[0]!(no);
    assert.deepEqual([session.store.state.status, session.store.state.failure], ['failed', REQUIRED]);
    const initial = fakeDependencies();
    const other = new Sessions(initial.deps).create(launch(), setup);
    initial.agents[0]!.end(REQUIRED);
    assert.deepEqual([other.store.state.status, other.store.state.failure?.code], ['failed', 'auth.required']);
  });

  it('gets no request for a new session when it requires a sign-in for an old one', () => {
    const { session, agent } = scene([]);
    opened(agent());
    session.prompt([text('go')]);
    ended(agent());
    agent().end({ code: 'agent.exited' });
    session.act('restart');
    agent().offer('resume');
    initialize(agent(), []);
    agent().again[0]!(no);
    assert.deepEqual([session.store.state.status, agent().newSession.length], ['failed', 0]);
  });

  it('gets no request after the session has ended or the window closes', async () => {
    const one = scene();
    one.agent().newSession[0]!(no);
    one.session.signIn('login');
    await one.session.end();
    assert.deepEqual(
      [one.session.store.state.status, statusOf(one.session), one.account.asked[0]!.signal.aborted],
      ['ended', undefined, true],
    );
    one.session.signIn('login');
    assert.equal(one.account.asked.length, 1);

    const two = scene();
    opened(two.agent());
    two.session.prompt([text('go')]);
    two.agent().prompts[0]!(no);
    two.session.signIn('login');
    two.sessions.dispose();
    assert.ok(two.account.asked[0]!.signal.aborted);
    assert.ok(two.session.store.state.turn, 'interrupted, not failed');
  });

  it('is not waited for after a reload of the window: the waiting turn has ended', async () => {
    const { session, agent, sessions, journals } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    await sessions.flush();
    const after = fakeDependencies();
    after.journals.set(session.key, journals.get(session.key)!);
    const restored = (await new Sessions(after.deps).restore(session.key, () => launch()))!;
    assert.deepEqual([restored.store.state.status, statusOf(restored), turnsOf(restored)], ['disconnected', undefined, ['error']]);
    assert.ok(!needsYou(restored.store.state));
    const bare = fakeDependencies();
    bare.journals.set(session.key, journals.get(session.key)!);
    const removed = (await new Sessions(bare.deps).restore(session.key))!;
    removed.signIn('login');
    assert.equal(removed.store.state.signIn?.failure?.code, 'session.agent_removed');
    restored.signIn('login');
    (after.deps.account as FakeAccount).asked[0]!.finish();
    await turn();
    after.agents[0]!.offer('resume');
    initialize(after.agents[0]!);
    after.agents[0]!.again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.equal(restored.store.state.status, 'ready');
  });
});

describe('switching the account', () => {
  it('signs out where the agent can do that, and offers its methods', () => {
    const { session, agent } = scene();
    const logouts: ((outcome: { ok: true; value: undefined }) => void)[] = [];
    const { dialect } = agent();
    dialect.sessionCapabilities = { ...dialect.sessionCapabilities, logout: true };
    dialect.logout = (settled) => {
      logouts.push(settled);
      return { requestId: 1, cancel: () => undefined };
    };
    opened(agent());
    session.act('switch_account');
    assert.deepEqual([logouts.length, statusOf(session)], [1, undefined]);
    logouts[0]!({ ok: true, value: undefined });
    assert.equal(statusOf(session), 'required');
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual([statusOf(session), session.store.state.status], ['signed_in', 'ready']);
  });

  it('offers the methods of an agent that cannot sign out, and is declined without a trace', () => {
    const { session, agent } = scene();
    opened(agent());
    session.act('switch_account');
    assert.equal(statusOf(session), 'required');
    session.signIn();
    assert.deepEqual([statusOf(session), session.store.state.status], ['dismissed', 'ready']);
  });
});
