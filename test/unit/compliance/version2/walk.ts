/** A connection of version 2 that receives each message that the schema lets an agent send. */
import { connect } from '../../../../src/acp/connect';
import type { Dialect } from '../../../../src/acp/dialect';
import type { Outcome, Settled } from '../../../../src/acp/jsonrpc/rpc';
import { ndjson } from '../../../../src/acp/transport/ndjson';
import { V2 } from '../../../../src/acp/v2/v2';
import { CLIENT_INFO, FakeClock, FakeLog, FakeTransport, RecordingClient, settle } from '../../acp/support';
import type { Case, Root } from '../carriers';
import { hasUnknown, leavesOf } from '../edge';
import { sampleOf } from '../samples';
import type { Schema } from '../schemaTree';

/** The `initialize` answer of an agent with every capability. */
const EVERYTHING = {
  protocolVersion: 2,
  info: { name: 'a', version: '1' },
  capabilities: {
    session: { prompt: { image: {}, audio: {}, embeddedContext: {} }, mcp: { stdio: {}, http: {} }, delete: {}, additionalDirectories: {} },
  },
  authMethods: [{ type: 'agent', methodId: 'm', name: 'M' }],
};

const SETUP = { cwd: '/work', additionalDirectories: ['/more'], mcpServers: [] };

export const ASK: Readonly<Record<string, (dialect: Dialect, settled: Settled<unknown>) => unknown>> = {
  'auth/login': (dialect, settled) => dialect.authenticate('method', settled),
  'auth/logout': (dialect, settled) => dialect.logout?.(settled),
  'session/new': (dialect, settled) => dialect.newSession(SETUP, settled),
  'session/resume': (dialect, settled) => dialect.loadSession?.('session', SETUP, settled),
  'session/list': (dialect, settled) => dialect.listSessions?.({ cwd: '/work', cursor: 'next' }, settled),
  'session/delete': (dialect, settled) => dialect.deleteSession?.('session', settled),
  'session/close': (dialect, settled) => dialect.closeSession?.('session', settled),
  'session/set_config_option': (dialect, settled) => (dialect.setConfig('session', 'model', 'large', settled), true),
  'session/prompt': (dialect, settled) => dialect.prompt('session', [{ type: 'text', text: 'Hello' }], settled),
  'session/cancel': (dialect) => (dialect.cancel('session'), true),
  'tool_call/cancel': (dialect, settled) => (dialect.cancelToolCall?.('session', 'call', settled), true),
  'terminal/cancel': (dialect, settled) => (dialect.cancelTerminal?.('session', 'term', settled), true),
};

interface Delivered {
  readonly told: unknown;
  readonly error?: number | string;
}

export function connection(initialized: object = EVERYTHING) {
  const transport = new FakeTransport(2);
  const client = new RecordingClient();
  let outcome: Outcome<Dialect> | undefined;
  const options = { clientInfo: CLIENT_INFO, clock: new FakeClock(), log: new FakeLog(), timeoutMs: 60_000 };
  connect(ndjson(transport), [V2], client, options, (settled) => (outcome = settled));
  const answer = (result: unknown): void => transport.feed({ jsonrpc: '2.0', id: transport.last.id, result });
  answer(initialized);
  return { transport, client, answer, outcome, dialect: outcome?.ok ? outcome.value : undefined };
}

async function deliver(root: Root, message: unknown): Promise<Delivered> {
  if (root.method === 'initialize') {
    const { dialect } = connection({ ...(message as object), protocolVersion: 2 });
    return { told: dialect, ...(!dialect && { error: 'refused' }) };
  }
  const { transport, client, answer, dialect } = connection();
  if (root.kind === 'result') {
    let settled: Outcome<unknown> | undefined;
    ASK[root.method]!(dialect!, (outcome) => (settled = outcome));
    answer(message);
    return settled?.ok ? { told: settled.value } : { told: undefined, error: settled?.failure.code ?? 'no answer' };
  }
  const { sessionId } = message as { sessionId?: string };
  if (root.method === 'session/update') {
    // A state has an effect in an open session alone, and an end in a running turn.
    dialect!.newSession(SETUP, () => undefined);
    answer({ sessionId });
    transport.feed({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId, update: { sessionUpdate: 'state_update', state: 'running' } },
    });
    client.calls.length = 0;
  }
  transport.feed({ jsonrpc: '2.0', ...(root.kind === 'request' && { id: 'asked' }), method: root.method, params: message });
  await settle();
  const error = (root.kind === 'request' ? transport.last.error : undefined) as { code: number } | undefined;
  return { told: [client.calls, client.ends], ...(error && { error: error.code }) };
}

/** Kinds that cannot be shown. The specification requires an error, and the whole request is kept and shown. */
const REFUSED = new Set([
  'CreateElicitationRequest other',
  'ElicitationPropertySchema other',
  'MultiSelectItems other',
  'RequestId Str', // The ids of this client are numbers.
]);

/** Values that the decoder says in other words: kinds of updates, states, and the only known format of a patch. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'session/update': ['sessionUpdate', 'sessionId', 'state', 'format'],
  'session/request_permission': ['format'],
  'session/prompt': ['messageId'],
  initialize: ['protocolVersion'],
};

/** Messages that leave no event in the conversation: only the protocol log contains their `_meta`. */
const NO_EVENT = /^(?:initialize|auth\/|session\/(?:list|delete|close|prompt)|tool_call\/|terminal\/|elicitation\/complete)/;

function without(value: unknown, names: ReadonlySet<string>): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, (key, inner: unknown) => (names.has(key) ? undefined : inner)));
}

/** A sample of the message. The priority of an annotation is at most 1, and the ids of this client are numbers. */
export function sampleIn(schema: Schema, { root, choices }: Case): unknown {
  const meant = { ...choices, members: { RequestId: 0, ...choices.members } };
  return JSON.parse(JSON.stringify(sampleOf(schema, root.definition, meant)), (key, value: unknown) =>
    key === 'priority' && typeof value === 'number' ? 0.5 : value,
  );
}

/** Fields of a sample whose bytes the terminal decodes. */
function withBytes(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (key, value: unknown) =>
    key === 'data' && typeof value === 'string' && isTerminal(message) ? Buffer.from(value).toString('base64') : value,
  );
}

function isTerminal(message: unknown): boolean {
  const { update } = message as { update?: { sessionUpdate?: string } };
  return update?.sessionUpdate?.startsWith('terminal') === true;
}

/** A message about what the connection loses or does not understand in a sample of `each`; undefined when nothing is wrong. */
export async function complaint(schema: Schema, each: Case): Promise<string | undefined> {
  const { root, definition, name } = each;
  const what = `${root.method} with ${definition} ${name}`;
  const message = sampleIn(schema, each);
  const { told, error } = await deliver(root, withBytes(message));
  const isRefused = REFUSED.has(`${definition} ${name}`);
  if (error !== (isRefused ? -32602 : undefined)) {
    return `${what} is answered ${error}`;
  }
  if (hasUnknown(told) !== (isRefused || isOpen(each))) {
    return `${what} is ${isOpen(each) ? 'not ' : ''}kept as unknown: ${JSON.stringify(told)}`;
  }
  // The model has another field or object for each type.
  const names = new Set(['type', ...(OTHERWISE[root.method] ?? []), ...(NO_EVENT.test(root.method) ? ['_meta'] : [])]);
  // An error's message and data are joined.
  const kept = leavesOf(told).map(String);
  const lost = leavesOf(without(message, names)).filter((leaf) => !kept.some((text) => text.includes(String(leaf))));
  return lost.length > 0 ? `${what}: ${lost.join(', ')} is not in ${JSON.stringify(told)}` : undefined;
}

/** Unions whose unknown members have a type of their own in the model, which keeps them whole. */
const OPEN = new Set(['SessionUpdate', 'ToolCallContent', 'ContentBlock', 'PlanUpdateContent', 'SessionConfigOption']);

function isOpen({ definition, name, choices }: Case): boolean {
  return name === 'other' && OPEN.has(definition) ? true : choices.members.SessionUpdate === 19;
}
