import assert from 'node:assert/strict';
import type { EventInput } from '../../../src/core/model/event';
import type { Failure } from '../../../src/core/model/failure';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { fakeDependencies, launch, turn } from './fakes';
import { setup, say, outline } from './sessionOutline';

const METHODS = ['Browser', 'Key'].map((name) => ({ methodId: name, name, type: 'agent' }));

const kindsOf = (session: Session): string[] => [...session.store.state.entries].map(({ kind }) => kind);

describe('a session', () => {
  function open(): ReturnType<typeof fakeDependencies> & { sessions: Sessions; session: Session } {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    return { ...fakes, sessions, session };
  }

  it('keeps updates from before the session exists and from after a turn, in the order of the wire', () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    const agent = fakes.agents[0]!;
    agent.ready(agent.dialect);
    agent.client.onUpdate('S', [{ type: 'available_commands', commands: [{ name: 'a', description: '' }] }]);
    agent.client.onUpdate('S', [say('early ')]);
    assert.equal(session.store.state.entries.length, 0);
    agent.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.equal(session.store.state.status, 'ready');
    assert.equal(session.store.state.commands.length, 1);
    session.prompt([{ type: 'text', text: 'Hi' }]);
    agent.client.onUpdate('S', [{ ...say('answer'), messageId: 'm2' } as EventInput]);
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    agent.client.onUpdate('S', [{ ...say(', later'), messageId: 'm2' } as EventInput]);
    assert.deepEqual(outline(session), ['message agent early ', 'message user Hi', 'message agent answer, later', 'turn end_turn']);
    assert.equal(session.store.state.turn, undefined);
  });

  it('accepts one prompt at a time, and reports that', () => {
    const { session } = open();
    assert.equal(session.prompt([{ type: 'text', text: 'one' }]), undefined);
    assert.equal(session.prompt([{ type: 'text', text: 'two' }])?.code, 'turn.busy');
    assert.equal(outline(session).length, 1);
  });

  it('returns the text of a refused prompt, but not that of a failed one, which Retry sends', () => {
    const { session, agents } = open();
    const back: string[] = [];
    session.onPromptReturned((text) => back.push(text));
    session.prompt([{ type: 'text', text: 'one' }]);
    agents[0]!.prompts[0]!({ ok: false, failure: { code: 'request.failed', detail: 'no credit' } });
    session.prompt([{ type: 'text', text: 'two' }]);
    agents[0]!.prompts[1]!({ ok: true, value: { stopReason: 'refusal', events: [] } });
    assert.deepEqual(back, ['two']);
    assert.deepEqual(outline(session), ['message user one', 'turn error', 'message user two', 'turn refusal']);
  });

  it('answers a permission request once, and does not overwrite its tool call', async () => {
    const { session, agents, asked } = open();
    const { client } = agents[0]!;
    client.onUpdate('S', [{ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Mine', rawInput: { a: 1 } } }]);
    const request = {
      title: 'Theirs',
      options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
      subject: { toolCallId: 'c', rawInput: { other: true } },
      toolCall: { toolCallId: 'c', patch: { title: 'Theirs', rawInput: { other: true } } },
    };
    const answer = client.requestPermission('S', request, new AbortController().signal);
    assert.equal(session.store.state.pendingPermissions.length, 1);
    assert.ok(session.answerPermission(asked[0]!.permissionId, 'y'));
    assert.deepEqual(await answer, { optionId: 'y' });
    assert.deepEqual(outline(session), ['tool_call Mine pending', 'permission Theirs']);
    assert.equal(session.answerPermission(asked[0]!.permissionId, 'y'), false);
  });

  it('asks with the change, paths and input that only the tool call has', async () => {
    const { agents, asked } = open();
    const { client } = agents[0]!;
    const changes = [{ operation: 'modify', path: '/w/a', oldText: 'a', newText: 'b' }];
    const told = { kind: 'edit', content: [{ type: 'diff', changes }], locations: [{ path: '/w/a' }], rawInput: { path: '/w/a' } } as const;
    client.onUpdate('S', [{ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Edit', ...told } }]);
    const ask = (subject: object): void =>
      void client.requestPermission(
        'S',
        { title: '', options: [], subject: { toolCallId: 'c', ...subject } },
        new AbortController().signal,
      );
    ask({});
    ask({ locations: [{ path: '/w/b' }], rawInput: { own: 1 } });
    await turn();
    const [bare, own] = asked as unknown as { title: string; subject: object }[];
    assert.deepEqual(bare!.subject, { toolCallId: 'c', ...told });
    assert.equal(bare!.title, 'Edit');
    assert.deepEqual(own!.subject, { toolCallId: 'c', ...told, locations: [{ path: '/w/b' }], rawInput: { own: 1 } });
  });

  it('treats the error of a stopped turn as its end, if the error says so', () => {
    const { session, agents } = open();
    const back: string[] = [];
    session.onPromptReturned((text) => back.push(text));
    const failed = (failure: Failure, index: number): void => {
      session.prompt([{ type: 'text', text: `${index}` }]);
      session.cancel();
      agents[0]!.prompts[index]!({ ok: false, failure });
    };
    failed({ code: 'request.failed', detail: 'AbortError: This operation was aborted' }, 0);
    failed({ code: 'request.cancelled' }, 1);
    failed({ code: 'request.failed', detail: 'no credit' }, 2);
    assert.deepEqual(back, [], 'Retry sends the one that failed');
    assert.deepEqual(
      outline(session).filter((line) => line.startsWith('turn')),
      ['turn cancelled', 'turn cancelled', 'turn error'],
    );
  });

  it('creates the tool call that a request names if it was not announced', async () => {
    const { session, agents } = open();
    void agents[0]!.client.requestPermission(
      'S',
      { title: 'T', options: [], subject: { toolCallId: 'c' }, toolCall: { toolCallId: 'c', patch: { title: 'T', kind: 'edit' } } },
      new AbortController().signal,
    );
    await turn();
    assert.deepEqual(outline(session), ['tool_call T pending', 'permission T']);
  });

  it("uses the request's title and input when the announced tool call has neither", async () => {
    const { session, agents } = open();
    const { client } = agents[0]!;
    client.onUpdate('S', [{ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Shell', kind: 'execute', rawInput: {} } }]);
    const toolCall = { toolCallId: 'c', patch: { title: 'ls', kind: 'other', rawInput: { command: 'ls' } } };
    void client.requestPermission('S', { title: 'ls', options: [], subject: { toolCallId: 'c' }, toolCall }, new AbortController().signal);
    await turn();
    assert.deepEqual(outline(session), ['tool_call ls pending', 'permission ls']);
    const [call] = [...session.store.state.entries];
    assert.ok(call?.kind === 'tool_call' && 'rawInput' in call);
    assert.deepEqual([call.rawInput, call.toolKind], [{ command: 'ls' }, 'execute']);
  });

  it('closes a withdrawn request, and answers all pending and later ones with cancelled on Stop', async () => {
    const { session, agents } = open();
    const { client } = agents[0]!;
    const ask = (signal: AbortSignal): Promise<unknown> => client.requestPermission('S', { title: 'T', options: [], subject: {} }, signal);
    session.prompt([{ type: 'text', text: 'go' }]);
    const withdrawn = new AbortController();
    const first = ask(withdrawn.signal);
    await turn();
    withdrawn.abort();
    assert.equal(await first, 'cancelled');
    const second = ask(new AbortController().signal);
    await turn();
    session.cancel();
    assert.equal(await second, 'cancelled');
    assert.equal(await ask(new AbortController().signal), 'cancelled');
    assert.deepEqual(session.store.state.pendingPermissions, []);
    const outcomes = [...session.store.state.entries].flatMap((slot) =>
      slot.kind === 'permission' && 'outcome' in slot ? slot.outcome!.type : [],
    );
    assert.deepEqual(outcomes, ['withdrawn', 'cancelled', 'cancelled']);
    assert.deepEqual(
      agents[0]!.sent.filter(([what]) => what === 'cancel'),
      [['cancel', 'S']],
    );
    session.cancel();
    assert.equal(agents[0]!.sent.filter(([what]) => what === 'cancel').length, 1);
  });

  it('ends the turn and returns the prompt when the agent dies, and can restart with the conversation intact', async () => {
    const { session, agents, roomLog } = open();
    await agents[0]!.client.createTerminal('S', { command: 'server', args: [], env: [] }, new AbortController().signal);
    const back: string[] = [];
    session.onPromptReturned((text) => back.push(text));
    session.prompt([{ type: 'text', text: 'go' }]);
    agents[0]!.client.onUpdate('S', [{ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'T', status: 'in_progress' } }]);
    agents[0]!.end({ code: 'agent.exited', params: { exitCode: 1 }, detail: 'boom' });
    assert.equal(session.store.state.status, 'disconnected');
    assert.deepEqual(outline(session), ['message user go', 'tool_call T unfinished', 'turn error']);
    assert.deepEqual(back, ['go']);
    assert.ok(roomLog.includes('terminals closed'));
    session.act('restart');
    assert.equal(agents.length, 2);
    agents[1]!.open('S2');
    assert.equal(session.store.state.status, 'ready');
    assert.equal(session.store.state.sessionId, 'S2');
    // The new process does not know the conversation above.
    assert.deepEqual(outline(session).slice(3), ['notice']);
    assert.equal((session.store.state.entries.at(3) as { failure?: { code: string } }).failure?.code, 'session.restarted');
  });

  it('fails a start with its reason, and tries again on request', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), setup);
    fakes.agents[0]!.progress('fake', 'loading');
    assert.equal(session.store.state.start?.line, 'loading');
    fakes.agents[0]!.end({ code: 'agent.not_found', params: { command: 'fake' } });
    assert.equal(session.store.state.status, 'failed');
    assert.equal(session.store.state.failure?.code, 'agent.not_found');
    session.act('retry');
    assert.equal(session.store.state.start, undefined, 'the new start has its own clock and its own last line');
    fakes.agents[1]!.open();
    assert.equal(session.store.state.status, 'ready');
    assert.equal(session.store.state.failure, undefined);
  });

  it('signs in, then opens the requested session and sends the waiting prompt', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), setup);
    const [agent] = fakes.agents;
    agent!.ready({ ...agent!.dialect, authMethods: METHODS });
    agent!.newSession[0]!({ ok: false, failure: { code: 'auth.required', params: { method: 'session/new' } } });
    assert.equal(session.store.state.status, 'starting');
    assert.equal(session.store.state.signIn?.status, 'required');
    assert.deepEqual(session.store.state.signIn?.failure?.params, { method: 'session/new', methods: 'Browser, Key' });
    session.signIn('Browser');
    assert.equal(session.store.state.signIn?.status, 'running');
    agent!.authentications[0]!({ ok: false, failure: { code: 'request.failed', detail: 'no' } });
    assert.deepEqual(session.store.state.signIn, {
      status: 'failed',
      methodId: 'Browser',
      failure: { code: 'request.failed', detail: 'no' },
    });
    session.signIn('Browser');
    agent!.authentications[1]!({ ok: true, value: undefined });
    assert.equal(session.store.state.signIn?.status, 'signed_in');
    agent!.newSession[1]!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.equal(session.store.state.status, 'ready');
    session.prompt([{ type: 'text', text: 'go' }]);
    agent!.prompts[0]!({ ok: false, failure: { code: 'auth.required' } });
    assert.ok(session.store.state.turn, 'the turn waits');
    session.signIn('Key');
    agent!.authentications[2]!({ ok: true, value: undefined });
    agent!.prompts[1]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    assert.equal(session.store.state.turn, undefined);
    assert.deepEqual(kindsOf(session), ['message', 'turn']);
  });

  it('gives up when the user declines to sign in', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), setup);
    const given: string[] = [];
    session.onPromptReturned((text) => given.push(text));
    const [agent] = fakes.agents;
    agent!.ready({ ...agent!.dialect, authMethods: METHODS });
    agent!.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    session.prompt([{ type: 'text', text: 'go' }]);
    agent!.prompts[0]!({ ok: false, failure: { code: 'auth.required' } });
    session.signIn();
    assert.deepEqual(given, [], 'Retry sends it');
    const footer = [...session.store.state.entries].find((slot) => slot.kind === 'turn');
    assert.deepEqual(footer && 'failure' in footer && footer.failure?.params, { methods: 'Browser, Key' });
    session.prompt([{ type: 'text', text: 'again' }]);
    agent!.prompts[1]!({ ok: false, failure: { code: 'auth.required' } });
    session.cancel();
    assert.deepEqual(given, ['again']);
    assert.equal(session.store.state.turn, undefined);
  });

  it('leaves a turn open in the journal when the window closes: it was interrupted, and did not fail', () => {
    const { session, sessions, agents } = open();
    session.prompt([{ type: 'text', text: 'go' }]);
    sessions.dispose();
    agents[0]!.prompts[0]!({ ok: false, failure: { code: 'connection.disposed' } });
    assert.ok(session.store.state.turn);
  });

  it('stops waiting for a start that the user cancels', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), setup);
    session.act('cancel_start');
    assert.equal(session.store.state.failure?.code, 'agent.start_cancelled');
    assert.equal(fakes.agents[0]!.disposed, 1);
  });

  it('reports to the user, too, that a file could not be written', async () => {
    const { session, agents } = open();
    const { client } = agents[0]!;
    await assert.rejects(client.writeTextFile('S', { path: '/conflict', content: '' }, new AbortController().signal), /fs.conflict/);
    await client.writeTextFile('S', { path: '/w/a', content: '' }, new AbortController().signal);
    assert.deepEqual(outline(session), ['notice /conflict']);
  });

  it('shows a failed config change, and applies a successful one', () => {
    const { session, agents } = open();
    agents[0]!.client.onUpdate('S', [
      { type: 'config_options', options: [{ type: 'boolean', configId: 'b', name: 'Loud', currentValue: false }] },
    ]);
    session.setConfig('b', true);
    agents[0]!.configs[0]!({ ok: true, value: [{ type: 'config_value', configId: 'b', value: true }] });
    assert.deepEqual(
      session.store.state.config.map((option) => 'currentValue' in option && option.currentValue),
      [true],
    );
    session.setConfig('b', false);
    agents[0]!.configs[1]!({ ok: false, failure: { code: 'request.failed', detail: 'no' } });
    assert.deepEqual(outline(session), ['notice']);
    const notice = [...session.store.state.entries].at(-1);
    assert.deepEqual(notice && 'failure' in notice && notice.failure?.params, {
      option: 'Loud',
      turn: 'off',
      refusal: 'request.failed',
      reason: 'no',
    });
  });
});
