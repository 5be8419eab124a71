import assert from 'node:assert/strict';
import type { Interpreter } from '../../../../src/acp/protocolVersion';
import { V1 } from '../../../../src/acp/v1/v1';
import type { EventInput } from '../../../../src/core/model/event';
import type { Fault } from '../../../../src/core/model/failure';
import { AgentConnection, type SessionPeer } from '../../../../src/session/agent/agentConnection';

interface Peer extends SessionPeer {
  readonly calls: string[];
  readonly events: EventInput[];
  readonly refused: string[];
  running: boolean;
}

function newPeer(): Peer {
  const calls: string[] = [];
  const events: EventInput[] = [];
  const refused: string[] = [];
  const call = (name: string, answer: unknown) => async (params: unknown) => {
    calls.push(`${name} ${JSON.stringify(params)}`);
    return Promise.resolve(answer as never);
  };
  return {
    calls,
    events,
    refused,
    running: false,
    isTurnRunning(this: Peer) {
      return this.running;
    },
    onRefused: (method, sessionId) => void refused.push(`${method} ${sessionId}`),
    onUpdate: (more) => void events.push(...more),
    onTurnEnded: () => undefined,
    onUnknown: () => undefined,
    onElicitationComplete: () => undefined,
    requestPermission: call('ask', { optionId: 'y' }),
    elicit: call('elicit', { action: 'cancel' }),
    readTextFile: call('read', 'text'),
    writeTextFile: call('write', undefined),
    createTerminal: call('create', 'term-1'),
    terminalOutput: call('output', { output: '', truncated: false }),
    waitForTerminalExit: call('wait', { exitCode: 0 }),
    killTerminal: call('kill', undefined),
    releaseTerminal: call('release', undefined),
  };
}

function scene(...sessionIds: string[]) {
  const log: string[] = [];
  const note = (line: string) => void log.push(line);
  let interpreter!: Interpreter;
  const connection = new AgentConnection(
    'Fake',
    ({ client }) => {
      interpreter = V1.interpreter(client, { timeoutMs: 1 });
      return { dispose: () => undefined };
    },
    { info: note, warn: note, error: note, debug: note } as never,
    () => undefined,
  );
  const peers = sessionIds.map((sessionId) => {
    const peer = newPeer();
    return { peer, claim: connection.claim(sessionId, peer) };
  });
  const ask = async (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      const respond = { result: resolve, error: ({ rpcCode }: Fault) => resolve(rpcCode) };
      try {
        interpreter.onRequest(method, params, respond, new AbortController().signal);
      } catch (error) {
        resolve((error as Fault).rpcCode);
      }
    });
  const update = (sessionId: string | undefined, kind: object, more: object = {}) =>
    interpreter.onNotification('session/update', { ...(sessionId !== undefined && { sessionId }), update: kind, ...more });
  return { log, connection, peers, ask, update, first: peers[0]?.peer as Peer, second: peers[1]?.peer as Peer };
}

const READ = { path: '/a' };
const OPTIONS = [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }];
const REQUESTS: readonly (readonly [method: string, params: object])[] = [
  ['fs/read_text_file', READ],
  ['fs/write_text_file', { path: '/a', content: '' }],
  ['terminal/create', { command: 'true' }],
  ['terminal/output', { terminalId: 't' }],
  ['terminal/wait_for_exit', { terminalId: 't' }],
  ['terminal/kill', { terminalId: 't' }],
  ['terminal/release', { terminalId: 't' }],
  ['session/request_permission', { toolCall: { toolCallId: 'c', title: 'do it' }, options: OPTIONS }],
  ['elicitation/create', { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } }],
];
const CHUNK = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } };
const CALL = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'rm -rf build' };

describe('a message without a session id', () => {
  for (const [method, params] of REQUESTS) {
    it(`belongs to the only session: ${method}`, async () => {
      for (const none of [{}, { sessionId: '' }, { sessionId: null }]) {
        const { ask, first, log } = scene('a');
        assert.equal(typeof (await ask(method, { ...params, ...none })), 'object');
        assert.equal(first.calls.length, 1);
        assert.match(log.join('\n'), new RegExp(`${method} without a session id.*: a$`));
      }
    });
  }

  it('belongs to the only session when it is an update, too', () => {
    const { update, first } = scene('a');
    update('', CHUNK);
    update(undefined, CHUNK);
    assert.deepEqual(
      first.events.map(({ type }) => type),
      ['message_chunk', 'message_chunk'],
    );
  });

  it('is refused with several sessions, and the conversation whose turn runs shows that once', async () => {
    const { ask, first, second } = scene('a', 'b');
    second.running = true;
    assert.equal(await ask('fs/read_text_file', { ...READ, sessionId: '' }), -32002);
    assert.equal(await ask('fs/read_text_file', READ), -32602);
    assert.deepEqual([first.refused, second.refused, first.calls, second.calls], [[], ['fs/read_text_file '], [], []]);
  });

  it('is refused while another session is being opened', async () => {
    const { ask, first, connection } = scene('a');
    const opening = connection.own(1, newPeer());
    assert.equal(await ask('fs/read_text_file', { ...READ, sessionId: '' }), -32002);
    assert.deepEqual(first.refused, ['fs/read_text_file ']);
    opening.dispose();
    assert.deepEqual(await ask('fs/read_text_file', { ...READ, sessionId: '' }), { content: 'text' });
  });

  it('is invalid when the id has another type', async () => {
    assert.equal(await scene('a').ask('fs/read_text_file', { ...READ, sessionId: 1 }), -32602);
  });
});

describe('a message of a sub-session', () => {
  it('asks under its name in the only conversation whose turn runs, beside its own tool call', async () => {
    const { ask, update, first, second } = scene('a', 'b');
    first.running = true;
    update('child', CALL);
    await ask('session/request_permission', {
      sessionId: 'child',
      toolCall: { toolCallId: 'c1', title: 'rm -rf build' },
      options: OPTIONS,
    });
    assert.deepEqual(
      first.events.map((event) => 'toolCallId' in event && event.toolCallId),
      ['child/c1'],
    );
    const request = JSON.parse(first.calls[0]!.slice('ask '.length)) as { askedBy: string; subject: { toolCallId: string } };
    assert.deepEqual([request.askedBy, request.subject.toolCallId, second.calls], ['child', 'child/c1', []]);
  });

  it('reads files for the session that `_meta` names as its parent', async () => {
    for (const meta of [{ parentSessionId: 'b' }, { agent: { parent_session_id: 'b' } }]) {
      const { ask, first, second } = scene('a', 'b');
      first.running = true;
      assert.deepEqual(await ask('fs/read_text_file', { ...READ, sessionId: 'child', _meta: meta }), { content: 'text' });
      assert.deepEqual([first.calls.length, second.calls.length], [0, 1]);
    }
  });

  it('uses the title of the tool call that mentions it, or its own title', async () => {
    const permission = { sessionId: 'child', toolCall: { toolCallId: 'c1', title: 'rm' }, options: OPTIONS };
    const form = { sessionId: 'child', mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
    for (const announce of [
      [['a', { ...CALL, title: 'Explore', _meta: { vendor: { session_id: 'child' } } }]],
      [['a', { ...CALL, title: 'Explore', rawInput: { childSessionId: 'child' } }]],
      [
        ['a', { ...CALL, title: 'Explore' }],
        ['a', { sessionUpdate: 'tool_call_update', toolCallId: 'c1', _meta: { sessionId: 'child' } }],
      ],
      [['child', { sessionUpdate: 'session_info_update', title: 'Explore' }]],
    ] as const) {
      const { ask, update, first } = scene('a');
      first.running = true;
      announce.forEach(([sessionId, kind]) => update(sessionId, kind));
      await ask('session/request_permission', permission);
      await ask('elicitation/create', form);
      const names = first.calls.map((call) => (JSON.parse(call.slice(call.indexOf(' '))) as { askedBy?: string }).askedBy);
      assert.deepEqual(names, ['Explore', 'Explore']);
    }
  });

  it('does not use a field of the request as its name', async () => {
    const { ask, first } = scene('a');
    await ask('session/request_permission', {
      sessionId: 'a',
      askedBy: 'x',
      toolCall: { toolCallId: 'c1', title: 'rm' },
      options: OPTIONS,
    });
    assert.equal((JSON.parse(first.calls[0]!.slice('ask '.length)) as { askedBy?: string }).askedBy, undefined);
  });

  it("appears under its name as a tool call of its parent, not in the parent's answer", () => {
    const { update, first } = scene('a');
    first.running = true;
    update('child', CHUNK);
    update('child', CHUNK);
    update('child', { ...CHUNK, sessionUpdate: 'agent_thought_chunk' });
    assert.deepEqual(
      first.events.map((event) => [event.type, 'patch' in event ? event.patch : 'content' in event && event.content]),
      [
        ['tool_call_update', { title: 'child', kind: 'think', status: 'completed' }],
        ['tool_call_content_chunk', { type: 'content', content: CHUNK.content }],
        ['tool_call_content_chunk', { type: 'content', content: CHUNK.content }],
        ['tool_call_update', { title: 'child', kind: 'think', status: 'completed' }],
        ['tool_call_content_chunk', { type: 'content', content: CHUNK.content }],
      ],
    );
  });

  it('is shown when its kind is unknown', () => {
    const { update, first } = scene('a');
    first.running = true;
    update('child', { sessionUpdate: 'novelty', value: 1 });
    assert.deepEqual(
      first.events.map((event) => event.type === 'unknown' && event.label),
      ['child: novelty'],
    );
  });

  it('is cut off when a sub-session sends too much text', () => {
    const { update, first } = scene('a');
    first.running = true;
    for (let index = 0; index < 1000; index++) {
      update('child', { ...CHUNK, content: { type: 'text', text: 'x'.repeat(1000) } });
    }
    assert.ok(first.events.length < 100, `${first.events.length} events`);
    assert.match(JSON.stringify(first.events.at(-1)), /…/);
  });

  it('is refused with a notice when no turn or more than one runs, or when its parent is not open', async () => {
    for (const [running, meta] of [
      [[], undefined],
      [['a', 'b'], undefined],
      [['a'], { parentSessionId: 'gone' }],
    ] as const) {
      const { ask, first, second } = scene('a', 'b');
      first.running = (running as readonly string[]).includes('a');
      second.running = (running as readonly string[]).includes('b');
      assert.equal(await ask('terminal/create', { sessionId: 'child', command: 'rm', _meta: meta }), -32002);
      assert.deepEqual(first.refused, ['terminal/create child']);
      assert.deepEqual([first.calls, second.calls], [[], []]);
    }
  });

  it('is not used for a session that was open before', async () => {
    const { ask, first, peers } = scene('a', 'b');
    first.running = true;
    peers[1]!.claim.dispose();
    assert.equal(await ask('fs/read_text_file', { ...READ, sessionId: 'b' }), -32002);
    assert.deepEqual([first.calls, first.refused], [[], ['fs/read_text_file b']]);
  });

  it("stays with its parent when only another session's turn runs", async () => {
    const { ask, first, second } = scene('a', 'b');
    first.running = true;
    await ask('fs/read_text_file', { ...READ, sessionId: 'child' });
    first.running = false;
    second.running = true;
    await ask('terminal/create', { sessionId: 'child', command: 'rm' });
    await ask('fs/write_text_file', { sessionId: 'child', path: '/a', content: '' });
    assert.deepEqual([first.calls.length, second.calls.length], [3, 0]);
  });

  it('is refused once its parent is closed', async () => {
    const { ask, first, second, peers } = scene('a', 'b');
    second.running = true;
    await ask('fs/read_text_file', { ...READ, sessionId: 'child' });
    peers[1]!.claim.dispose();
    first.running = true;
    assert.equal(await ask('session/request_permission', { sessionId: 'child', toolCall: { toolCallId: 'c' }, options: OPTIONS }), -32002);
    assert.deepEqual([first.calls, first.refused], [[], ['session/request_permission child']]);
  });

  it('is refused when it names a parent other than before', async () => {
    const { ask, second } = scene('a', 'b');
    const child = { ...READ, sessionId: 'child' };
    await ask('fs/read_text_file', { ...child, _meta: { parentSessionId: 'a' } });
    assert.equal(await ask('fs/read_text_file', { ...child, _meta: { parentSessionId: 'b' } }), -32002);
    assert.deepEqual(second.calls, []);
  });
});
