/** Sends each item of the schema that this client can send. The client never sends an item that is missing here. */
import assert from 'node:assert/strict';
import { fault } from '../../../src/core/model/failure';
import type { ElicitationAnswer } from '../../../src/acp/dialect';
import type { McpServer } from '../../../src/core/mcp/mcpServer';
import type { ContentBlock } from '../../../src/core/model/content';
import { connected, connecting, settle } from '../acp/support';
import type { Connected } from '../acp/support';
import { ASK, EVERYTHING } from './edge';
import { rootsOf } from './carriers';
import { sampleOf } from './samples';
import { identitiesOf, SCHEMA } from './schemaTree';

type Frame = Readonly<Record<string, unknown>> & { readonly params?: Record<string, unknown>; readonly result?: Record<string, unknown> };

/** Sends the item and returns its value on the wire: the frame for a method, the object or string for the member of a union. */
type Send = () => unknown;

const nothing = (): void => undefined;

function lastOf({ transport }: Pick<Connected, 'transport'>): Frame {
  return transport.last as Frame;
}

/** Makes the agent send `method` with the smallest valid parameters, overridden by `params`. Returns the client's response. */
async function answerTo(
  method: string,
  prepare: (client: Connected['client']) => void = nothing,
  params: object = {},
  id: unknown = 7,
): Promise<Frame> {
  const edge = connected();
  prepare(edge.client);
  const root = rootsOf(SCHEMA).find((each) => each.method === method)!;
  edge.transport.feed({ jsonrpc: '2.0', id, method, params: { ...(sampleOf(SCHEMA, root.definition) as object), ...params } });
  await settle();
  return lastOf(edge);
}

function capabilityAt(path: string): unknown {
  const { clientCapabilities } = lastOf(connecting()).params!;
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], clientCapabilities);
}

function prompted(block: ContentBlock): Record<string, unknown> {
  const edge = connected({ agentCapabilities: EVERYTHING });
  edge.dialect.prompt('session', [block], nothing);
  return (lastOf(edge).params!.prompt as Record<string, unknown>[])[0]!;
}

async function elicited(answer: ElicitationAnswer): Promise<Record<string, unknown>> {
  const frame = await answerTo('elicitation/create', (client) => (client.elicitation = () => Promise.resolve(answer)));
  return frame.result!;
}

async function filledIn(value: string | number | boolean | readonly string[]): Promise<unknown> {
  const { content } = await elicited({ action: 'accept', content: { field: value } });
  return (content as Record<string, unknown>).field;
}

function optionSet(value: string | boolean): unknown {
  const edge = connected();
  edge.dialect.setConfig('session', 'option', value, nothing);
  return lastOf(edge).params;
}

function passed(server: McpServer): unknown {
  const edge = connected();
  edge.dialect.newSession({ cwd: '/work', additionalDirectories: [], mcpServers: [server] }, nothing);
  return (lastOf(edge).params!.mcpServers as readonly unknown[])[0];
}

async function errorCode(frame: Frame | Promise<Frame>): Promise<unknown> {
  return ((await frame).error as { code: number }).code;
}

/** The client's answer to a raw line. */
function answerToLine(line: string): Frame {
  const edge = connected();
  edge.transport.feed(`${line}\n`);
  return lastOf(edge);
}

/** Makes reading the file fail with `thrown`. */
const failing = (thrown: unknown) => (client: Connected['client']) => (client.file = () => Promise.reject(thrown as Error));

const named: Readonly<Record<string, Send>> = {
  'protocol method $/cancel_request': () => {
    const edge = connected();
    edge.dialect.newSession({ cwd: '/work', additionalDirectories: [], mcpServers: [] }, nothing).cancel();
    return lastOf(edge);
  },
  'agent method initialize': () => lastOf(connecting()),

  'ContentBlock text': () => prompted({ type: 'text', text: 'Hello' }),
  'ContentBlock image': () => prompted({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
  'ContentBlock audio': () => prompted({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }),
  'ContentBlock resource_link': () => prompted({ type: 'resource_link', uri: 'file:///a', name: 'a' }),
  'ContentBlock resource': () => prompted({ type: 'resource', uri: 'file:///a', text: 'a' }),
  'EmbeddedResourceResource TextResourceContents': () => prompted({ type: 'resource', uri: 'file:///a', text: 'a' }).resource,
  'EmbeddedResourceResource BlobResourceContents': () => prompted({ type: 'resource', uri: 'file:///a', blob: 'AAAA' }).resource,

  'McpServer http': () => passed({ type: 'http', name: 'a', url: 'https://a.example', headers: {} }),
  'McpServer sse': () => passed({ type: 'sse', name: 'a', url: 'https://a.example', headers: {} }),
  'McpServer stdio': () => passed({ type: 'stdio', name: 'a', command: '/bin/a', args: [], env: {} }),

  'SetSessionConfigOptionRequest boolean': () => optionSet(true),
  'SetSessionConfigOptionRequest value_id': () => optionSet('large'),

  'RequestPermissionOutcome cancelled': async () => (await answerTo('session/request_permission')).result!.outcome,
  'RequestPermissionOutcome selected': async () =>
    (await answerTo('session/request_permission', (client) => (client.permission = () => Promise.resolve({ optionId: 'yes' })))).result!
      .outcome,

  'CreateElicitationResponse accept': () => elicited({ action: 'accept', content: {} }),
  'CreateElicitationResponse decline': () => elicited({ action: 'decline' }),
  'CreateElicitationResponse cancel': () => elicited({ action: 'cancel' }),
  'ElicitationContentValue String': () => filledIn('text'),
  'ElicitationContentValue Integer': () => filledIn(7),
  'ElicitationContentValue Number': () => filledIn(7.5),
  'ElicitationContentValue Boolean': () => filledIn(true),
  'ElicitationContentValue StringArray': () => filledIn(['a', 'b']),

  'ClientResponse Result': () => answerTo('fs/write_text_file'),
  'ClientResponse Error': () => answerTo('fs/read_text_file'),
  'RequestId Null': async () => (await answerTo('fs/write_text_file', nothing, {}, null)).id,
  'RequestId Number': async () => (await answerTo('fs/write_text_file', nothing, {}, 41)).id,
  'RequestId Str': async () => (await answerTo('fs/write_text_file', nothing, {}, 'forty-one')).id,

  'ErrorCode -32700': () => errorCode(answerToLine('{"jsonrpc":"2.0",')),
  'ErrorCode -32600': () => errorCode(answerToLine('{"jsonrpc":"2.0","id":{},"method":"fs/read_text_file"}')),
  'ErrorCode -32601': () => errorCode(answerToLine('{"jsonrpc":"2.0","id":7,"method":"fs/no_such_method","params":{}}')),
  'ErrorCode -32602': () => errorCode(answerTo('fs/read_text_file', nothing, { path: 7 })),
  'ErrorCode -32603': () => errorCode(answerTo('fs/read_text_file', failing(new Error('no reason')))),
  'ErrorCode -32002': () =>
    errorCode(answerTo('fs/read_text_file', failing(fault('fs.not_found', {}, { rpcCode: -32002, message: 'gone' })))),
  'ErrorCode -32800': async () => {
    const edge = connected();
    edge.client.permission = (_, signal) =>
      new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('withdrawn'))));
    edge.transport.feed({
      jsonrpc: '2.0',
      id: 7,
      method: 'session/request_permission',
      params: sampleOf(SCHEMA, 'RequestPermissionRequest'),
    });
    edge.transport.feed({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 7 } });
    await settle();
    return errorCode(lastOf(edge));
  },
};

/** The senders by identity, `area name`. */
export const SENDS: ReadonlyMap<string, Send> = new Map([
  ...Object.entries(named),
  ...Object.entries(ASK).map(([method, ask]): [string, Send] => [
    `agent method ${method}`,
    () => {
      const edge = connected({ agentCapabilities: EVERYTHING });
      ask(edge.dialect, nothing);
      return lastOf(edge);
    },
  ]),
  ...rootsOf(SCHEMA)
    .filter(({ kind }) => kind === 'request')
    .map(({ method }): [string, Send] => [
      `client method ${method}`,
      async () => {
        const frame = await answerTo(method, (client) => (client.file = () => Promise.resolve('text')));
        assert.ok('result' in frame, JSON.stringify(frame));
        return frame;
      },
    ]),
  // The announced capabilities are those in `initialize`.
  ...identitiesOf(SCHEMA)
    .filter(({ area, name }) => area === 'ClientCapabilities' && capabilityAt(name) !== undefined && capabilityAt(name) !== false)
    .map(({ name }): [string, Send] => [`ClientCapabilities ${name}`, () => capabilityAt(name)]),
]);
