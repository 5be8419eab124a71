import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import type { Session } from '../../../src/session/session';
import { back, crashed, lines, next, text } from './earlierScene';
import { fakeDependencies, launch, turn } from './fakes';
import { done, type Fakes, idOf, queue, ready, say, sent } from './messageQueueScene';

describe('messages that waited when the window closed', () => {
  async function reload(before: Fakes & { readonly sessions: Sessions; readonly session: Session }) {
    await before.sessions.flush();
    const after = fakeDependencies();
    for (const store of ['journals', 'queues'] as const) {
      before[store].forEach((kept, key) => after[store].set(key, kept));
    }
    const sessions = new Sessions(after.deps);
    const session = (await sessions.restore(before.session.key, launch))!;
    return { ...after, sessions, session };
  }

  it('wait in the next window, complete, and are sent when the user resumes them', async () => {
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

  it('let a message pass that the user sends in the next window', async () => {
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
    // The window is gone: it writes nothing any longer.
    const flushed = { ...before, sessions: { flush: async () => undefined } as unknown as Sessions };
    const { session } = await reload(flushed);
    assert.deepEqual(queue(session), ['(two)']);
  });

  it('share no id with newer messages', async () => {
    const before = ready();
    say(before.session, 'go', 'one', 'two', 'three');
    const first = await reload(before);
    const ids = new Set(first.session.store.state.queue.map(({ queueId }) => queueId));
    say(first.session, 'four', 'five');
    first.session.store.state.queue.slice(3).forEach(({ queueId }) => assert.ok(!ids.has(queueId), queueId));
  });

  it('are sent by one extension host only, when the old one is still running', async () => {
    const before = ready();
    say(before.session, 'go', 'one', 'never', 'two');
    await before.sessions.flush();
    // Another window has taken the session, and this host does not know it yet.
    before.deps.journals.isTaken = () => true;
    before.agent.prompts[0]!(done());
    assert.deepEqual([sent(before.agent), queue(before.session)], [['go'], ['(one)', '(never)', '(two)']]);
    const kept = before.queues.get(before.session.key);
    before.session.queue.remove(idOf(before.session, 'never'));
    await before.sessions.flush();
    assert.equal(before.queues.get(before.session.key), kept, 'nor written');
  });

  it('are written when the sent message is in the journal, at the latest when the window closes', async () => {
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

  it('are deleted with the session', async () => {
    const { session, sessions, queues } = ready();
    say(session, 'go', 'one');
    await sessions.flush();
    await sessions.remove(session.key);
    await turn();
    assert.equal(queues.size, 0);
  });

  it('affect nothing else when their file is broken, or of a newer version', async () => {
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

  it('are missing in sessions of earlier versions', async () => {
    const scene = await reload(crashed());
    assert.deepEqual(queue(scene.session), []);
  });

  it('move to a session that continues in place of theirs', () => {
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
