import assert from 'node:assert/strict';
import { lines, text } from './earlierScene';
import { failedTurn } from '../../../src/core/queue/retry';
import { done, queue, ready, say, sent, starting } from './messageQueueScene';

const turnOf = (session: ReturnType<typeof ready>['session']): string =>
  [...session.store.state.entries].flatMap((entry) => (entry.kind === 'turn' && 'turnId' in entry ? [entry.turnId] : [])).at(-1)!;

describe('a failed prompt', () => {
  const failed = { ok: false, failure: { code: 'request.failed', detail: 'no credit' } } as const;

  it('is sent only once more, however often that is requested', () => {
    const { session, agent } = ready();
    say(session, 'go');
    agent.prompts[0]!(failed);
    const turnId = turnOf(session);
    assert.equal(session.retryPrompt(turnId), undefined);
    session.retryPrompt(turnId);
    assert.deepEqual(sent(agent), ['go', 'go']);
    agent.prompts[1]!(failed);
    session.retryPrompt(turnId);
    assert.deepEqual(sent(agent), ['go', 'go'], 'another turn failed since');
    session.retryPrompt(turnOf(session));
    assert.deepEqual(sent(agent), ['go', 'go', 'go']);
  });

  it('reopens the session with its agent, once', () => {
    const { session, agent, agents } = ready();
    say(session, 'go');
    agent.end({ code: 'agent.exited' });
    const turnId = turnOf(session);
    session.retryPrompt(turnId);
    session.retryPrompt(turnId);
    assert.deepEqual(queue(session), ['go']);
    const next = agents[1]!;
    next.offer('resume');
    next.ready(next.dialect);
    next.again[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.deepEqual([sent(next), queue(session)], [['go'], []]);
    assert.equal(lines(session).filter((line) => line === 'user: go').length, 2);
  });

  it('keeps its attachments', () => {
    const { session, agent } = ready();
    const file = { type: 'resource', uri: 'file:///a', text: 'whole' } as const;
    session.submit([...text('look'), file]);
    agent.prompts[0]!(failed);
    session.retryPrompt(turnOf(session));
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', [...text('look'), file]]);
  });

  it('is not sent when there is no agent', () => {
    const { session, agent } = starting();
    agent.open();
    say(session, 'go');
    agent.end({ code: 'agent.exited' });
    assert.equal(session.retryPrompt(turnOf(session)), undefined);
    assert.deepEqual(queue(session), []);
  });
});

describe('a prompt that failed', () => {
  const failed = { ok: false, failure: { code: 'request.failed', detail: 'no credit' } } as const;
  const watched = (...all: Parameters<typeof ready>) => {
    const scene = ready(...all);
    const returned: string[] = [];
    scene.session.onPromptReturned((words) => returned.push(words));
    return { ...scene, returned };
  };

  it('is in the conversation with Retry, and not in the composer too', () => {
    const { session, agent, returned } = watched();
    say(session, 'rate limit');
    agent.prompts[0]!(failed);
    assert.ok(failedTurn(session.store.state));
    assert.deepEqual(returned, []);
  });

  it('returns to the composer once the agent is gone for good, and Retry disappears', () => {
    const fakes = starting();
    const returned: string[] = [];
    fakes.session.onPromptReturned((words) => returned.push(words));
    fakes.agent.open();
    say(fakes.session, 'go');
    fakes.agent.prompts[0]!(failed);
    assert.deepEqual(returned, []);
    fakes.agent.end({ code: 'agent.exited' });
    assert.equal(failedTurn(fakes.session.store.state), undefined);
    assert.deepEqual(returned, ['go']);
  });

  it('does not return when Retry has queued it for an agent that does not start', () => {
    const { session, agent, agents, returned } = watched();
    say(session, 'go');
    agent.end({ code: 'agent.exited' });
    session.retryPrompt(turnOf(session));
    agents[1]!.end({ code: 'agent.exited_at_start' });
    assert.deepEqual([returned, queue(session).length], [[], 1]);
  });

  it('does not return when another message has taken its place', () => {
    const { session, agent, returned } = watched();
    say(session, 'one');
    agent.prompts[0]!(failed);
    say(session, 'two');
    agent.prompts[1]!(done());
    agent.end({ code: 'agent.exited' });
    assert.deepEqual(returned, []);
  });
});

describe('a prompt that was answered', () => {
  const answered = (content: Parameters<ReturnType<typeof ready>['session']['submit']>[0]) => {
    const scene = ready();
    scene.session.submit(content);
    scene.session.store.append({ type: 'message_chunk', role: 'agent', messageId: 'a', content: { type: 'text', text: 'Done' } });
    scene.agent.prompts[0]!(done());
    return scene;
  };

  it('is sent again while it is the last one, once', () => {
    const { session, agent } = answered(text('go'));
    const turnId = turnOf(session);
    session.retryPrompt(turnId);
    session.retryPrompt(turnId);
    assert.deepEqual(sent(agent), ['go', 'go']);
    agent.prompts[1]!(done());
    session.retryPrompt(turnId);
    assert.deepEqual(sent(agent), ['go', 'go'], 'another message came since');
  });

  it('is sent again after a stop, but not while the agent works', () => {
    const { session, agent } = ready();
    say(session, 'go');
    const turnId = session.store.state.turn!.turnId;
    session.retryPrompt(turnId);
    assert.deepEqual(sent(agent), ['go']);
    session.cancel();
    agent.prompts[0]!(done('cancelled'));
    session.retryPrompt(turnId);
    assert.deepEqual(sent(agent), ['go', 'go']);
  });

  it('is sent again without the report of changes, which the agent has', () => {
    const report = { type: 'resource', uri: 'acp-host:/k/your-changes-1.md', text: '1 change undone.' } as const;
    const { session, agent } = answered([...text('go'), report]);
    session.retryPrompt(turnOf(session));
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', text('go')]);
  });
});
