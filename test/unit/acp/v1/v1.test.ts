import assert from 'node:assert/strict';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import type { ContentBlock } from '../../../../src/core/model/content';
import { MODE_CONFIG_ID } from '../../../../src/core/model/wellKnown';
import type { Failure } from '../../../../src/core/model/failure';
import type { Outcome } from '../../../../src/acp/jsonrpc/rpc';
import { V1_CAPABILITIES } from '../../../../src/acp/v1/v1';
import { CLIENT_INFO, connected, connecting, updateOf } from '../support';

const SETUP = { cwd: '/p', additionalDirectories: ['/q', '/p', '/q', '/r'], mcpServers: [] };

function box<T>(): { outcome?: Outcome<T>; settled: (outcome: Outcome<T>) => void } {
  const result: { outcome?: Outcome<T>; settled: (outcome: Outcome<T>) => void } = { settled: (outcome) => (result.outcome = outcome) };
  return result;
}

describe('v1: the handshake', () => {
  it("sends the client's capabilities and name", () => {
    const { transport } = connecting();
    assert.deepEqual(JSON.parse(transport.sent[0]!), {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: 1, clientCapabilities: V1_CAPABILITIES, clientInfo: CLIENT_INFO },
    });
    assert.deepEqual(V1_CAPABILITIES, {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {}, quota: {} },
      auth: { terminal: true, _meta: { gateway: true } },
      elicitation: { form: {}, url: {} },
      subagents: {},
      plan: {},
      _meta: { 'terminal-auth': true, terminal_output_delta: true },
    });
  });

  it("reads the agent's name, its prompt capabilities and its sign-in methods", () => {
    const { dialect } = connected({
      agentInfo: { name: 'a', title: 'A', version: '1' },
      agentCapabilities: { promptCapabilities: { image: true, embeddedContext: true, audio: null } },
      authMethods: [
        { id: 'login', name: 'Log in', description: null },
        { id: 'term', name: 'Terminal', type: 'terminal', args: ['--login'] },
        { id: 'key', name: 'Key', type: 'env_var', vars: [] },
        { id: 'env', name: 'Env', type: 'env_var', vars: [{ name: 'KEY', optional: true }, { name: 'NO NAME' }], link: 'https://a.b' },
        { name: 'no id' },
        'nonsense',
      ],
    });
    assert.equal(dialect.protocolVersion, 1);
    assert.deepEqual(dialect.agent, { name: 'a', title: 'A', version: '1' });
    assert.deepEqual(dialect.promptCapabilities, { image: true, audio: false, embeddedContext: true });
    assert.deepEqual(dialect.authMethods, [
      { methodId: 'login', name: 'Log in', type: 'agent' },
      { methodId: 'term', name: 'Terminal', type: 'terminal', args: ['--login'] },
      { methodId: 'key', name: 'Key', type: 'agent' },
      { methodId: 'env', name: 'Env', type: 'env_var', vars: [{ name: 'KEY', secret: true, optional: true }], link: 'https://a.b' },
    ]);
  });

  it('accepts the shortest valid answer', () => {
    const { transport, outcome } = connecting();
    transport.feed({ id: 1, result: {} });
    const result = outcome();
    assert.ok(result?.ok);
    assert.deepEqual(result.value.authMethods, []);
    assert.equal(result.value.agent, undefined);
    assert.equal(result.value.closeSession, undefined);
  });

  it('refuses another version and disposes of the agent', () => {
    for (const [protocolVersion, actual] of [
      [2, 2],
      [0, 0],
      ['2025-01-01', '2025-01-01'],
    ]) {
      const { transport, outcome } = connecting();
      transport.feed({ jsonrpc: '2.0', id: 1, result: { protocolVersion } });
      assert.deepEqual(outcome(), { ok: false, failure: { code: 'protocol.version', params: { expected: 1, actual } } });
      assert.ok(transport.disposed);
    }
  });

  it('fails on an invalid answer, on an error, on a timeout, and when the agent exits', () => {
    const cases: [(c: ReturnType<typeof connecting>) => void, Failure['code']][] = [
      [({ transport }) => transport.feed({ id: 1, result: 'hello' }), 'protocol.bad_answer'],
      [({ transport }) => transport.feed({ id: 1, error: { code: -32603, message: 'no' } }), 'request.failed'],
      [({ clock }) => clock.advance(5000), 'request.timeout'],
      [({ transport }) => transport.finish({ exitCode: 1 }), 'agent.exited'],
    ];
    for (const [act, code] of cases) {
      const connection = connecting({ initializeTimeoutMs: 5000 });
      act(connection);
      const outcome = connection.outcome();
      assert.equal(outcome && !outcome.ok && outcome.failure.code, code);
    }
  });

  it('reports the end after it', () => {
    const ends: Failure[] = [];
    const { transport } = connected({}, { onEnd: (failure) => ends.push(failure) });
    transport.finish({ exitCode: 9 });
    assert.deepEqual(ends, [{ code: 'agent.exited', params: { exitCode: 9 } }]);
  });
});

describe('v1: requests of the client', () => {
  it('opens a session with directories only when the agent supports them', () => {
    const plain = connected();
    plain.dialect.newSession(SETUP, () => undefined);
    assert.deepEqual(plain.transport.last.params, { cwd: '/p', mcpServers: [] });
    const taking = connected({ agentCapabilities: { sessionCapabilities: { additionalDirectories: {} } } });
    taking.dialect.newSession(SETUP, () => undefined);
    assert.deepEqual(taking.transport.last.params, { cwd: '/p', mcpServers: [], additionalDirectories: ['/q', '/r'] });
  });

  it('sends the same setup for a new session and a stored one', () => {
    const { dialect, transport } = connected({ agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } });
    const setup = {
      cwd: '/p',
      additionalDirectories: [],
      mcpServers: [
        { type: 'stdio' as const, name: 'Files', command: '/bin/files', args: ['--stdio', '/p'], env: { TOKEN: 't', EMPTY: '' } },
      ],
      options: { 'agent.example/model': 'large' },
    };
    const params = {
      cwd: '/p',
      mcpServers: [
        {
          name: 'Files',
          command: '/bin/files',
          args: ['--stdio', '/p'],
          env: [
            { name: 'TOKEN', value: 't' },
            { name: 'EMPTY', value: '' },
          ],
        },
      ],
      _meta: { 'agent.example/model': 'large' },
    };
    dialect.newSession(setup, () => undefined);
    assert.deepEqual(transport.last.params, params);
    for (const again of [dialect.loadSession, dialect.resumeSession]) {
      again!('kept', setup, () => undefined);
      assert.deepEqual(transport.last.params, { sessionId: 'kept', ...params });
    }
  });

  it('describes each kind of MCP server', () => {
    const { dialect, transport } = connected({
      agentCapabilities: { mcpCapabilities: { http: true, acp: true }, sessionCapabilities: { fork: {} } },
    });
    assert.deepEqual(dialect.mcpCapabilities, { stdio: true, http: true, sse: false, acp: true });
    assert.deepEqual(connected().dialect.mcpCapabilities, { stdio: true, http: false, sse: false, acp: false });
    const mcpServers: McpServer[] = [
      { type: 'http', name: 'Issues', url: 'https://issues.example/mcp', headers: { Authorization: 'Bearer t' } },
      { type: 'sse', name: 'Events', url: 'https://events.example/sse', headers: {} },
      { type: 'acp', name: 'Editor', serverId: 'editor-1' },
    ];
    // The stable schema has no servers of the kind `acp`, but the unstable one of `session/fork` does.
    dialect.forkSession!('s', { cwd: '/p', additionalDirectories: [], mcpServers }, () => undefined);
    assert.deepEqual((transport.last.params as { mcpServers: unknown }).mcpServers, [
      {
        type: 'http',
        name: 'Issues',
        url: 'https://issues.example/mcp',
        headers: [{ name: 'Authorization', value: 'Bearer t' }],
      },
      { type: 'sse', name: 'Events', url: 'https://events.example/sse', headers: [] },
      { type: 'acp', name: 'Editor', serverId: 'editor-1', id: 'editor-1' },
    ]);
  });

  it('returns the session with its options, and keeps unknown fields', () => {
    const { dialect, transport } = connected();
    const result = box<unknown>();
    dialect.newSession(SETUP, result.settled);
    const boolean = { id: 'brave', name: 'Brave', type: 'boolean', currentValue: true };
    transport.feed({
      id: 2,
      result: { sessionId: 's', configOptions: [boolean], modes: { currentModeId: 'a', availableModes: [] }, models: [1] },
    });
    assert.deepEqual(result.outcome, {
      ok: true,
      value: {
        sessionId: 's',
        events: [
          {
            type: 'config_options',
            options: [{ type: 'boolean', configId: 'brave', name: 'Brave', currentValue: true }],
            extra: { models: [1], modes: { currentModeId: 'a', availableModes: [] } },
          },
        ],
      },
    });
  });

  it('makes an option of the modes when there are no options', () => {
    const { dialect, transport } = connected();
    const result = box<{ events: readonly unknown[] }>();
    dialect.newSession(SETUP, result.settled);
    const modes = {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask', description: 'asks' },
        { id: 'code', name: 'Code' },
      ],
    };
    transport.feed({ id: 2, result: { sessionId: 's', configOptions: null, modes } });
    assert.ok(result.outcome?.ok);
    assert.deepEqual(result.outcome.value.events, [
      {
        type: 'config_options',
        options: [
          {
            type: 'select',
            configId: MODE_CONFIG_ID,
            name: 'Mode',
            category: 'mode',
            currentValue: 'ask',
            groups: [
              {
                choices: [
                  { value: 'ask', name: 'Ask', description: 'asks' },
                  { value: 'code', name: 'Code' },
                ],
              },
            ],
          },
        ],
      },
    ]);
    const set = box<unknown>();
    dialect.setConfig('s', MODE_CONFIG_ID, 'code', set.settled);
    assert.deepEqual([transport.last.method, transport.last.params], ['session/set_mode', { sessionId: 's', modeId: 'code' }]);
    transport.feed({ id: 3, result: null });
    assert.deepEqual(set.outcome, { ok: true, value: [{ type: 'config_value', configId: MODE_CONFIG_ID, value: 'code' }] });
  });

  it('keeps malformed options and modes', () => {
    const { dialect, transport } = connected();
    const result = box<{ events: readonly unknown[] }>();
    dialect.newSession(SETUP, result.settled);
    transport.feed({ id: 2, result: { sessionId: 's', configOptions: 'many', modes: { mode: 'ask' } } });
    assert.ok(result.outcome?.ok);
    assert.deepEqual(result.outcome.value.events, [{ type: 'session_info', extra: { configOptions: 'many', modes: { mode: 'ask' } } }]);
  });

  it('fails on an answer without a session id', () => {
    const { dialect, transport } = connected();
    const result = box<unknown>();
    dialect.newSession(SETUP, result.settled);
    transport.feed({ id: 2, result: {} });
    assert.deepEqual(result.outcome, { ok: false, failure: { code: 'protocol.bad_answer', params: { method: 'session/new' } } });
  });

  it('sets text options, and boolean options with their type; the answer replaces the list', () => {
    const { dialect, transport } = connected();
    const result = box<unknown>();
    dialect.setConfig('s', 'model', 'm2', result.settled);
    assert.deepEqual(transport.last.params, { sessionId: 's', configId: 'model', value: 'm2' });
    const option = { id: 'model', name: 'Model', type: 'select', currentValue: 'm2', options: [{ value: 'm2', name: 'M2' }] };
    transport.feed({ id: 2, result: { configOptions: [option] } });
    assert.deepEqual(result.outcome, {
      ok: true,
      value: [
        {
          type: 'config_options',
          options: [
            { type: 'select', configId: 'model', name: 'Model', currentValue: 'm2', groups: [{ choices: [{ value: 'm2', name: 'M2' }] }] },
          ],
        },
      ],
    });
    dialect.setConfig('s', 'brave', false, result.settled);
    assert.deepEqual(transport.last.params, { sessionId: 's', configId: 'brave', type: 'boolean', value: false });
    transport.feed({ id: 3, result: {} });
    assert.deepEqual(result.outcome, { ok: true, value: [{ type: 'config_value', configId: 'brave', value: false }] });
  });

  it("prompts with every kind of block, in the wire's form, and never times out", () => {
    const { dialect, transport, clock, client } = connected();
    const prompted = box<void>();
    const content: ContentBlock[] = [
      { type: 'text', text: 'hi', annotations: { audience: ['user'] } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png', uri: 'file:///a.png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A', description: 'd', mimeType: 'text/plain', size: 3 },
      { type: 'resource', uri: 'file:///b', mimeType: 'text/plain', text: 'body' },
      { type: 'resource', uri: 'file:///c', blob: 'aGk=' },
    ];
    dialect.prompt('s', content, prompted.settled);
    const { prompt } = transport.last.params as { prompt: unknown[] };
    assert.deepEqual(prompt[4], { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'body' } });
    assert.deepEqual(prompt[5], { type: 'resource', resource: { uri: 'file:///c', blob: 'aGk=' } });
    assert.deepEqual(prompt.slice(0, 4), content.slice(0, 4));
    clock.advance(10_000_000);
    assert.equal(prompted.outcome, undefined);
    transport.feed({ id: 2, result: { stopReason: 'refusal', usage: { totalTokens: 3 }, _meta: { q: 1 } } });
    assert.deepEqual(prompted.outcome, { ok: true, value: undefined });
    assert.deepEqual(client.ends, [
      {
        stopReason: 'refusal',
        events: [
          { type: 'session_info', meta: { q: 1 } },
          { type: 'turn_usage', usage: { total: 3 } },
        ],
      },
    ]);
  });

  it('ends a turn whose answer gives no reason', () => {
    const { dialect, transport, client } = connected();
    dialect.prompt('s', [{ type: 'text', text: 'hi' }], () => undefined);
    transport.feed({ id: 2, result: null });
    assert.deepEqual(client.ends, [{ stopReason: 'unknown', events: [] }]);
  });

  it('cancels a turn by notification', () => {
    const { dialect, transport } = connected();
    dialect.cancel('s');
    assert.deepEqual(transport.last, { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } });
  });

  it('closes sessions if the agent supports it', () => {
    assert.equal(connected({ agentCapabilities: { sessionCapabilities: { close: null } } }).dialect.closeSession, undefined);
    const { dialect, transport } = connected({ agentCapabilities: { sessionCapabilities: { close: {} } } });
    const result = box<void>();
    dialect.closeSession!('s', result.settled);
    assert.deepEqual([transport.last.method, transport.last.params], ['session/close', { sessionId: 's' }]);
    transport.feed({ id: 2, result: null });
    assert.equal(result.outcome?.ok, true);
  });

  it('forks sessions and sends their titles only if the agent announces it (unstable)', () => {
    const none = connected({ agentCapabilities: { sessionCapabilities: { fork: null, title: true } } });
    assert.deepEqual([none.dialect.forkSession, none.dialect.setTitle], [undefined, undefined]);
    const { transport, dialect } = connected({ agentCapabilities: { sessionCapabilities: { fork: {}, title: {} } } });
    assert.deepEqual([dialect.sessionCapabilities.fork, dialect.sessionCapabilities.setTitle], [true, true]);
    const fork = box<{ sessionId: string }>();
    dialect.forkSession!('s', { ...SETUP, additionalDirectories: [] }, fork.settled);
    assert.deepEqual([transport.last.method, transport.last.params], ['session/fork', { sessionId: 's', cwd: '/p', mcpServers: [] }]);
    transport.feed({ id: 2, result: { sessionId: 'f', modes: null } });
    assert.deepEqual(fork.outcome, { ok: true, value: { sessionId: 'f', events: [] } });
    const title = box<string>();
    dialect.setTitle!('s', ' Mine ', title.settled);
    assert.deepEqual([transport.last.method, transport.last.params], ['session/set_title', { sessionId: 's', title: ' Mine ' }]);
    transport.feed({ id: 3, result: { title: 'Mine' } });
    assert.deepEqual(title.outcome, { ok: true, value: 'Mine' });
  });

  it('limits the time of every request except the prompt', () => {
    const { dialect, clock } = connected({ agentCapabilities: { sessionCapabilities: { close: {} } } }, { timeoutMs: 1000 });
    const outcomes: Outcome<unknown>[] = [];
    dialect.newSession(SETUP, (outcome) => outcomes.push(outcome));
    dialect.setConfig('s', 'a', 'b', (outcome) => outcomes.push(outcome));
    dialect.closeSession!('s', (outcome) => outcomes.push(outcome));
    clock.advance(1000);
    assert.deepEqual(
      outcomes.map((outcome) => !outcome.ok && outcome.failure.code),
      Array(3).fill('request.timeout'),
    );
  });
});

describe('v1: routing of updates', () => {
  it('delivers an update before the answer that names its session, and one after the turn, in order', () => {
    const { dialect, transport, client } = connected();
    const order: string[] = [];
    dialect.newSession(SETUP, () => order.push(`new after ${client.events.length}`));
    transport.feed(updateOf({ sessionUpdate: 'available_commands_update', availableCommands: [] }));
    transport.feed({ id: 2, result: { sessionId: 's' } });
    dialect.prompt('s', [{ type: 'text', text: 'x' }], () => order.push(`turn after ${client.events.length}`));
    const chunk = JSON.stringify(updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'late' } }));
    transport.feed(`${chunk}\n{"id":3,"result":{"stopReason":"end_turn"}}\n${chunk}\n`);
    assert.deepEqual(order, ['new after 1', 'turn after 2']);
    assert.equal(client.events.length, 3);
  });

  it('passes unknown notifications, and updates without a session, to the client', () => {
    const { transport, client } = connected();
    transport.feed({ method: '_vendor/status', params: { sessionId: 's', a: 1 } });
    transport.feed({ method: 'craft/drain' });
    transport.feed({ method: 'session/update', params: { update: { sessionUpdate: 'plan', entries: [] } } });
    assert.deepEqual(client.calls, [
      { name: 'onUnknown', sessionId: 's', args: { method: '_vendor/status', params: { sessionId: 's', a: 1 } } },
      { name: 'onUnknown', args: { method: 'craft/drain', params: undefined } },
      { name: 'onUnknown', args: { method: 'session/update', params: { update: { sessionUpdate: 'plan', entries: [] } } } },
    ]);
  });
});
