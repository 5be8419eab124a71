/** Agents that are no process: a stream that is handed in, and an agent at an address. */
import assert from 'node:assert/strict';
import { shownEndpoint } from '../../../../src/acp/redaction/launchSecrets';
import { exportLines } from '../../../../src/acp/trace/exportLines';
import { Traces } from '../../../../src/acp/trace/traces';
import type { ProviderChoice } from '../../../../src/core/account/provider';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import type { Endpoint, StreamPair } from '../../../../src/core/agents/endpoint';
import type { Log } from '../../../../src/core/platform/log';
import type { Session } from '../../../../src/session/session';
import { Sessions, type SessionsDependencies } from '../../../../src/session/sessions';
import { longFailure } from '../../../../src/text/messages/failures';
import { systemClock } from '../../../../src/util/clock';
import { connector } from '../../../../src/workbench/agents/connector';
import { traceRow } from '../../../../src/application/export/traceRows';
import { keptFacts, liveFacts, LiveOutcomes } from '../../../../src/application/sessionsView/sessionFacts';
import { english } from '../../application/english';
import { streamAgent } from '../../../support/streamAgent';
import { fakeDependencies } from '../../session/fakes';

const TOKEN = 'Bearer tok3n-of-the-user';

function stage(
  endpoint: Endpoint,
  over: Partial<SessionsDependencies> = {},
  mcpServers: readonly McpServer[] = [],
  choices: readonly ProviderChoice[] = [],
) {
  const lines: string[] = [];
  const say = (text: string): void => void lines.push(text);
  const log: Log = { debug: say, info: say, warn: say, error: say };
  const traces = new Traces(systemClock);
  const known: string[] = [];
  const { deps, journals } = fakeDependencies();
  const sessions = new Sessions({
    ...deps,
    clock: systemClock,
    log,
    connect: connector({
      clock: systemClock,
      log,
      environment: {},
      launchFolders: () => assert.fail('only a process has a place'),
      demo: { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} },
      version: '0',
      traces,
      endpointsOf: () => choices,
      keepSecret: (_, values) => known.push(...values),
    }),
    ...over,
  });
  const launch = { agentId: 'remote', agentName: 'Remote', ...endpoint };
  const session = sessions.create(launch, { cwd: '/w', additionalDirectories: [], mcpServers });
  return { session, sessions, lines, traces, known, journals };
}

async function until(session: Session, condition: () => boolean): Promise<void> {
  if (!condition()) {
    await new Promise<void>((resolve) => {
      const listening = session.store.onEvents(() => {
        if (condition()) {
          listening.dispose();
          resolve();
        }
      });
    });
  }
}

const said = ({ store }: Session): string[] =>
  [...store.state.entries].flatMap((entry) =>
    'content' in entry && entry.kind === 'message' ? entry.content.map((block) => (block.type === 'text' ? block.text : block.type)) : [],
  );
const overStream = (pair: () => StreamPair): Endpoint => ({ kind: 'stream', open: pair });

/** The user's words for the failure of the session. */
const words = ({ store }: Session): string => longFailure(store.state.failure!, english);

describe('a session over a stream that is handed in', () => {
  it('goes from prompt to answer, and closes the stream at its end', async () => {
    const remote = streamAgent('Hello over a stream');
    const { session, lines, traces } = stage(overStream(() => remote.pair));
    assert.equal(session.store.state.start?.command, '');
    await until(session, () => session.store.state.status === 'ready');
    assert.equal(session.store.state.sessionId, 'in /w');
    session.prompt([{ type: 'text', text: 'Hello?' }]);
    await until(session, () => session.store.state.turn === undefined && said(session).length === 2);
    assert.deepEqual(said(session), ['Hello?', 'Hello over a stream']);
    assert.ok(lines.some((line) => line.startsWith('Remote: connecting')));
    const [trace] = traces.all;
    assert.equal(traceRow(trace!, english, 'en').detail, '/w');
    const header = JSON.parse([...exportLines(trace!, '0')][0]!) as object;
    assert.ok(!('command' in header) && !('address' in header));
    await session.end();
    await remote.closed;
  });

  it('reads as a closed connection, without a command line and an exit code, when the agent disconnects', async () => {
    const remote = streamAgent('');
    const { session } = stage(overStream(() => remote.pair));
    await until(session, () => session.store.state.status === 'ready');
    remote.drop();
    await until(session, () => session.store.state.status === 'disconnected');
    assert.deepEqual(session.store.state.failure, { code: 'connection.closed' });
    assert.equal(words(session), 'The connection to the agent was closed.');
    const facts = liveFacts(session, {}, new LiveOutcomes().of(session), 0);
    assert.deepEqual([facts.status, facts.agentId], ['failed', 'remote']);
  });

  it('reports a stream that breaks, and one that cannot be opened', async () => {
    const remote = streamAgent('');
    const { session } = stage(overStream(() => remote.pair));
    await until(session, () => session.store.state.status === 'ready');
    remote.drop(new Error('cable'));
    await until(session, () => session.store.state.status === 'disconnected');
    assert.deepEqual([session.store.state.failure?.code, session.store.state.failure?.detail], ['connection.closed', 'Error: cable']);
    const { session: other } = stage(
      overStream(() => {
        throw new Error('none');
      }),
    );
    await until(other, () => other.store.state.status === 'failed');
    assert.deepEqual([words(other), other.store.state.failure?.detail], ['The connection to the agent was closed.', 'Error: none']);
  });

  it('reads as a closed connection when the agent disconnects before it is ready', async () => {
    const silent = {
      readable: new ReadableStream<Uint8Array>({ start: (stream) => stream.close() }),
      writable: new WritableStream<Uint8Array>(),
    };
    const { session } = stage(overStream(() => silent));
    await until(session, () => session.store.state.status === 'failed');
    assert.equal(words(session), 'The connection to the agent was closed.');
  });

  it('needs a trusted folder like a process', async () => {
    const { session } = stage(
      overStream(() => assert.fail('opened')),
      {
        trust: {
          isRestricted: () => false,
          check: (_, settled) => settled({ code: 'session.folder_untrusted', params: { folder: '/w' } }),
        },
      },
    );
    await until(session, () => session.store.state.status === 'failed');
    assert.equal(session.store.state.failure?.code, 'session.folder_untrusted');
  });
});

describe('the secrets of MCP servers', () => {
  it('are redacted in what the agent says of them', async () => {
    const remote = streamAgent('Your token is s3rver-token-9');
    const server = { type: 'stdio', name: 'Files', command: '/bin/files', args: [], env: { FILES_TOKEN: 's3rver-token-9' } } as const;
    const { session, traces, known } = stage(
      overStream(() => remote.pair),
      {},
      [server],
    );
    await until(session, () => session.store.state.status === 'ready');
    assert.deepEqual(known, ['s3rver-token-9']);
    session.prompt([{ type: 'text', text: 'Which one?' }]);
    await until(session, () => session.store.state.turn === undefined && said(session).length === 2);
    const log = [...exportLines(traces.all[0]!, '0')].join('\n');
    assert.ok(log.includes('Your token is [redacted]') && !log.includes('s3rver-token-9'));
    await session.end();
  });
});

describe('the key of a model endpoint', () => {
  it('is written nowhere when the agent refuses the endpoint and quotes it', async () => {
    const key = 'gate"way\\k3y';
    const { stream, replies } = quotingAgent();
    const { session, sessions, lines, traces, journals, known } = stage(
      overStream(() => stream),
      {},
      [],
      [{ providerId: 'main', apiType: 'openai', baseUrl: 'https://gateway.example', headers: { Authorization: `Bearer ${key}` } }],
    );
    await until(session, () => session.store.state.status === 'failed');
    await sessions.flush();
    assert.deepEqual([session.store.state.failure?.code, replies.length], ['agent.endpoint_refused', 2]);
    const { failure } = session.store.state;
    const texts = [...lines, ...journals.values(), ...exportLines(traces.all[0]!, '0'), JSON.stringify(failure), words(session)];
    const written = texts.join('\n');
    assert.ok(written.includes('[redacted]') && !/way|k3y/.test(written.replaceAll('gateway', '')), written);
    assert.ok(known.includes(key));
  });
});

/** Offers endpoints, and answers every change of one with an error that repeats the request. */
function quotingAgent(): { readonly stream: StreamPair; readonly replies: string[] } {
  const replies: string[] = [];
  let push!: (text: string) => void;
  const readable = new ReadableStream<Uint8Array>({
    start: (stream) => void (push = (text) => stream.enqueue(new TextEncoder().encode(`${text}\n`))),
  });
  const writable = new WritableStream<Uint8Array>({
    write: (bytes) => {
      const request = JSON.parse(new TextDecoder().decode(bytes)) as { id: number; method: string; params: { headers?: object } };
      const { id, method, params } = request;
      const text = `refused ${Object.values(params.headers ?? {}).join()} ${JSON.stringify(params)}`;
      const reply =
        method === 'initialize'
          ? { jsonrpc: '2.0', id, result: { protocolVersion: 1, agentCapabilities: { providers: {} } } }
          : { jsonrpc: '2.0', id, error: { code: -32602, message: text, data: { request, text } } };
      replies.push(method);
      push(JSON.stringify(reply));
    },
  });
  return { stream: { readable, writable }, replies };
}

describe('an agent at an address', () => {
  for (const [kind, url] of [
    ['websocket', 'ws://user:pa55word@127.0.0.1:9/acp'],
    ['http', 'http://user:pa55word@127.0.0.1:9/acp'],
  ] as const) {
    it(`is named when ${kind} does not reach it, and its headers stay secret`, async () => {
      const endpoint: Endpoint = { kind, url, headers: { Authorization: TOKEN } };
      const { session, sessions, lines, traces, known, journals } = stage(endpoint);
      await until(session, () => session.store.state.status === 'failed');
      assert.match(words(session), /^127\.0\.0\.1:9 can't be reached\./);
      await sessions.flush();
      const written = [...lines, ...journals.values(), ...exportLines(traces.all[0]!, '0'), shownEndpoint(endpoint)].join('\n');
      assert.ok(written.includes('127.0.0.1:9/acp') && !/tok3n|pa55word/.test(written), written);
      assert.ok(known.includes(TOKEN) && known.includes('tok3n-of-the-user'));
    });
  }

  it('appears in the sessions view under its name', () => {
    const summary = { key: 'k', agentId: 'remote', agentName: 'Before', cwd: '/w', createdAt: 1, title: '', marks: {} };
    const { agentId, agentName } = keptFacts(summary, false, { agentId: 'remote', agentName: 'Remote' });
    assert.deepEqual([agentId, agentName], ['remote', 'Remote']);
  });
});
