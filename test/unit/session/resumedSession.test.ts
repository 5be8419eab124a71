import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import { fakeDependencies, launch } from './fakes';
import { setup, user, agentSays, back, refused, lines, crashed, OURS, listed, next } from './earlierScene';

describe('a resumed session without a replay', () => {
  it('continues below the existing entries, and shows a notice if there are none', () => {
    const scene = crashed();
    scene.session.act('restart');
    const agent = next(scene, 'load', 'resume');
    assert.deepEqual(agent.sent, [['resume', 'S']]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(scene.session), OURS);

    const { session, agent: lister } = listed('resume');
    lister.again[0]!(back('OLD'));
    assert.deepEqual(lines(session), ['notice session.not_replayed']);
  });

  it('does not appear twice when the agent replays it anyway', () => {
    const scene = crashed();
    scene.session.act('restart');
    const agent = next(scene, 'resume');
    agent.client.onUpdate('S', [user('q', 'question'), agentSays('x', 'answer')]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(scene.session), OURS);
  });

  it('is loaded when it cannot be resumed, and replaced when it cannot be loaded', () => {
    const scene = crashed();
    const { session } = scene;
    session.act('restart');
    const agent = next(scene, 'load', 'resume');
    agent.again[0]!(refused('no'));
    assert.deepEqual(agent.sent, [
      ['resume', 'S'],
      ['load', 'S'],
    ]);
    agent.client.onUpdate('S', [user('q', 'half of it')]);
    agent.again[1]!(refused('gone'));
    agent.newSession[0]!({ ok: true, value: { sessionId: 'T', events: [] } });
    assert.deepEqual(lines(session), [...OURS, 'notice session.restarted']);
    const notice = session.store.state.entries.at(3);
    assert.ok(notice && 'failure' in notice);
    assert.deepEqual(notice.failure, { code: 'session.restarted', detail: 'gone' });
    assert.deepEqual([session.store.state.status, session.store.state.sessionId], ['ready', 'T']);
  });

  it('is replaced without a notice when it has no messages', () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    fakes.agents[0]!.end({ code: 'agent.exited' });
    session.act('restart');
    const agent = next({ ...fakes, sessions, session }, 'load');
    agent.again[0]!(refused('never stored'));
    agent.newSession[0]!({ ok: true, value: { sessionId: 'T', events: [] } });
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', []]);
  });
});

describe('a requested earlier session', () => {
  it('fails with the agent’s message when it is unavailable, and can be tried again', () => {
    const scene = listed('load');
    const { session, agent } = scene;
    agent.again[0]!(refused('disk full'));
    assert.deepEqual([session.store.state.status, session.store.state.failure?.detail], ['failed', 'disk full']);
    assert.equal(agent.newSession.length, 0, 'a new session is not what was asked for');
    assert.equal(agent.disposed, 1);
    session.act('retry');
    const again = next(scene, 'load');
    again.client.onUpdate('OLD', [user('q', 'hi')]);
    again.again[0]!(back('OLD'));
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', ['user: hi']]);
  });

  it('fails when the agent cannot reopen sessions', () => {
    const { session } = listed();
    assert.equal(session.store.state.failure?.code, 'session.not_loaded');
  });

  it('is found by its id before it is open', () => {
    const { sessions, session } = listed('load');
    assert.equal(sessions.find('Fake', 'OLD'), session);
    assert.equal(sessions.find('Other', 'OLD'), undefined);
    assert.equal(sessions.find('Fake', 'NEW'), undefined);
  });

  it('is not taken from another conversation that has it', () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const first = sessions.create(launch(), setup, { sessionId: 'OLD' });
    const [agent] = fakes.agents;
    agent!.offer('load');
    agent!.ready(agent!.dialect);
    agent!.again[0]!(back('OLD'));
    const second = sessions.create(launch(), setup, { sessionId: 'OLD' });
    assert.equal(second.store.state.failure?.code, 'session.open_elsewhere');
    agent!.client.onUpdate('OLD', [agentSays('a', 'for the first')]);
    assert.deepEqual([lines(first), lines(second)], [['agent: for the first'], []]);
    sessions.dispose();
  });

  it('waits for a sign-in like a new one', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), setup, { sessionId: 'OLD' });
    const agent = fakes.agents[0]!;
    agent.offer('load');
    agent.ready({ ...agent.dialect, authMethods: [{ methodId: 'm', name: 'M', type: 'agent' }] });
    agent.again.at(-1)!({ ok: false, failure: { code: 'auth.required' } });
    assert.equal(session.store.state.signIn?.status, 'required');
    session.signIn('m');
    agent.authentications[0]!({ ok: true, value: undefined });
    agent.client.onUpdate('OLD', [user('q', 'hi')]);
    agent.again.at(-1)!(back('OLD'));
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', ['user: hi']]);
  });
});
