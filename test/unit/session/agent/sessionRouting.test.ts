import assert from 'node:assert/strict';
import type { Interpreter } from '../../../../src/acp/protocolVersion';
import { V1 } from '../../../../src/acp/v1/v1';
import type { EventInput } from '../../../../src/core/model/event';
import type { Fault } from '../../../../src/core/model/failure';
import { ReplaySessions } from '../../../../src/acp/replay/sessions';
import { AgentConnection, type SessionPeer } from '../../../../src/session/agent/agentConnection';
import { SessionRouting } from '../../../../src/session/agent/sessionRouting';

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
    onTurnStarted: () => undefined,
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

/** The events of a session: announcements as `<id>: <state or name>`, events of a subagent as `<id> <type> <entry's id>`. */
function shapes({ events }: Peer): string[] {
  return events.map((event) => {
    if (event.type === 'subagent_update') {
      const { work, title } = event.patch;
      return `${event.parentId === undefined ? '' : `${event.parentId} > `}${event.subagentId}: ${[work?.state, title].filter(Boolean).join(' ')}`;
    }
    const { event: inner, subagentId } = event.type === 'subagent_event' ? event : { event, subagentId: '-' };
    const { toolCallId, messageId, unknownId } = inner as { toolCallId?: string; messageId?: string; unknownId?: string };
    return `${subagentId} ${inner.type} ${toolCallId ?? messageId ?? unknownId ?? ''}`;
  });
}

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

describe('a message of an unannounced subagent', () => {
  it('asks under its name in the only conversation whose turn runs, beside its own tool call', async () => {
    const { ask, update, first, second } = scene('a', 'b');
    first.running = true;
    update('child', CALL);
    await ask('session/request_permission', {
      sessionId: 'child',
      toolCall: { toolCallId: 'c1', title: 'rm -rf build' },
      options: OPTIONS,
    });
    assert.deepEqual(shapes(first), ['child: running', 'child tool_call_update child/c1']);
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

  it('announces it once, and is part of its own conversation', () => {
    const { update, first } = scene('a');
    first.running = true;
    update('child', CHUNK);
    update('child', { ...CHUNK, sessionUpdate: 'agent_thought_chunk', messageId: 'm' });
    update('child', { sessionUpdate: 'novelty', value: 1 });
    assert.deepEqual(shapes(first), [
      'child: running',
      'child message_chunk child/~1',
      'child message_chunk child/m',
      'child unknown child/~2',
    ]);
  });

  it('takes the name that becomes known later', () => {
    const { update, first } = scene('a');
    first.running = true;
    update('child', CHUNK);
    update('child', { sessionUpdate: 'session_info_update', title: 'Explore' });
    update('child', CHUNK);
    assert.deepEqual(
      shapes(first).filter((shape) => shape.startsWith('child:')),
      ['child: running', 'child: Explore'],
    );
  });

  it('belongs to the session that its thread names', async () => {
    const { ask, first, second } = scene('a', 'b c');
    first.running = true;
    assert.deepEqual(await ask('fs/read_text_file', { ...READ, sessionId: 'b%20c:subagent:t1' }), { content: 'text' });
    assert.deepEqual([first.calls.length, second.calls.length], [0, 1]);
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

const quiet = (): void => undefined;
const SILENT = { error: quiet, warn: quiet, info: quiet, debug: quiet };

describe('an announced subagent', () => {
  const announce = (sessionId: string, more: object = {}) => ({ sessionUpdate: 'subagent_update', sessionId, ...more });

  it('gets its updates and asks for its session, nested and without a running turn', async () => {
    const { ask, update, first, second } = scene('a', 'b');
    second.running = true;
    update('a', announce('x', { title: 'Explore', state: { state: 'running' } }));
    update('x', announce('y', { title: 'Read' }));
    update('y', CHUNK);
    await ask('session/request_permission', { sessionId: 'y', toolCall: { toolCallId: 'c1', title: 'rm' }, options: OPTIONS });
    assert.deepEqual(shapes(first), ['x: running Explore', 'x > y: Read', 'y message_chunk y/~1']);
    const request = JSON.parse(first.calls[0]!.slice('ask '.length)) as { askedBy: string; subagentId: string };
    assert.deepEqual([request.askedBy, request.subagentId, second.events, second.calls], ['Read', 'y', [], []]);
  });

  it('starts commands in its folder, unless it names another one', async () => {
    const { ask, update, first } = scene('a');
    update('a', announce('x', { cwd: '/w/x' }));
    await ask('terminal/create', { sessionId: 'x', command: 'ls' });
    await ask('terminal/create', { sessionId: 'x', command: 'ls', cwd: '/w' });
    update('a', announce('x', { cwd: null }));
    await ask('terminal/create', { sessionId: 'x', command: 'ls' });
    const folders = first.calls.map((call) => (JSON.parse(call.slice('create '.length)) as { cwd?: string }).cwd);
    assert.deepEqual(folders, ['/w/x', '/w', undefined]);
  });

  it('is named in its writes and commands, which end with its stop', async () => {
    const { ask, update, first } = scene('a');
    update('a', announce('x'));
    await ask('terminal/create', { sessionId: 'x', command: 'ls', subagentId: 'y' });
    await ask('fs/write_text_file', { sessionId: 'x', path: '/w/a', content: '' });
    await ask('terminal/create', { sessionId: 'a', command: 'ls', subagentId: 'y' });
    const names = first.calls.map((call) => (JSON.parse(call.slice(call.indexOf('{'))) as { subagentId?: string }).subagentId);
    assert.deepEqual(names, ['x', 'x', undefined]);
  });

  it('gets the updates that came before its announcement, and its own subagents', () => {
    const { update, first, log } = scene('a', 'b');
    update('y', CHUNK);
    update('x', announce('y', { title: 'Read' }));
    assert.deepEqual(first.events, []);
    update('a', announce('x', { title: 'Explore' }));
    assert.deepEqual(shapes(first), ['x: Explore', 'x > y: Read', 'y message_chunk y/~1']);
    update('y', CHUNK);
    assert.equal(shapes(first).at(-1), 'y message_chunk y/~1');
    assert.deepEqual(log, []);
  });

  it('is refused when it cannot be one, which costs only its announcement', async () => {
    const { ask, update, first, second } = scene('a', 'b');
    update('a', announce('x'));
    update('x', announce('y'));
    const before = first.events.length;
    update('a', announce('a')); // A session as its own parent.
    update('x', announce('x'));
    update('a', announce('b')); // A session of the user.
    update('y', announce('x')); // A circle.
    update('y', announce('a'));
    update('b', announce('x')); // Another session's.
    update('a', announce('y')); // Another parent.
    for (const sessionId of [undefined, null, 7, '', {}]) {
      update('a', announce(sessionId as string));
    }
    assert.deepEqual(
      first.events.slice(before).map((event) => (event.type === 'subagent_event' ? event.event.type : event.type)),
      Array.from({ length: 11 }, () => 'unknown'),
    );
    assert.deepEqual(
      second.events.map(({ type }) => type),
      ['unknown'],
    );
    update('y', CHUNK);
    assert.match(shapes(first).at(-1)!, /^y message_chunk/);
    assert.equal(await ask('fs/read_text_file', { ...READ, sessionId: 'nobody' }), -32002);
  });

  it('is lost with an unknown parent, and so are its messages', () => {
    const { update, first, connection } = scene('a');
    first.running = false;
    update('nobody', announce('x'));
    update('x', CHUNK);
    assert.deepEqual(first.events, []);
    assert.equal(connection.isClaimed('x'), false);
  });

  it('is refused above 1,000 of a session', () => {
    const { update, first } = scene('a');
    for (let index = 0; index < 1001; index++) {
      update('a', announce(`x${index}`));
    }
    assert.deepEqual(
      first.events.slice(-2).map(({ type }) => type),
      ['subagent_update', 'unknown'],
    );
  });

  it('is refused above 1,000 of a session also with its own subagents, which were announced first', () => {
    const routing = new SessionRouting(new Map([['a', {}]]), () => [], SILENT);
    const register = (parent: string, from: number, to: number): boolean[] =>
      Array.from({ length: to - from }, (_, index) => routing.register(parent, `x${from + index}`));
    assert.ok(register('p', 0, 600).every(Boolean));
    assert.ok(register('a', 600, 1000).every(Boolean));
    assert.equal(routing.register('a', 'p'), false);
    assert.equal(routing.register('a', 'q'), true);
  });

  it('is registered in the same time, however many there are', function () {
    this.timeout(8000);
    const routings = [new SessionRouting(new Map(), () => [], SILENT), new ReplaySessions({ now: 0 }, 'A')];
    for (const routing of routings) {
      const register = (parent: string, child: string): boolean =>
        routing instanceof SessionRouting ? routing.register(parent, child) : routing.registerSubagent(parent, child);
      for (let index = 0; index < 60_000; index++) {
        register(`p${index + 1}`, `p${index}`);
      }
    }
  });
});
