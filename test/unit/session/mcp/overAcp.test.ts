/** A whole session whose agent uses the editor's server on its own connection. */
import assert from 'node:assert/strict';
import { connect } from '../../../../src/acp/connect';
import { V1 } from '../../../../src/acp/v1/v1';
import { EditorServers } from '../../../../src/application/mcp/editorServers';
import { Sessions } from '../../../../src/session/sessions';
import { systemClock } from '../../../../src/util/clock';
import { memorySocket } from '../../../support/memorySocket';
import { dummyTools } from '../../mcp/support/dummyTools';
import { fakeDependencies, launch, quiet } from '../fakes';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('an agent that uses the editor on its own connection', () => {
  it('gets the server in `session/new`, calls a tool, and loses the server with the session', async () => {
    const socket = memorySocket('wss://agent.example/acp');
    const declared: Record<string, unknown>[] = [];
    const answers: unknown[] = [];
    let count = 0;
    void rawAgent(socket.stream, {
      initialize: () => ({
        protocolVersion: 1,
        agentInfo: { name: 'raw', version: '1' },
        agentCapabilities: { mcpCapabilities: { acp: true } },
      }),
      'session/new': ({ mcpServers }) => {
        declared.push(...(mcpServers as Record<string, unknown>[]));
        return { sessionId: 'S' };
      },
      'session/prompt': async (_, request) => {
        const call = { name: 'references', arguments: { file: 'a.ts' }, _meta: META };
        const params = { serverId: declared[0]!['serverId'], requestId: `r${++count}`, method: 'tools/call', params: call };
        answers.push(await request('mcp/message', params));
        return { stopReason: 'end_turn' };
      },
    });
    const { deps } = fakeDependencies();
    const made = dummyTools();
    const editor: EditorServers = new EditorServers({
      version: '1',
      bridge: { command: 'node', file: 'bridge' },
      socketFolder: '/nowhere',
      tools: () => Promise.resolve(made.tools),
      settings: () => ({ mode: 'readOnly', categories: undefined }),
      observer: async (key) => sessions.get(key)?.editorCalls(),
      onError: (error) => assert.fail(error),
    });
    const sessions: Sessions = new Sessions({
      ...deps,
      clock: systemClock,
      servers: {
        isActive: (request) => editor.isActive(request),
        resolve: async (request) => ({ servers: [(await editor.declare(request))!], leftOut: [] }),
        ended: (key) => editor.ended(key),
      },
      connect: () => (events) => {
        const options = {
          clientInfo: { name: 'acp-host', version: '1' },
          clock: systemClock,
          log: quiet,
          timeoutMs: 5000,
          mcp: editor.channel('Fake'),
          onEnd: events.onEnd,
        };
        return connect(socket.transport, [V1], events.client, options, (outcome) => outcome.ok && events.onReady(outcome.value));
      },
    });
    const session = sessions.create(launch(), { cwd: '/w', additionalDirectories: [], mcpServers: [] });
    await until(() => session.store.state.status === 'ready');
    assert.deepEqual(
      declared.map(({ type, name, id, serverId }) => [type, name, id === serverId]),
      [['acp', 'vscode', true]],
    );
    session.prompt([{ type: 'text', text: 'Go' }]);
    await until(() => answers.length === 1);
    assert.match(JSON.stringify(answers[0]), /"result":\{.*a\.ts:1  const a = 1;/);
    await until(() => session.store.state.turn === undefined);
    await until(() => [...session.store.state.entries].some(({ kind }) => kind === 'tool_call'));
    await session.end();
    await until(() => session.store.state.status === 'ended');
    const end = new AbortController();
    const late = new Promise((resolve, reject) =>
      editor
        .channel('Fake')
        .request(
          {} as never,
          'mcp/message',
          { serverId: declared[0]!['serverId'], requestId: 'x', method: 'ping' },
          { result: resolve, error: reject },
          end.signal,
        ),
    );
    await assert.rejects(late, /no such server/);
    sessions.dispose();
  });
});

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
};
type Request = (method: string, params: object) => Promise<unknown>;

/** An agent without the official SDK, which refuses servers of the kind `acp` in `session/new`. */
async function rawAgent(
  { readable, writable }: ReturnType<typeof memorySocket>['stream'],
  handlers: Readonly<Record<string, (params: Record<string, unknown>, request: Request) => unknown>>,
): Promise<void> {
  const writer = writable.getWriter();
  const send = (message: object): Promise<void> => writer.write({ jsonrpc: '2.0', ...message } as never);
  const open = new Map<unknown, (result: unknown) => void>();
  const request: Request = (method, params) =>
    new Promise((resolve) => {
      const id = `agent-${open.size}`;
      open.set(id, resolve);
      void send({ id, method, params });
    });
  const reader = (readable as ReadableStream<Message>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const { id, method, params = {}, result } = read.value;
    if (method === undefined) {
      open.get(id)?.(result);
    } else if (id !== undefined) {
      void Promise.resolve(handlers[method]?.(params, request) ?? {}).then((answer) => send({ id, result: answer }));
    }
  }
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; !isDone(); tries++) {
    assert.ok(tries < 300, 'waited too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
