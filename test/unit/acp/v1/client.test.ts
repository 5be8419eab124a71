import assert from 'node:assert/strict';
import type { PermissionParams } from '../../../../src/acp/dialect';
import { connected, settle, updateOf } from '../support';

/** The answer to `method` with `params`, and the calls that the client received. */
async function ask(method: string, params: unknown, prepare: (c: ReturnType<typeof connected>) => void = () => undefined) {
  const connection = connected();
  prepare(connection);
  connection.transport.feed({ jsonrpc: '2.0', id: 'q', method, params });
  const atOnce = [...connection.client.calls];
  await settle();
  const { result, error } = connection.transport.last as { result?: unknown; error?: { code: number; message: string } };
  return { result, code: error?.code, message: error?.message, calls: connection.client.calls, atOnce, connection };
}

describe('v1: requests of the agent', () => {
  it('reads files', async () => {
    const { result, atOnce } = await ask('fs/read_text_file', { sessionId: 's', path: '/a', line: 3, limit: null }, ({ client }) => {
      client.file = () => Promise.resolve('text\n');
    });
    assert.deepEqual(result, { content: 'text\n' });
    assert.deepEqual(atOnce, [{ name: 'readTextFile', sessionId: 's', args: { path: '/a', line: 3 } }], 'called inside the frame');
  });

  it('passes on the code of a failure', async () => {
    const { code, message } = await ask('fs/read_text_file', { sessionId: 's', path: '/a' });
    assert.deepEqual([code, message], [-32002, 'Resource not found']);
  });

  it('writes files', async () => {
    const { result, calls } = await ask('fs/write_text_file', { sessionId: 's', path: '/a', content: '', _meta: { bom: true } });
    assert.deepEqual(result, {});
    assert.deepEqual(calls[0]!.args, { path: '/a', content: '' });
  });

  it('runs terminals', async () => {
    const created = await ask('terminal/create', { sessionId: 's', command: 'ls', args: null, env: null, cwd: null, outputByteLimit: 10 });
    assert.deepEqual(created.result, { terminalId: 'term-1' });
    assert.deepEqual(created.calls[0]!.args, { command: 'ls', env: [], outputByteLimit: 10 });
    const withAll = await ask('terminal/create', {
      sessionId: 's',
      command: 'ls',
      args: ['-l'],
      env: [{ name: 'A', value: 'b' }],
      cwd: '/p',
    });
    assert.deepEqual(withAll.calls[0]!.args, { command: 'ls', args: ['-l'], env: [{ name: 'A', value: 'b' }], cwd: '/p' });
    const terminal = { sessionId: 's', terminalId: 'term-1' };
    assert.deepEqual((await ask('terminal/output', terminal)).result, {
      output: 'out',
      truncated: false,
      exitStatus: { exitCode: 0, signal: null },
    });
    assert.deepEqual((await ask('terminal/wait_for_exit', terminal)).result, { exitCode: null, signal: 'SIGTERM' });
    assert.deepEqual((await ask('terminal/kill', terminal)).result, {});
    assert.deepEqual((await ask('terminal/release', terminal)).result, {});
    assert.equal((await ask('terminal/output', { sessionId: 's', terminalId: 'other' })).code, -32002);
  });

  it('names the invalid parameter', async () => {
    const cases: [string, unknown, RegExp][] = [
      ['fs/read_text_file', { sessionId: 's' }, /path/],
      ['fs/read_text_file', { path: '/a' }, /sessionId/],
      ['fs/read_text_file', null, /params/],
      ['fs/read_text_file', 'text', /params/],
      ['fs/read_text_file', ['/a'], /params/],
      ['fs/read_text_file', { sessionId: 's', path: '/a', line: -1 }, /line/],
      ['fs/read_text_file', { sessionId: 's', path: '/a', limit: '5' }, /limit/],
      ['fs/write_text_file', { sessionId: 's', path: '/a' }, /content/],
      ['terminal/create', { sessionId: 's', args: [] }, /command/],
      ['terminal/create', { sessionId: 's', command: 'ls', args: [1] }, /args/],
      ['terminal/create', { sessionId: 's', command: 'ls', env: [{ name: 'A' }] }, /env/],
      ['terminal/kill', { sessionId: 's' }, /terminalId/],
      ['session/request_permission', { sessionId: 's', toolCall: { toolCallId: 't' }, options: [] }, /options/],
      ['session/request_permission', { sessionId: 's', toolCall: { toolCallId: 't' }, options: [{ name: 'x' }] }, /options/],
    ];
    for (const [method, params, what] of cases) {
      const { code, message, connection } = await ask(method, params);
      assert.equal(code, -32602, method);
      assert.match(message ?? '', what);
      assert.equal(connection.transport.last.id, 'q');
    }
  });

  it('rejects methods that it did not announce', async () => {
    for (const method of ['mcp/message', 'toString', '__proto__', '_vendor/ask', '$/ask', 'session/update']) {
      const { code, message } = await ask(method, { sessionId: 's' });
      assert.equal(code, -32601, method);
      assert.ok(message?.includes(method));
    }
  });

  it('are refused for files and programs when the agent runs on another machine', async () => {
    const { transport, client } = connected({}, { hasNoFiles: true });
    const requests: readonly [method: string, params: object][] = [
      ['fs/read_text_file', { sessionId: 's', path: '/home/me/shop/.env' }],
      ['fs/write_text_file', { sessionId: 's', path: '/home/me/shop/a.ts', content: 'x' }],
      ['terminal/create', { sessionId: 's', command: 'rm', args: ['-rf', '/home/me'] }],
      ['terminal/output', { sessionId: 's', terminalId: 'term-1' }],
    ];
    requests.forEach(([method, params], index) => transport.feed({ jsonrpc: '2.0', id: `r${index}`, method, params }));
    await settle();
    const answers = transport.sent.slice(1).map((text) => JSON.parse(text) as { id: string; error?: { code: number } });
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      requests.map((_, index) => [`r${index}`, -32601]),
    );
    assert.deepEqual(client.calls, []);
  });
});

describe('v1: permission requests', () => {
  const options = [
    { optionId: 'y', name: 'Yes', kind: 'allow_once' },
    { optionId: 'n', name: 'No', kind: 'reject_once' },
  ];
  const permission = (result: { optionId: string } | 'cancelled') => (c: ReturnType<typeof connected>) => {
    c.client.permission = () => Promise.resolve(result);
  };

  it('get a title and a subject, and return the answer', async () => {
    const toolCall = {
      toolCallId: 't',
      title: 'rm -rf build',
      kind: 'execute',
      status: 'pending',
      rawInput: { command: 'rm' },
      locations: [{ path: '/build', line: null }],
      content: [{ type: 'content', content: { type: 'text', text: 'removes it' } }],
    };
    const { result, calls } = await ask('session/request_permission', { sessionId: 's', toolCall, options }, permission({ optionId: 'n' }));
    assert.deepEqual(result, { outcome: { outcome: 'selected', optionId: 'n' } });
    const subject = { kind: 'execute', content: toolCall.content, locations: [{ path: '/build' }], rawInput: { command: 'rm' } };
    assert.deepEqual(calls[0]!.args, {
      title: 'rm -rf build',
      options,
      subject: { toolCallId: 't', ...subject },
      toolCall: { toolCallId: 't', patch: { title: 'rm -rf build', status: 'pending', ...subject } },
      extra: { toolCall: { status: 'pending' } },
    });
  });

  it('answer cancelled when the turn was', async () => {
    const { result } = await ask(
      'session/request_permission',
      { sessionId: 's', toolCall: { toolCallId: 't' }, options },
      permission('cancelled'),
    );
    assert.deepEqual(result, { outcome: { outcome: 'cancelled' } });
  });

  it('reach the user whatever the options are like, if one can be selected', async () => {
    const odd = [
      { optionId: 'a', kind: 'allow_for_a_minute' },
      { name: 'broken' },
      7,
      { optionId: 'b', name: 'B', kind: 5, _meta: { x: 1 } },
    ];
    const { calls } = await ask('session/request_permission', { sessionId: 's', toolCall: null, options: odd, hint: 1, _meta: { m: 1 } });
    const asked = calls[0]!.args as PermissionParams;
    assert.deepEqual(asked.options, [
      { optionId: 'a', name: 'a', kind: 'allow_for_a_minute' },
      { optionId: 'b', name: 'B', kind: 'unknown', malformed: { kind: 5 }, _meta: { x: 1 } },
    ]);
    assert.deepEqual([asked.title, asked.subject, asked.toolCall], ['', {}, undefined]);
    assert.deepEqual([asked.meta, asked.extra], [{ m: 1 }, { hint: 1, options: odd }]);
  });

  it('are refused when no option can be selected, and appear in the conversation anyway', async () => {
    for (const params of [
      { toolCall: { toolCallId: 't' } },
      { toolCall: { toolCallId: 't' }, options: [] },
      { options: [{ name: 'Yes' }, null] },
    ]) {
      const { code, calls } = await ask('session/request_permission', { sessionId: 's', ...params }, permission({ optionId: 'n' }));
      assert.equal(code, -32602);
      assert.deepEqual(
        calls.map(({ name }) => name),
        ['onUnknown'],
      );
    }
  });

  it('can be withdrawn by the agent: the signal aborts, and a rejected listener answers -32800', async () => {
    let aborted: AbortSignal | undefined;
    const { transport, client } = connected();
    client.permission = (_ask, signal) => {
      aborted = signal;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('withdrawn'))));
    };
    transport.feed({ id: 5, method: 'session/request_permission', params: { sessionId: 's', toolCall: { toolCallId: 't' }, options } });
    transport.feed({ method: '$/cancel_request', params: { requestId: 5 } });
    await settle();
    assert.ok(aborted?.aborted);
    assert.equal((transport.last.error as { code: number }).code, -32800);
  });

  it('come after the tool call that precedes them on the wire, and divide a message', () => {
    const { transport, client } = connected();
    const text = (piece: string): object => updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: piece } });
    transport.feed(text('before'));
    transport.feed(updateOf({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' }));
    transport.feed(text('and'));
    transport.feed({ id: 5, method: 'session/request_permission', params: { sessionId: 's', toolCall: { toolCallId: 't' }, options } });
    transport.feed(text('after'));
    assert.deepEqual(
      client.calls.map(({ name }) => name),
      ['onUpdate', 'onUpdate', 'onUpdate', 'requestPermission', 'onUpdate'],
    );
    const ids = client.events.flatMap((event) => (event.type === 'message_chunk' ? [event.messageId] : []));
    assert.equal(new Set(ids).size, 3);
  });
});
