import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import type { Session } from '../../../src/session/session';
import { back, crashed, lines, next, text } from './earlierScene';
import { fakePorts, launch, turn } from './fakes';
import { done, type Fakes, idOf, queue, ready, say, sent } from './messageQueueScene';

describe('messages that waited when the window went', () => {
  async function reload(before: Fakes & { readonly sessions: Sessions; readonly session: Session }) {
    await before.sessions.flush();
    const after = fakePorts();
    for (const store of ['journals', 'queues'] as const) {
      before[store].forEach((kept, key) => after[store].set(key, kept));
    }
    const sessions = new Sessions(after.ports);
    const session = (await sessions.restore(before.session.key, launch))!;
    return { ...after, sessions, session };
  }

  it('wait in the next one, whole, and are sent when the user resumes them', async () => {
    const before = ready();
    const file = { type: 'resource', uri: 'file:///a', text: 'whole' } as const;
    say(before.session, 'go', 'one', 'two', 'never');
    before.session.submit([...text('three'), file]);
    before.session.queue.move(idOf(before.session, 'two'), 0);
    before.session.queue.edit(idOf(before.session, 'one'));
    before.session.queue.remove(idOf(before.session, 'never'));
    const scene = await reload(before);
    const { session } = scene;
    assert.deepEqual(queue(session), ['(two)', '(one)', '(three<resource>)']);
    session.resumeQueue();
    const agent = next(scene, 'resume');
    agent.again[0]!(back('S'));
    for (let index = 0; index < agent.prompts.length; index++) {
      agent.prompts[index]!(done());
    }
    assert.deepEqual([sent(agent), queue(session)], [['two', 'one', 'three<resource>'], []]);
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', [...text('three'), file]]);
    await scene.sessions.flush();
    assert.equal(scene.queues.size, 0);
  });

  it('let a message pass that the user sends in the next one', async () => {
    const before = ready();
    say(before.session, 'go', 'one');
    const scene = await reload(before);
    say(scene.session, 'hello again');
    const agent = next(scene, 'resume');
    agent.again[0]!(back('S'));
    agent.prompts[0]!(done());
    assert.deepEqual([sent(agent), queue(scene.session)], [['hello again'], ['(one)']]);
  });

  it('are not sent again when the crash came between the two files', async () => {
    const before = ready();
    say(before.session, 'go', 'one', 'two');
    await before.sessions.flush();
    const old = before.queues.get(before.session.key)!;
    before.agent.prompts[0]!(done());
    await before.sessions.flush();
    before.queues.set(before.session.key, old);
    // As a window that is gone: nothing of it writes any more.
    const flushed = { ...before, sessions: { flush: async () => undefined } as unknown as Sessions };
    const { session } = await reload(flushed);
    assert.deepEqual(queue(session), ['(two)']);
  });

  it('get no id of messages of before', async () => {
    const before = ready();
    say(before.session, 'go', 'one', 'two', 'three');
    const first = await reload(before);
    const ids = new Set(first.session.store.state.queue.map(({ queueId }) => queueId));
    say(first.session, 'four', 'five');
    first.session.store.state.queue.slice(3).forEach(({ queueId }) => assert.ok(!ids.has(queueId), queueId));
  });

  it('are sent by one extension host alone, when the old one lives on', async () => {
    const before = ready();
    say(before.session, 'go', 'one', 'never', 'two');
    await before.sessions.flush();
    // Another window has taken the session, and this host has not heard of it yet.
    before.ports.journals.isTaken = () => true;
    before.agent.prompts[0]!(done());
    assert.deepEqual([sent(before.agent), queue(before.session)], [['go'], ['(one)', '(never)', '(two)']]);
    const kept = before.queues.get(before.session.key);
    before.session.queue.remove(idOf(before.session, 'never'));
    await before.sessions.flush();
    assert.equal(before.queues.get(before.session.key), kept, 'nor written');
  });

  it('are written when the message that was sent is in the journal, and no later than the window goes', async () => {
    const { session, agent, sessions, journals, queues } = ready();
    say(session, 'go', 'one');
    await sessions.flush();
    assert.match(queues.get(session.key)!, /"one"/);
    assert.doesNotMatch(journals.get(session.key) ?? '', /"one"/, 'what is queued is not in the journal');
    agent.prompts[0]!(done());
    await sessions.flush();
    assert.equal(queues.has(session.key), false);
    assert.match(journals.get(session.key)!, /"one"/);
  });

  it('go with the session when that is removed', async () => {
    const { session, sessions, queues } = ready();
    say(session, 'go', 'one');
    await sessions.flush();
    await sessions.remove(session.key);
    await turn();
    assert.equal(queues.size, 0);
  });

  it('cost nothing else when their file is broken, or of a newer version', async () => {
    for (const broken of [
      '',
      '{',
      '[]',
      'null',
      '{"acpHostQueue":2,"messages":[]}',
      '{"acpHostQueue":1,"messages":[null,{},{"queueId":1}]}',
    ]) {
      const before = ready();
      say(before.session, 'go');
      await before.sessions.flush();
      before.queues.set(before.session.key, broken);
      const { session } = await reload(before);
      assert.deepEqual([queue(session), lines(session)], [[], ['user: go', 'turn error']], broken);
    }
  });

  it('of no queue are those of earlier versions', async () => {
    const scene = await reload(crashed());
    assert.deepEqual(queue(scene.session), []);
  });

  it('move to a session that goes on in place of theirs', () => {
    const { session, agent } = ready();
    say(session, 'go', 'one', 'two');
    agent.end({ code: 'agent.exited' });
    const other = ready();
    session.queue.moveTo(other.session.queue);
    assert.deepEqual([queue(session), queue(other.session), sent(other.agent)], [[], ['(one)', '(two)'], []]);
    other.session.resumeQueue();
    assert.deepEqual(sent(other.agent), ['one']);
  });
});
