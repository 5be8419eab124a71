/** Sessions that an agent reopens: from its list, after a crash, after a reload of the window. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../src/core/model/event';
import { EMPTY_STATE, isAbsent } from '../../../src/core/model/state';
import { reduce } from '../../../src/core/reduce/reduce';
import { parseJournal } from '../../../src/session/journal/journalReader';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAgent, fakeDependencies, launch, turn } from './fakes';
import { setup, user, agentSays, back, lines, crashed, OURS, listed, next } from './earlierScene';

describe('a replayed session', () => {
  it('appears as one snapshot, whatever its size, with its title, modes and later updates', () => {
    const { session, agent, clock } = listed('load');
    assert.deepEqual(agent.sent, [['load', 'OLD']]);
    const tellings: { whole: boolean; count: number }[] = [];
    session.store.onEvents((_, events, whole) => tellings.push({ whole, count: events.length }));
    for (let n = 0; n < 5000; n++) {
      agent.client.onUpdate('OLD', [user(`u${n}`, `question ${n}`)]);
      agent.client.onUpdate('OLD', [agentSays(`a${n}`, `answer ${n}`)]);
    }
    assert.deepEqual(lines(session), []);
    assert.deepEqual(tellings, []);
    clock.pass(250);
    assert.equal(session.store.state.start?.updates, 10_000);
    const options = [{ type: 'select', configId: 'm', name: 'Mode', currentValue: 'ask', groups: [] }] as const;
    agent.again[0]!({ ok: true, value: { sessionId: 'OLD', events: [{ type: 'config_options', options }] } });
    agent.client.onUpdate('OLD', [agentSays('a4999', ' and more')]);
    const { state } = session.store;
    assert.deepEqual([state.status, state.title, state.updatedAt, state.config.length], ['ready', 'Old one', '2026-01-02T03:04:05Z', 1]);
    assert.equal(state.entries.length, 10_000);
    assert.equal(lines(session).at(-1), 'agent: answer 4999 and more');
    assert.deepEqual(tellings.filter(({ whole }) => whole).length, 1);
    assert.ok(tellings.filter(({ whole }) => !whole).every(({ count }) => count < 5));
    clock.pass(1000);
    assert.equal(state.start, undefined);
  });

  it('is merged into the existing conversation, and removes nothing from the journal', async () => {
    const scene = crashed();
    const { session, sessions, journals } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    await sessions.flush();
    const before = journals.get(session.key)!;
    agent.client.onUpdate('S', [user('q', 'question'), agentSays('a2', 'answer that goes on')]);
    assert.deepEqual(lines(session), OURS, 'seen before it is whole');
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), ['user: question', 'agent: answer that goes on', 'turn end_turn']);
    await sessions.flush();
    assert.ok(journals.get(session.key)!.startsWith(before));
    const { events } = parseJournal(journals.get(session.key)!)!;
    assert.deepEqual([...events.reduce(reduce, EMPTY_STATE).entries], [...session.store.state.entries]);
  });

  it('removes no text and no output when it was replayed before, with the same ids', async () => {
    const scene = listed('load');
    const { session, sessions, journals } = scene;
    const call = (patch: object): EventInput => ({ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Run', ...patch } });
    const rich = [call({ status: 'completed', rawOutput: 'all lines' }), agentSays('a', 'A long answer')];
    scene.agent.client.onUpdate('OLD', [user('q', 'question'), ...rich]);
    scene.agent.again[0]!(back('OLD'));
    const { entries } = session.store.state;
    await sessions.flush();
    const before = journals.get(session.key)!;
    scene.agent.end({ code: 'agent.exited' });
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('OLD', [user('q', 'question'), call({ status: 'completed' }), agentSays('a', 'A long')]);
    agent.again[0]!(back('OLD'));
    const conversation = [...session.store.state.entries].filter(({ kind }) => kind !== 'notice');
    assert.deepEqual(conversation, [...entries]);
    await sessions.flush();
    assert.ok(journals.get(session.key)!.startsWith(before));
  });

  it('leaves the local conversation unchanged when the replay has no messages', async () => {
    const scene = crashed();
    const { session, sessions, journals } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('S', [{ type: 'available_commands', commands: [{ name: 'go', description: '' }] }]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), OURS);
    assert.equal(session.store.state.commands.length, 1);
    await sessions.flush();
    assert.ok(journals.get(session.key)!.includes('"answer"'));
  });

  it('leaves the conversation unchanged when the agent dies during the replay', async () => {
    const scene = crashed();
    const { session, sessions, journals } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('S', [user('q', 'quest')]);
    agent.end({ code: 'agent.exited', params: { exitCode: 1 } });
    assert.deepEqual([session.store.state.status, session.store.state.failure?.code], ['failed', 'agent.exited']);
    assert.deepEqual(lines(session), OURS);
    await sessions.flush();
    const { events } = parseJournal(journals.get(session.key)!)!;
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type.startsWith('message')),
      ['message', 'message_chunk'],
    );
    session.act('retry');
    const third = next(scene, 'load');
    third.client.onUpdate('S', [user('q', 'question'), agentSays('x', 'answer')]);
    third.again[0]!(back('S'));
    assert.deepEqual(lines(session), OURS);
  });

  it('can be cancelled, and requested again from a process without open requests', () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const other = sessions.create(launch(), setup);
    const [agent] = fakes.agents;
    agent!.offer('load');
    agent!.open();
    const session = sessions.create(launch(), setup, { sessionId: 'OLD' });
    assert.equal(fakes.agents.length, 1);
    agent!.client.onUpdate('OLD', [user('q', 'told to nobody')]);
    session.act('cancel_start');
    assert.deepEqual(agent!.sent.at(-1), ['give up', 'load']);
    assert.deepEqual([session.store.state.status, session.store.state.failure?.code], ['failed', 'agent.start_cancelled']);
    agent!.client.onUpdate('OLD', [user('q', ', still')]);
    session.act('retry');
    const scene = { ...fakes, sessions, session };
    assert.equal(fakes.agents.length, 2, 'the first one is still telling');
    const second = next(scene, 'load');
    agent!.client.onUpdate('OLD', [user('q', ', still')]);
    agent!.again[0]!(back('OLD'));
    second.client.onUpdate('OLD', [user('q', 'told in full')]);
    second.again[0]!(back('OLD'));
    assert.deepEqual(lines(session), ['user: told in full']);
    assert.equal(other.store.state.status, 'ready');
    assert.equal(agent!.disposed, 0);
    sessions.dispose();
  });

  it('starts at the beginning after a cancelled replay by the same process', () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    sessions.create(launch(), setup);
    const [agent] = fakes.agents;
    agent!.offer('load');
    agent!.open();
    const session = sessions.create(launch(), setup, { sessionId: 'OLD' });
    session.act('cancel_start');
    agent!.client.onUpdate('OLD', [user('q', 'too late')]);
    agent!.again[0]!({ ok: false, failure: { code: 'request.cancelled' } });
    session.act('retry');
    assert.equal(fakes.agents.length, 1);
    agent!.client.onUpdate('OLD', [user('q', 'in time')]);
    agent!.again[1]!(back('OLD'));
    assert.deepEqual(lines(session), ['user: in time']);
    sessions.dispose();
  });
});

describe('a question during a replay', () => {
  const request = (toolCallId: string): Parameters<FakeAgent['client']['requestPermission']>[1] => ({
    title: '',
    options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
    subject: { toolCallId },
  });
  const call: EventInput = {
    type: 'tool_call_update',
    toolCallId: 'c',
    patch: { title: 'Write a file', rawInput: { path: '/w/a' }, status: 'in_progress' },
  };

  it('appears at once, below the existing conversation, and gets its position in the replay', async () => {
    const scene = crashed();
    const { session, asked, answer } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('S', [user('q', 'question'), call]);
    const settled = agent.client.requestPermission('S', request('c'), new AbortController().signal);
    await turn();
    assert.deepEqual(lines(session), [...OURS, 'permission Write a file waits']);
    const card = session.store.state.entries.at(3);
    assert.ok(card && !isAbsent(card) && card.kind === 'permission');
    assert.deepEqual(card.subject.rawInput, { path: '/w/a' }, 'its tool call is not on the screen');
    assert.equal(asked.length, 1);
    answer(0, 'y');
    assert.deepEqual(await settled, { optionId: 'y' });
    agent.client.onUpdate('S', [agentSays('x', 'answer')]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), [
      'user: question',
      'tool Write a file unfinished',
      'permission Write a file selected',
      'agent: answer',
      'turn end_turn',
    ]);
  });

  it('can still wait after the replay', async () => {
    const { session, agent, answer } = listed('load');
    agent.client.onUpdate('OLD', [user('q', 'question'), call]);
    const settled = agent.client.requestPermission('OLD', request('c'), new AbortController().signal);
    await turn();
    agent.again[0]!(back('OLD'));
    assert.equal(lines(session).at(-1), 'permission Write a file waits');
    assert.equal(session.store.state.pendingPermissions.length, 1);
    answer(0, 'y');
    assert.deepEqual(await settled, { optionId: 'y' });
    assert.equal(lines(session).at(-1), 'permission Write a file selected');
  });

  it('is lost when the agent dies, but the old conversation is not', async () => {
    const scene = crashed();
    const { session } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('S', [user('q', 'question'), call]);
    const settled = agent.client.requestPermission('S', request('c'), new AbortController().signal);
    const form = agent.client.elicit(
      { sessionId: 'S' },
      { message: 'Which?', body: { mode: 'form', fields: [] } },
      new AbortController().signal,
    );
    await turn();
    agent.end({ code: 'agent.exited' });
    assert.equal(await settled, 'cancelled');
    assert.deepEqual(await form, { action: 'cancel' });
    assert.deepEqual(lines(session), [...OURS, 'permission Write a file lost', 'elicitation']);
  });

  it('appears only once when the agent replays nothing else', async () => {
    const scene = crashed();
    const { session } = scene;
    session.act('restart');
    const agent = next(scene, 'resume');
    const form = agent.client.elicit(
      { sessionId: 'S' },
      { message: 'Which?', body: { mode: 'form', fields: [] } },
      new AbortController().signal,
    );
    const [requestKey] = session.store.state.pendingElicitations;
    await session.elicitations.answer(requestKey!, 'decline');
    assert.deepEqual(await form, { action: 'decline' });
    agent.client.onUpdate('S', [{ type: 'usage', usage: { used: 1, size: 2 } }]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), [...OURS, 'elicitation']);
    assert.equal(session.store.state.usage?.used, 1);
  });
});
