import assert from 'node:assert/strict';
import { MAX_QUEUED_MESSAGES } from '../../../src/core/queue/rules';
import { Sessions } from '../../../src/session/sessions';
import { agentSays, back, lines, next, refused, setup, text, user } from './earlierScene';
import { fakeDependencies, launch } from './fakes';
import { done, idOf, queue, ready, say, sent, starting } from './messageQueueScene';

describe('messages for an agent that is not ready', () => {
  it('are sent when it is, one after the other', () => {
    const { session, agent } = starting();
    say(session, 'one', 'two');
    agent.ready(agent.dialect);
    say(session, 'three');
    assert.deepEqual([sent(agent), queue(session)], [[], ['one', 'two', 'three']]);
    agent.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.deepEqual([sent(agent), queue(session)], [['one'], ['two', 'three']]);
    agent.prompts[0]!(done());
    agent.prompts[1]!(done());
    agent.prompts[2]!(done());
    assert.deepEqual(sent(agent), ['one', 'two', 'three']);
    assert.deepEqual(lines(session), ['user: one', 'turn end_turn', 'user: two', 'turn end_turn', 'user: three', 'turn end_turn']);
  });

  it('are sent when the user has signed in, and wait when the user declines', () => {
    for (const signsIn of [true, false]) {
      const { session, agent } = starting();
      agent.ready({ ...agent.dialect, authMethods: [{ methodId: 'm', name: 'M', type: 'agent' }] });
      agent.newSession[0]!({ ok: false, failure: { code: 'auth.required' } });
      say(session, 'hello');
      session.signIn(signsIn ? 'm' : undefined);
      agent.authentications[0]?.({ ok: true, value: undefined });
      agent.newSession[1]?.(back('S'));
      assert.deepEqual([sent(agent), queue(session)], signsIn ? [['hello'], []] : [[], ['(hello)']]);
      assert.equal(session.store.state.status, signsIn ? 'ready' : 'failed');
    }
  });

  it('wait for the user when the start fails, even after the next one works', () => {
    const { session, agent, agents } = starting();
    say(session, 'hello');
    agent.end({ code: 'agent.not_found' });
    assert.deepEqual(queue(session), ['(hello)']);
    session.act('retry');
    agents[1]!.open();
    assert.deepEqual([sent(agents[1]!), queue(session)], [[], ['(hello)']]);
    session.resumeQueue();
    assert.deepEqual([sent(agents[1]!), queue(session)], [['hello'], []]);
  });

  it('wait for the user when the agent does not accept their attachments', () => {
    const { session, agent } = starting();
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    assert.equal(session.submit([...text('look'), image]), undefined);
    say(session, 'and then');
    agent.open();
    assert.deepEqual([sent(agent), queue(session), lines(session)], [[], ['(look<image>)', '(and then)'], ['notice turn.not_taken']]);
    const queueId = session.store.state.queue[0]!.queueId;
    session.queue.edit(queueId);
    assert.equal(session.queue.save(queueId, 'look', []), undefined);
    session.resumeQueue();
    assert.deepEqual(sent(agent), ['look']);
  });

  it('are refused when no agent can take them', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), setup);
    fakes.agents[0]!.end({ code: 'agent.not_found' });
    assert.equal(session.submit(text('hello'))?.code, 'session.not_ready');
    assert.deepEqual(queue(session), []);
  });
});

describe('messages during a turn', () => {
  it('arrive in order, without removed ones', () => {
    const { session, agent } = ready();
    say(session, 'go', 'one', 'two', 'never', 'three');
    assert.equal(session.queue.remove(idOf(session, 'never')), undefined);
    agent.prompts.forEach((_, index) => agent.prompts[index]!(done()));
    for (let index = 1; index < agent.prompts.length; index++) {
      agent.prompts[index]!(done());
    }
    assert.deepEqual([sent(agent), queue(session)], [['go', 'one', 'two', 'three'], []]);
  });

  it('arrive as the user has ordered and edited them', () => {
    const { session, agent } = ready();
    say(session, 'go', 'one', 'two', 'three');
    session.queue.move(idOf(session, 'three'), 0);
    session.queue.edit(idOf(session, 'one'));
    session.queue.save(session.store.state.queue[1]!.queueId, ' uno ', []);
    for (let index = 0; index < agent.prompts.length; index++) {
      agent.prompts[index]!(done());
    }
    assert.deepEqual(sent(agent), ['go', 'three', 'uno', 'two']);
  });

  it('keep their attachments', () => {
    const { session, agent } = ready();
    const file = { type: 'resource', uri: 'file:///a', text: 'whole' } as const;
    say(session, 'go');
    session.submit([...text('look'), file]);
    session.queue.edit(session.store.state.queue[0]!.queueId);
    session.queue.save(session.store.state.queue[0]!.queueId, 'see', [1]);
    agent.prompts[0]!(done());
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', [...text('see'), file]]);
  });

  it('are not sent while the user edits them, nor those after them', () => {
    const { session, agent } = ready();
    say(session, 'go', 'one', 'two');
    const one = idOf(session, 'one');
    session.queue.edit(one);
    agent.prompts[0]!(done());
    assert.deepEqual([sent(agent), queue(session)], [['go'], ['one*', 'two']]);
    say(session, 'three');
    assert.deepEqual(sent(agent), ['go'], 'what comes now goes behind them');
    session.queue.save(one, '', []);
    assert.deepEqual(queue(session), ['one*', 'two', 'three'], 'nothing is no message');
    session.queue.save(one, 'ONE', []);
    assert.deepEqual(
      [sent(agent), queue(session)],
      [
        ['go', 'ONE'],
        ['two', 'three'],
      ],
    );
    session.queue.edit(idOf(session, 'two'));
    agent.prompts[1]!(done());
    session.queue.cancelEdit(idOf(session, 'two*'.slice(0, 3)));
    assert.deepEqual(sent(agent), ['go', 'ONE', 'two']);
    session.queue.edit(idOf(session, 'three'));
    agent.prompts[2]!(done());
    session.queue.remove(idOf(session, 'three'));
    assert.deepEqual([sent(agent), queue(session)], [['go', 'ONE', 'two'], []]);
  });

  it('cannot be taken back while they are being sent, and report that', () => {
    const { session, agent } = ready();
    say(session, 'go', 'one', 'two');
    const one = idOf(session, 'one');
    agent.prompts[0]!(done());
    assert.deepEqual(
      [session.queue.remove(one), session.queue.edit(one), session.queue.save(one, 'x', []), session.queue.move(one, 1)].map(
        (failure) => failure?.code,
      ),
      Array(4).fill('queue.already_sent'),
    );
    assert.deepEqual([sent(agent), queue(session)], [['go', 'one'], ['two']]);
    const two = idOf(session, 'two');
    session.queue.remove(two);
    assert.equal(session.queue.remove(two), undefined, 'removed twice is removed');
    agent.prompts[1]!(done());
    assert.deepEqual(sent(agent), ['go', 'one']);
  });

  it('wait after Stop, whatever the agent sends meanwhile, until the user resumes them', () => {
    const { session, agent } = ready();
    say(session, 'go', 'one', 'two');
    session.cancel();
    say(session, 'no, this');
    agent.prompts[0]!(done('cancelled'));
    assert.deepEqual(
      [sent(agent), queue(session)],
      [
        ['go', 'no, this'],
        ['(one)', '(two)'],
      ],
    );
    say(session, 'and this');
    agent.prompts[1]!(done());
    agent.prompts[2]!(done());
    say(session, 'at once');
    assert.deepEqual(sent(agent), ['go', 'no, this', 'and this', 'at once']);
    agent.prompts[3]!(done());
    session.resumeQueue();
    agent.prompts[4]!(done());
    assert.deepEqual([sent(agent).slice(4), queue(session)], [['one', 'two'], []]);
  });

  it('wait when the turn fails, and its own prompt stays with Retry', () => {
    const { session, agent } = ready();
    const given: string[] = [];
    session.onPromptReturned((words) => given.push(words));
    say(session, 'go', 'one');
    agent.prompts[0]!({ ok: false, failure: { code: 'request.failed' } });
    assert.deepEqual([sent(agent), queue(session), given], [['go'], ['(one)'], []]);
    session.resumeQueue();
    agent.prompts[1]!({ ok: false, failure: { code: 'request.failed' } });
    assert.deepEqual([sent(agent), queue(session), given], [['go', 'one'], [], []]);
  });

  it('wait when the agent exits, and reopen the session when the user resumes them', () => {
    const scene = ready();
    const { session, agent, agents } = scene;
    say(session, 'go', 'one', 'two');
    agent.end({ code: 'agent.exited' });
    assert.deepEqual(queue(session), ['(one)', '(two)']);
    session.resumeQueue();
    assert.deepEqual([session.store.state.status, queue(session)], ['starting', ['one', 'two']]);
    const again = next(scene, 'resume');
    again.again[0]!(back('S'));
    assert.deepEqual([sent(agents[1]!), queue(session)], [['one'], ['two']]);
  });

  it("keep the user's order when reopening the session fails", () => {
    const scene = ready();
    const { session, agent } = scene;
    say(session, 'go', 'one');
    agent.end({ code: 'agent.exited' });
    say(session, 'two');
    assert.deepEqual(queue(session), ['(one)', 'two']);
    next(scene, 'resume').again[0]!(refused('gone'));
    next(scene).newSession[0]?.(refused('gone'));
    assert.deepEqual(queue(session), ['(one)', '(two)']);
  });

  it('stay when the session ends', async () => {
    const { session, agent } = ready();
    say(session, 'go', 'one');
    const end = session.end();
    agent.closes[0]!();
    await end;
    assert.deepEqual([queue(session), sent(agent)], [['(one)'], ['go']]);
  });

  it('stay when the agent replays its conversation, and are sent only once', () => {
    const scene = ready();
    const { session, agent } = scene;
    say(session, 'go', 'one');
    agent.end({ code: 'agent.exited' });
    session.resumeQueue();
    const again = next(scene, 'load', 'resume');
    again.client.onUpdate('S', [user('q', 'go'), agentSays('a', 'told again')]);
    say(session, 'two');
    again.again[0]!(back('S'));
    assert.deepEqual([sent(again), queue(session)], [['one'], ['two']]);
    assert.deepEqual(lines(session), ['user: go', 'agent: told again', 'turn error', 'user: one']);
  });

  it('are refused at once when the agent does not accept them', () => {
    const { session } = ready();
    say(session, 'go');
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    assert.equal(session.submit([image])?.code, 'turn.not_taken');
    assert.deepEqual(queue(session), []);
  });

  it('are refused when there are too many', () => {
    const { session } = ready();
    say(session, 'go', ...Array.from({ length: MAX_QUEUED_MESSAGES }, (_, index) => `${index}`));
    assert.equal(session.submit(text('too much'))?.code, 'queue.full');
    assert.equal(session.store.state.queue.length, MAX_QUEUED_MESSAGES);
  });

  it('do not affect another extension’s prompt', () => {
    const { session, agent } = ready();
    assert.equal(session.prompt(text('api')), undefined);
    assert.equal(session.prompt(text('again'))?.code, 'turn.busy');
    assert.deepEqual([sent(agent), queue(session)], [['api'], []]);
  });
});
