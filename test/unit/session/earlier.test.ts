/** Sessions that an agent brings back: from its list, after a crash, after a reload of the window. */
import assert from 'node:assert/strict';
import type { SessionHappening } from '../../../src/core/model/event';
import type { Failure } from '../../../src/core/model/failure';
import { isAbsent } from '../../../src/core/model/state';
import { parseJournal } from '../../../src/session/journal/journalReader';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAgent, fakePorts, launch, turn } from './fakes';

const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
const text = (words: string): { type: 'text'; text: string }[] => [{ type: 'text', text: words }];
const user = (messageId: string, words: string): SessionHappening => ({
  type: 'message_chunk',
  role: 'user',
  messageId,
  content: { type: 'text', text: words },
});
const agentSays = (messageId: string, words: string): SessionHappening => ({
  type: 'message_chunk',
  role: 'agent',
  messageId,
  content: { type: 'text', text: words },
});
const back = (sessionId: string): { ok: true; value: { sessionId: string; happenings: SessionHappening[] } } => ({
  ok: true,
  value: { sessionId, happenings: [] },
});
const refused = (detail: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { code: 'request.failed', params: { code: -32603 }, detail },
});

/** What stands in the conversation, a line each. */
const lines = (session: Session): string[] =>
  [...session.store.state.entries].map((slot) => {
    if (isAbsent(slot)) {
      return 'absent';
    }
    switch (slot.kind) {
      case 'message':
        return `${slot.role}: ${slot.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')}`;
      case 'tool_call':
        return `tool ${slot.title} ${slot.status}`;
      case 'permission':
        return `permission ${slot.title} ${slot.outcome?.type ?? 'waits'}`;
      case 'turn':
        return `turn ${slot.stopReason}`;
      case 'notice':
        return `notice ${slot.failure?.code ?? slot.title}`;
      default:
        return slot.kind;
    }
  });

interface Scene extends ReturnType<typeof fakePorts> {
  readonly sessions: Sessions;
  readonly session: Session;
}

/** A conversation with session S of one turn, whose agent has just died. */
function crashed(): Scene {
  const fakes = fakePorts();
  const sessions = new Sessions(fakes.ports);
  const session = sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  agent.offer('load');
  agent.open();
  session.prompt(text('question'));
  agent.client.onUpdate('S', [agentSays('a', 'answer')]);
  agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', happenings: [] } });
  agent.end({ code: 'agent.exited' });
  return { ...fakes, sessions, session };
}

const OURS = ['user: question', 'agent: answer', 'turn end_turn'];

/** Session OLD of the agent's list, with an agent that loads. */
function listed(...offers: readonly ('load' | 'resume')[]): Scene & { readonly agent: FakeAgent } {
  const fakes = fakePorts();
  const sessions = new Sessions(fakes.ports);
  const session = sessions.create(launch(), setup, { sessionId: 'OLD', title: 'Old one', updatedAt: '2026-01-02T03:04:05Z' });
  const agent = fakes.agents[0]!;
  offers.forEach((name) => agent.offer(name));
  agent.ready(agent.dialect);
  return { ...fakes, sessions, session, agent };
}

/** Its next process, which offers this. */
function next({ agents }: Scene, ...offers: readonly ('load' | 'resume')[]): FakeAgent {
  const agent = agents.at(-1)!;
  offers.forEach((name) => agent.offer(name));
  agent.ready(agent.dialect);
  return agent;
}

describe('an earlier session that is told again', () => {
  it('appears in one piece, whatever its size, with its title, modes and what came after', () => {
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
    agent.again[0]!({ ok: true, value: { sessionId: 'OLD', happenings: [{ type: 'config_options', options }] } });
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

  it('takes the place of what was there, in the journal too', async () => {
    const scene = crashed();
    const { session, sessions, journals } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('S', [user('q', 'question'), agentSays('a2', 'answer as I remember it')]);
    assert.deepEqual(lines(session), OURS, 'seen before it is whole');
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), ['user: question', 'agent: answer as I remember it']);
    await sessions.flush();
    const journal = parseJournal(journals.get(session.key)!)!;
    assert.equal(journal.events.filter(({ type }) => type === 'message_chunk').length, 2);
    assert.equal(journal.events.filter(({ type }) => type === 'message').length, 0);
  });

  it('leaves our own record where nothing is told of it', async () => {
    const scene = crashed();
    const { session, sessions, journals } = scene;
    session.act('restart');
    const agent = next(scene, 'load');
    agent.client.onUpdate('S', [{ type: 'available_commands', commands: [{ name: 'go', description: '' }] }]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), [...OURS, 'notice session.own_record']);
    assert.equal(session.store.state.commands.length, 1);
    await sessions.flush();
    assert.ok(journals.get(session.key)!.includes('"answer"'));
  });

  it('is left alone by an agent that dies in the middle of it', async () => {
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
    assert.deepEqual(lines(session), ['user: question', 'agent: answer']);
  });

  it('can be given up, and asked for again at a process that owes nothing', () => {
    const fakes = fakePorts();
    const sessions = new Sessions(fakes.ports);
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

  it('begins at its beginning where the same process has told it before to somebody who gave up', () => {
    const fakes = fakePorts();
    const sessions = new Sessions(fakes.ports);
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

describe('a question while an earlier session is told', () => {
  const request = (toolCallId: string): Parameters<FakeAgent['client']['requestPermission']>[1] => ({
    title: '',
    options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
    subject: { toolCallId },
  });
  const call: SessionHappening = {
    type: 'tool_call_update',
    toolCallId: 'c',
    patch: { title: 'Write a file', rawInput: { path: '/w/a' }, status: 'in_progress' },
  };

  it('is seen at once, under what was there, and has its place in what is told', async () => {
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
    agent.client.onUpdate('S', [agentSays('x', 'done')]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(session), ['user: question', 'tool Write a file cancelled', 'permission Write a file selected', 'agent: done']);
  });

  it('can still wait when all is told', async () => {
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

  it('is lost with an agent that dies, and the old conversation is not', async () => {
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

  it('is not seen twice where the agent tells nothing else', async () => {
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

describe('an earlier session that is not told again', () => {
  it('goes on under what is there, and says so where nothing is', () => {
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

  it('is not shown twice when it is told all the same', () => {
    const scene = crashed();
    scene.session.act('restart');
    const agent = next(scene, 'resume');
    agent.client.onUpdate('S', [user('q', 'question'), agentSays('x', 'answer')]);
    agent.again[0]!(back('S'));
    assert.deepEqual(lines(scene.session), ['user: question', 'agent: answer']);
  });

  it('is loaded when it cannot be resumed, and forgotten when it cannot be loaded', () => {
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
    agent.newSession[0]!({ ok: true, value: { sessionId: 'T', happenings: [] } });
    assert.deepEqual(lines(session), [...OURS, 'notice session.restarted']);
    const notice = session.store.state.entries.at(3);
    assert.ok(notice && 'failure' in notice);
    assert.deepEqual(notice.failure, { code: 'session.restarted', detail: 'gone' });
    assert.deepEqual([session.store.state.status, session.store.state.sessionId], ['ready', 'T']);
  });

  it('is not missed when nothing was said in it', () => {
    const fakes = fakePorts();
    const sessions = new Sessions(fakes.ports);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    fakes.agents[0]!.end({ code: 'agent.exited' });
    session.act('restart');
    const agent = next({ ...fakes, sessions, session }, 'load');
    agent.again[0]!(refused('never stored'));
    agent.newSession[0]!({ ok: true, value: { sessionId: 'T', happenings: [] } });
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', []]);
  });
});

describe('an earlier session that was asked for', () => {
  it('fails with the agent’s words when it cannot be had, and can be tried again', () => {
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

  it('fails where the agent brings no session back', () => {
    const { session } = listed();
    assert.equal(session.store.state.failure?.code, 'session.not_loaded');
  });

  it('is known by its id before it is there', () => {
    const { sessions, session } = listed('load');
    assert.equal(sessions.find('Fake', 'OLD'), session);
    assert.equal(sessions.find('Other', 'OLD'), undefined);
    assert.equal(sessions.find('Fake', 'NEW'), undefined);
  });

  it('is not taken from another conversation that has it', () => {
    const fakes = fakePorts();
    const sessions = new Sessions(fakes.ports);
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
    const fakes = fakePorts();
    const session = new Sessions(fakes.ports).create(launch(), setup, { sessionId: 'OLD' });
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

describe('a conversation read back from its journal', () => {
  async function readBack(scene: Scene, launchOf: typeof launch | (() => undefined) = launch): Promise<Scene> {
    await scene.sessions.flush();
    const after = fakePorts();
    after.journals.set(scene.session.key, scene.journals.get(scene.session.key)!);
    const sessions = new Sessions(after.ports);
    return { ...after, sessions, session: (await sessions.restore(scene.session.key, launchOf))! };
  }

  it('is resumed when the user wants it, and no other session takes its place', async () => {
    const scene = await readBack(crashed());
    const { session, agents } = scene;
    assert.deepEqual([session.store.state.status, lines(session), agents.length], ['disconnected', OURS, 0]);
    session.act('resume');
    const agent = next(scene, 'load');
    agent.again[0]!(refused('gone'));
    assert.deepEqual([session.store.state.status, session.store.state.failure?.detail, lines(session)], ['failed', 'gone', OURS]);
    session.act('retry');
    const second = next(scene, 'resume');
    second.again[0]!(back('S'));
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', OURS]);
  });

  it('gets no id twice, however often it was told again', async () => {
    const first = crashed();
    first.session.act('restart');
    const agent = next(first, 'load');
    agent.client.onUpdate('S', [user('q', 'told again')]);
    agent.again[0]!(back('S'));
    const highest = first.session.store.seq;
    const scene = await readBack(first);
    assert.equal(scene.session.store.seq, highest + 1, 'the event that says it was interrupted comes after all others');
    assert.ok(parseJournal(first.journals.get(first.session.key)!)!.events.length < highest);
  });

  it('is resumed by a prompt, which follows when the session is there', async () => {
    const scene = await readBack(crashed());
    const { session } = scene;
    assert.equal(session.submit(text('and now?')), undefined);
    assert.equal(session.submit(text('twice'))?.code, 'session.not_ready');
    const agent = next(scene, 'resume');
    assert.equal(agent.prompts.length, 0);
    agent.again[0]!(back('S'));
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', text('and now?')]);
    assert.deepEqual(lines(session), [...OURS, 'user: and now?']);
  });

  it('gives the prompt back when it cannot be resumed', async () => {
    for (const fail of [
      (agent: FakeAgent) => agent.again[0]!(refused('gone')),
      (agent: FakeAgent) => agent.end({ code: 'agent.exited' }),
    ]) {
      const scene = await readBack(crashed());
      const given: unknown[] = [];
      const image = { type: 'image', data: '', mimeType: 'image/png' } as const;
      scene.session.onPromptReturned((words, others) => given.push(words, others));
      scene.session.submit([...text('and now?'), image]);
      fail(next(scene, 'resume'));
      assert.deepEqual(given, ['and now?', [image]]);
      assert.deepEqual([scene.session.store.state.status, lines(scene.session)], ['failed', OURS]);
    }
  });

  it('takes no prompt where nobody could bring it back', async () => {
    const gone = await readBack(crashed(), () => undefined);
    assert.equal(gone.session.submit(text('hello?'))?.code, 'session.not_ready');
    gone.session.act('resume');
    assert.deepEqual([gone.agents.length, lines(gone.session).at(-1)], [0, 'notice session.agent_removed']);
    const fakes = fakePorts();
    const sessions = new Sessions(fakes.ports);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    fakes.agents[0]!.end({ code: 'agent.exited' });
    assert.equal(session.submit(text('hello?'))?.code, 'session.not_ready');
  });

  it('is what was asked for also when it never came', async () => {
    const first = listed('load');
    first.agent.again[0]!(refused('not now'));
    const scene = await readBack(first);
    assert.equal(scene.session.store.state.title, 'Old one');
    scene.session.act('resume');
    const agent = next(scene, 'load');
    agent.again[0]!(refused('still not'));
    assert.deepEqual([scene.session.store.state.status, agent.newSession.length], ['failed', 0]);
  });

  it('comes back although the user had ended it', async () => {
    const ended = crashed();
    await ended.session.end();
    const scene = await readBack(ended);
    assert.equal(scene.session.store.state.status, 'ended');
    scene.session.act('retry');
    assert.equal(scene.agents.length, 0);
    scene.session.act('resume');
    next(scene, 'resume').again[0]!(back('S'));
    assert.deepEqual([scene.session.store.state.status, lines(scene.session)], ['ready', OURS]);
  });

  it('is gone for good when it is removed', async () => {
    const { session, sessions, journals, summaries } = crashed();
    await sessions.flush();
    assert.deepEqual([summaries.get(session.key)?.title, summaries.get(session.key)?.sessionId], ['question', 'S']);
    await sessions.remove(session.key);
    await turn();
    assert.deepEqual([sessions.all, journals.size, summaries.size], [[], 0, 0]);
  });
});

describe('the folders of a session', () => {
  function running(...offers: readonly ('load' | 'resume' | 'folders')[]): Scene & { readonly agent: FakeAgent } {
    const fakes = fakePorts();
    const sessions = new Sessions(fakes.ports);
    const session = sessions.create(launch(), { cwd: '/w', additionalDirectories: ['/x', '/w', '/x'], mcpServers: [] });
    const agent = fakes.agents[0]!;
    for (const offer of offers) {
      if (offer === 'folders') {
        agent.dialect.offers = { ...agent.dialect.offers, additionalDirectories: true };
      } else {
        agent.offer(offer);
      }
    }
    agent.open();
    return { ...fakes, sessions, session, agent };
  }

  it('are told to the user when they cannot be told to the agent, once', () => {
    const { session, agent, ...scene } = running('resume');
    assert.deepEqual(session.roots.additionalDirectories, ['/x']);
    assert.deepEqual(lines(session), ['notice session.folders_untold']);
    agent.end({ code: 'agent.exited' });
    session.act('restart');
    next({ session, ...scene }, 'resume').again[0]!(back('S'));
    assert.deepEqual(lines(session), ['notice session.folders_untold']);
    assert.deepEqual(lines(running('folders').session), []);
  });

  it('change while the rest of the setup stays, in each request for the session', () => {
    const fakes = fakePorts();
    const rest = { cwd: '/w', mcpServers: [{ name: 'Files', command: '/bin/files', args: [], env: { A: 'b' } }], options: { fast: true } };
    const session = new Sessions(fakes.ports).create(launch(), { ...rest, additionalDirectories: ['/x'] });
    const offered = (): FakeAgent => {
      const agent = fakes.agents.at(-1)!;
      agent.offer('resume');
      agent.dialect.offers = { ...agent.dialect.offers, additionalDirectories: true };
      return agent;
    };
    const agent = offered();
    agent.open();
    session.changeFolders(['/y']);
    agent.again[0]!(back('S'));
    agent.end({ code: 'agent.exited' });
    session.act('restart');
    const restarted = offered();
    restarted.ready(restarted.dialect);
    const inFolders = (...additionalDirectories: string[]): object => ({ ...rest, additionalDirectories });
    assert.deepEqual(agent.setups, [inFolders('/x'), inFolders('/y')]);
    assert.deepEqual(restarted.setups, [inFolders('/y')]);
    assert.deepEqual(session.setup, inFolders('/y'));
  });

  it('change by asking for the session again, with all of them', () => {
    const { session, agent } = running('folders', 'resume');
    session.prompt(text('question'));
    assert.equal(session.changeFolders(['/y'])?.code, 'turn.busy');
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', happenings: [] } });
    const held = session.roots;
    assert.equal(session.changeFolders(['/y', '/w', '/z']), undefined);
    assert.deepEqual(agent.setups.at(-1), { cwd: '/w', additionalDirectories: ['/y', '/z'], mcpServers: [] });
    assert.deepEqual(held.additionalDirectories, ['/x'], 'before the agent has agreed');
    assert.equal(session.prompt(text('too early'))?.code, 'session.not_ready');
    agent.again[0]!(back('S'));
    assert.deepEqual(held.additionalDirectories, ['/y', '/z'], 'who holds them sees the change');
    assert.deepEqual(session.store.state.additionalDirectories, ['/y', '/z']);
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', ['user: question', 'turn end_turn']]);
  });

  it('stay as they are when the agent does not agree', () => {
    const { session, agent } = running('folders', 'load');
    session.prompt(text('question'));
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', happenings: [] } });
    session.changeFolders([]);
    agent.client.onUpdate('S', [user('q', 'half of')]);
    agent.again[0]!(refused('not there'));
    assert.deepEqual(
      [session.store.state.status, session.roots.additionalDirectories, session.store.state.additionalDirectories],
      ['ready', ['/x'], ['/x']],
    );
    assert.deepEqual(lines(session), ['user: question', 'turn end_turn', 'notice request.failed']);
    assert.equal(session.prompt(text('go on')), undefined);
  });

  it('cannot change where the agent offers no way', () => {
    assert.equal(running('folders').session.changeFolders(['/y'])?.code, 'session.folders_fixed');
    assert.equal(running('resume', 'load').session.changeFolders(['/y'])?.code, 'session.folders_fixed');
  });

  it('are those of the last time when a conversation is read back', async () => {
    const { session, sessions, agent, journals } = running('folders', 'resume');
    session.changeFolders(['/y']);
    agent.again[0]!(back('S'));
    await sessions.flush();
    const after = fakePorts();
    after.journals.set(session.key, journals.get(session.key)!);
    const restored = await new Sessions(after.ports).restore(session.key, launch);
    assert.deepEqual(restored?.roots.additionalDirectories, ['/y']);
  });
});
