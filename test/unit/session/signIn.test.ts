import assert from 'node:assert/strict';
import type { AuthMethod, ContentBlock } from '../../../src/core/model/content';
import type { Failure } from '../../../src/core/model/failure';
import { needsYou } from '../../../src/core/model/select';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAccount, type FakeAgent, fakePorts, launch, turn } from './fakes';

const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
const METHODS: readonly AuthMethod[] = [
  { methodId: 'browser', name: 'Browser', type: 'agent' },
  { methodId: 'login', name: 'Log in', type: 'terminal', args: ['login'] },
  { methodId: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'A_KEY', secret: true, optional: false }] },
];
const REQUIRED: Failure = { code: 'auth.required', params: { method: 'any', code: -32000 }, detail: 'Who are you?' };
const no = { ok: false, failure: REQUIRED } as const;
const text = (words: string): ContentBlock => ({ type: 'text', text: words });

interface Scene extends ReturnType<typeof fakePorts> {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly account: FakeAccount;
  readonly given: (readonly ContentBlock[])[];
  agent(index?: number): FakeAgent;
}

/** A session whose agent has answered `initialize`, and offers these ways to sign in. */
function scene(methods = METHODS): Scene {
  const fakes = fakePorts();
  const sessions = new Sessions(fakes.ports);
  const session = sessions.create(launch(), setup);
  const given: (readonly ContentBlock[])[] = [];
  session.onPromptReturned((words, others) => given.push([text(words), ...others]));
  const made = {
    ...fakes,
    sessions,
    session,
    given,
    account: fakes.ports.account as FakeAccount,
    agent: (index = -1): FakeAgent => fakes.agents.at(index)!,
  };
  initialize(made.agent(), methods);
  return made;
}

function initialize(agent: FakeAgent, methods = METHODS): void {
  agent.dialect.authMethods = methods;
  agent.ready(agent.dialect);
}

const opened = (agent: FakeAgent, sessionId = 'S'): void => agent.newSession.at(-1)!({ ok: true, value: { sessionId, happenings: [] } });
const ended = (agent: FakeAgent): void => agent.prompts.at(-1)!({ ok: true, value: { stopReason: 'end_turn', happenings: [] } });
const statusOf = (session: Session): unknown => session.store.state.signIn?.status;
const turnsOf = (session: Session): string[] =>
  [...session.store.state.entries].flatMap((slot) => (slot.kind === 'turn' && !('absent' in slot) ? slot.stopReason : []));
const sentTo = (agent: FakeAgent): unknown[] => agent.sent.map(([what]) => what);

describe('signing in: a method of the agent’s own', () => {
  it('does again what failed, once for each sign-in', () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    assert.equal(session.store.state.status, 'starting');
    assert.deepEqual(session.store.state.signIn, {
      status: 'required',
      failure: { ...REQUIRED, params: { ...REQUIRED.params, methods: 'Browser, Log in, Key' } },
    });
    assert.ok(needsYou(session.store.state));
    session.signIn('browser');
    assert.equal(statusOf(session), 'running');
    session.signIn('browser');
    assert.equal(agent().authentications.length, 1, 'one at a time');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.equal(statusOf(session), 'signed_in');
    agent().newSession[1]!(no);
    assert.equal(statusOf(session), 'required');
    assert.equal(agent().newSession.length, 2, 'not by itself');
    session.signIn('browser');
    agent().authentications[1]!({ ok: true, value: undefined });
    opened(agent());
    assert.deepEqual([session.store.state.status, statusOf(session)], ['ready', 'signed_in']);
    assert.ok(!needsYou(session.store.state));
  });

  it('keeps the turn open and sends the prompt again, attachments and all', () => {
    const { session, agent } = scene();
    opened(agent());
    const content: ContentBlock[] = [text('look'), { type: 'resource', uri: 'file:///w/a', text: 'a' }];
    session.prompt(content);
    agent().prompts[0]!(no);
    assert.ok(session.store.state.turn);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual(
      agent().sent.filter(([what]) => what === 'prompt'),
      [
        ['prompt', 'S', content],
        ['prompt', 'S', content],
      ],
    );
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
    assert.deepEqual(
      [...session.store.state.entries].map(({ kind }) => kind),
      ['message', 'turn'],
    );
  });

  it('shows why it failed, and offers all of them again', () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    session.signIn('browser');
    agent().authentications[0]!({ ok: false, failure: { code: 'request.failed', detail: 'no such account' } });
    assert.deepEqual(session.store.state.signIn, {
      status: 'failed',
      methodId: 'browser',
      failure: { code: 'request.failed', detail: 'no such account' },
    });
    session.signIn('nothing of the kind');
    assert.equal(session.store.state.signIn?.failure?.code, 'auth.unknown_method');
    session.signIn('browser');
    assert.equal(agent().authentications.length, 2);
  });

  it('is given up at the agent, which may say yes all the same', async () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    session.signIn('browser');
    const question = agent().client.elicit(
      { requestId: 2 },
      { message: 'Code?', body: { mode: 'form', form: { fields: [] } } as never },
      new AbortController().signal,
    );
    session.signIn();
    assert.deepEqual(agent().sent.at(-1), ['give up', 'authenticate']);
    assert.deepEqual(session.store.state.signIn?.failure?.detail, 'Who are you?', 'the card is as it was');
    assert.equal(statusOf(session), 'required');
    assert.deepEqual(await question, { action: 'cancel' });
    agent().authentications[0]!({ ok: false, failure: { code: 'request.cancelled' } });
    assert.equal(statusOf(session), 'required');
    session.signIn('browser');
    session.signIn();
    agent().authentications[1]!({ ok: true, value: undefined });
    opened(agent());
    assert.equal(session.store.state.status, 'ready');
  });

  it('leaves a second attempt alone when the first is answered late', () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    session.signIn('browser');
    session.signIn();
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.equal(statusOf(session), 'running');
    agent().authentications[1]!({ ok: true, value: undefined });
    assert.equal(agent().newSession.length, 2);
  });

  it('ends the start, or the turn, when the user does not want to', () => {
    const first = scene();
    first.agent().newSession[0]!(no);
    first.session.signIn();
    assert.deepEqual(
      [first.session.store.state.status, first.session.store.state.failure?.params?.['methods']],
      ['failed', 'Browser, Log in, Key'],
    );
    assert.equal(first.agent().disposed, 1);
    first.session.act('retry');
    initialize(first.agent());
    first.agent().newSession[0]!(no);
    assert.equal(statusOf(first.session), 'required', 'asked anew');

    const { session, agent, given } = scene();
    opened(agent());
    session.prompt([text('go'), { type: 'image', data: 'AA==', mimeType: 'image/png' }]);
    assert.equal(given.length, 0);
    session.prompt([text('go'), { type: 'resource_link', uri: 'file:///a', name: 'a' }]);
    agent().prompts[0]!(no);
    session.signIn();
    assert.deepEqual(given, [[text('go'), { type: 'resource_link', uri: 'file:///a', name: 'a' }]]);
    assert.deepEqual(turnsOf(session), ['error']);
    assert.equal(statusOf(session), 'dismissed');
    session.signIn();
    assert.equal(statusOf(session), 'dismissed', 'nothing to back out of');
  });

  it('knows that it has been signed in elsewhere when a prompt is answered', () => {
    const { session, agent } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn();
    session.prompt([text('go')]);
    ended(agent());
    assert.equal(statusOf(session), 'signed_in');
  });
});

describe('signing in: Stop', () => {
  it('ends the turn that waits as cancelled and gives it back', () => {
    const { session, agent, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.cancel();
    assert.deepEqual([turnsOf(session), given, statusOf(session)], [['cancelled'], [[text('go')]], 'dismissed']);
    assert.ok(!sentTo(agent()).includes('cancel'), 'nothing runs there');
  });

  it('gives up the sign-in that runs for it', () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    session.cancel();
    assert.deepEqual([turnsOf(session), statusOf(session), account.asked[0]!.signal.aborted], [['cancelled'], 'dismissed', true]);
  });

  it('does not send the prompt any more when the session comes back after it', async () => {
    const { session, agent, agents, account, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    assert.equal(agents.length, 2);
    session.cancel();
    assert.deepEqual([turnsOf(session), given.length, session.store.state.status], [['cancelled'], 1, 'starting']);
    initialize(agent());
    agent().newSession[0]!(no);
    assert.equal(statusOf(session), 'required', 'the session itself is still wanted');
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    opened(agent(), 'T');
    assert.deepEqual([agent().prompts.length, session.store.state.status], [0, 'ready']);
  });

  it('ends a turn as cancelled that the agent then wants a sign-in for', () => {
    const { session, agent, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.cancel();
    agent().prompts[0]!(no);
    assert.deepEqual([turnsOf(session), given.length, statusOf(session)], [['cancelled'], 1, undefined]);
  });

  it('reaches the agent when only an option waits', () => {
    const { session, agent } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.setConfig('model', 'm');
    agent().configs[0]!(no);
    assert.equal(statusOf(session), 'required');
    session.cancel();
    assert.deepEqual(agent().sent.at(-1), ['cancel', 'S']);
    assert.ok(session.store.state.turn?.cancelling);
  });
});

describe('signing in: options', () => {
  it('are set again, the newest value of each', () => {
    const { session, agent } = scene();
    opened(agent());
    session.setConfig('model', 'a');
    agent().configs[0]!(no);
    session.setConfig('model', 'b');
    agent().configs[1]!(no);
    session.setConfig('$mode', 'ask');
    agent().configs[2]!(no);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual(agent().sent.slice(-2), [
      ['setConfig', 'S', 'model', 'b'],
      ['setConfig', 'S', '$mode', 'ask'],
    ]);
  });

  it('are told of when the user does not want to', () => {
    const { session, agent } = scene();
    opened(agent());
    session.setConfig('model', 'a');
    agent().configs[0]!(no);
    session.signIn();
    const notice = [...session.store.state.entries].at(-1);
    assert.deepEqual(notice && 'failure' in notice && notice.failure?.code, 'auth.required');
    assert.equal(session.store.state.status, 'ready');
  });

  it('never break off a turn that runs: what needs a new process has to wait', async () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.setConfig('model', 'a');
    agent().configs[0]!(no);
    session.signIn('login');
    assert.deepEqual([account.asked.length, session.store.state.signIn?.failure?.code], [0, 'turn.busy']);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual(agent().sent.at(-1), ['setConfig', 'S', 'model', 'a']);
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
  });
});

describe('signing in: in a terminal', () => {
  it('starts the agent anew, brings the session back and sends what waited', async () => {
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
    agent().again[0]!({ ok: true, value: { sessionId: 'S', happenings: [] } });
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
    assert.equal(agents.length, 3);
    assert.ok(
      agents.every(({ authentications }) => authentications.length === 0),
      'never told of a terminal’s method',
    );
  });

  it('sends the prompt once more after the agent has told the conversation anew', async () => {
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
    agent().again[0]!({ ok: true, value: { sessionId: 'S', happenings: [] } });
    assert.equal(statusOf(session), 'signed_in', 'that is not for the agent to tell');
    ended(agent());
    const said = [...session.store.state.entries].map((slot) =>
      slot.kind === 'message' && 'content' in slot ? slot.content.map((block) => 'text' in block && block.text).join() : slot.kind,
    );
    assert.deepEqual(said, ['earlier', 'go', 'turn']);
  });

  it('says how the program ended, or that its terminal was closed', async () => {
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

  it('helps an agent that ends when it may not do what was asked', async () => {
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

  it('lets go of an agent that ended when the user does not want to', () => {
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

  it('fails as any start does when the new process does not come', async () => {
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

  it('keeps asking when the new process ends while it is told of the sign-in', async () => {
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

describe('signing in: by values', () => {
  it('starts the agent with them, tells it, and then does what waited', async () => {
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

  it('takes the values that are kept first, and asks when they did not help', async () => {
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

  it('does without telling where the agent knows no such request', async () => {
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

describe('signing in: who else waits', () => {
  function two(): Scene & { other: Session } {
    const made = scene();
    const other = made.sessions.create(launch(), setup);
    return { ...made, other };
  }

  it('goes on in the same process', () => {
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

  it('stays with what it does in the old one, and follows when that wants a sign-in', async () => {
    const { session, other, agent, agents, account } = two();
    opened(agent(0), 'B');
    agent(0).newSession[0]!({ ok: true, value: { sessionId: 'A', happenings: [] } });
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
    agent(1).again[1]!({ ok: true, value: { sessionId: 'B', happenings: [] } });
    ended(agent(1));
    assert.deepEqual(turnsOf(other), ['end_turn']);
    agent(1).again[0]!({ ok: true, value: { sessionId: 'A', happenings: [] } });
    other.prompt([text('more')]);
    agent(1).prompts.at(-1)!(no);
    assert.equal(statusOf(other), 'required', 'this process is up to date: the user is asked');
  });

  it('is asked in the old process where the new one could not go on with its conversation', async () => {
    const { session, other, agent, account, agents } = two();
    agent(0).newSession[0]!({ ok: true, value: { sessionId: 'A', happenings: [] } });
    opened(agent(0), 'B');
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    other.prompt([text('go')]);
    agent(0).prompts[0]!(no);
    assert.deepEqual([statusOf(other), agents.length], ['required', 2]);
  });

  it('is another agent’s affair', () => {
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

describe('signing in without being asked', () => {
  it('changes nothing but what is known', () => {
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

  it('starts what could not be started', async () => {
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

  it('has to wait for the turn when it needs a new process', () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.signIn('login');
    assert.deepEqual([account.asked.length, session.store.state.signIn?.failure?.code], [0, 'turn.busy']);
  });

  it('ends with the agent that it was at', async () => {
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

  it('leaves the session, which asks when it is next needed', () => {
    const { session, sessions, agent, answers } = signedOut();
    const other = sessions.create(launch(), setup);
    agent().newSession.at(-1)!({ ok: true, value: { sessionId: 'B', happenings: [] } });
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

  it('is told of when it fails; who must sign in for it is signed out', () => {
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

describe('an agent that wants a sign-in', () => {
  it('fails plainly when it does not say how', () => {
    const { session, agent } = scene([]);
    agent().newSession[0]!(no);
    assert.deepEqual([session.store.state.status, session.store.state.failure], ['failed', REQUIRED]);
    const initial = fakePorts();
    const other = new Sessions(initial.ports).create(launch(), setup);
    initial.agents[0]!.end(REQUIRED);
    assert.deepEqual([other.store.state.status, other.store.state.failure?.code], ['failed', 'auth.required']);
  });

  it('is not asked for a new session when it wants one for an old', () => {
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

  it('is asked nothing more once the session has ended or the window closes', async () => {
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

  it('is not waited for after the window was reloaded: what waited is over', async () => {
    const { session, agent, sessions, journals } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    await sessions.flush();
    const after = fakePorts();
    after.journals.set(session.key, journals.get(session.key)!);
    const restored = (await new Sessions(after.ports).restore(session.key, () => launch()))!;
    assert.deepEqual([restored.store.state.status, statusOf(restored), turnsOf(restored)], ['disconnected', undefined, ['error']]);
    assert.ok(!needsYou(restored.store.state));
    const bare = fakePorts();
    bare.journals.set(session.key, journals.get(session.key)!);
    const removed = (await new Sessions(bare.ports).restore(session.key))!;
    removed.signIn('login');
    assert.equal(removed.store.state.signIn?.failure?.code, 'session.agent_removed');
    restored.signIn('login');
    (after.ports.account as FakeAccount).asked[0]!.finish();
    await turn();
    after.agents[0]!.offer('resume');
    initialize(after.agents[0]!);
    after.agents[0]!.again[0]!({ ok: true, value: { sessionId: 'S', happenings: [] } });
    assert.equal(restored.store.state.status, 'ready');
  });
});
