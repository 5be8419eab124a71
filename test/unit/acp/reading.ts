/** Reads any message, or part of one, that documents and other SDKs show. Identifies it by its form and passes it through a real connection. */
import type { Outcome } from '../../../src/acp/jsonrpc/rpc';
import { decodeConfigOptions } from '../../../src/acp/v1/config';
import { decodeBlock, decodeToolContent } from '../../../src/acp/v1/content';
import { decodeAuthMethods } from '../../../src/acp/v1/handshake';
import { decodeToolCall } from '../../../src/acp/v1/toolCalls';
import { rootsOf } from '../compliance/carriers';
import { ASK, EVERYTHING } from '../compliance/edge';
import { SCHEMA } from '../compliance/schemaTree';
import { connected, connecting, settle } from './support';

export type Message = Readonly<Record<string, unknown>>;

export interface Reading {
  /** The kind of message: a method, `result of <method>`, `error`, or the name of a part. `ours`: only clients send such a message. */
  readonly kind: string;
  /** The events and calls that the client received; undefined for `ours`. */
  readonly told?: unknown;
  /** The code of the error that the agent's request was answered with. */
  readonly error?: number;
}

const THEIRS = new Set(rootsOf(SCHEMA).flatMap(({ kind, method }) => (kind === 'result' ? [] : [method])));

/** Parts of messages, identified by their fields. The first match counts. */
const PARTS: readonly (readonly [kind: string, fits: (part: Message) => boolean, read: (part: Message) => unknown])[] = [
  ['location', ({ path, type }) => typeof path === 'string' && type === undefined, (part) => decodeToolCall({ locations: [part] })],
  [
    'auth method',
    ({ id, type, vars }) => typeof id === 'string' && (type === undefined || type === 'terminal' || type === 'agent' || vars !== undefined),
    (part) => decodeAuthMethods([part]),
  ],
  [
    'config option',
    ({ id, currentValue }) => typeof id === 'string' && currentValue !== undefined,
    (part) => decodeConfigOptions([part], []),
  ],
  ['content block', ({ type }) => ['text', 'image', 'audio', 'resource', 'resource_link'].includes(String(type)), decodeBlock],
  ['tool call content', ({ type }) => ['content', 'diff', 'terminal'].includes(String(type)), decodeToolContent],
];

/** `answers`: the method that a response belongs to, when that is known. */
export async function readingOf(message: Message, answers?: string): Promise<Reading> {
  if (typeof message.method === 'string') {
    const { method, id } = message;
    // Extension methods may be sent in both directions.
    return THEIRS.has(method) || method.startsWith('_') ? read(method, message, id !== undefined) : { kind: 'ours' };
  }
  if (typeof message.error === 'object' && message.error !== null) {
    return { kind: 'error', told: failureIn(message) };
  }
  if ('result' in message) {
    return readResult(message.result, answers);
  }
  if (typeof message.sessionUpdate === 'string') {
    return read('session/update', { method: 'session/update', params: { sessionId: 'session', update: message } }, false);
  }
  if (typeof message.update === 'object') {
    return read('session/update', { method: 'session/update', params: message }, false);
  }
  if (Array.isArray(message.options) && typeof message.toolCall === 'object') {
    return read('session/request_permission', { id: 7, method: 'session/request_permission', params: message }, true);
  }
  if (message.agentCapabilities !== undefined || message.authMethods !== undefined) {
    return readResult(message, 'initialize');
  }
  if (message.modes !== undefined || message.configOptions !== undefined || Object.keys(message).join() === 'sessionId') {
    return readResult(message, 'session/new');
  }
  const part = PARTS.find(([, fits]) => fits(message));
  return part ? { kind: part[0], told: part[2](message) } : { kind: 'ours' };
}

async function read(kind: string, message: Message, isRequest: boolean): Promise<Reading> {
  const { transport, client } = connected();
  client.file = () => Promise.resolve('text');
  transport.feed({ jsonrpc: '2.0', ...message });
  await settle();
  const error = isRequest ? (transport.last.error as { code: number } | undefined) : undefined;
  return { kind, told: client.calls, ...(error && { error: error.code }) };
}

function readResult(result: unknown, answers: string | undefined): Reading {
  const method = answers ?? methodOf(result);
  if (method === 'initialize') {
    const { transport, outcome } = connecting();
    transport.feed({ jsonrpc: '2.0', id: 1, result });
    return { kind: 'result of initialize', told: outcome() };
  }
  if (method === undefined || !(method in ASK)) {
    return { kind: 'ours' };
  }
  const { transport, dialect, client } = connected({ agentCapabilities: EVERYTHING });
  let told: Outcome<unknown> | undefined;
  ASK[method]!(dialect, (outcome) => (told = outcome));
  // The answer to `session/load` and the like does not repeat the session, and the one to `session/new` must name it.
  const named = method === 'session/new' && !(result as Message).sessionId ? { sessionId: 'session', ...(result as Message) } : result;
  transport.feed({ jsonrpc: '2.0', id: transport.last.id, result: named });
  return { kind: `result of ${method}`, told: client.ends.length > 0 ? client.ends : told };
}

function methodOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) {
    return undefined;
  }
  if ('protocolVersion' in result) {
    return 'initialize';
  }
  if ('sessionId' in result) {
    return 'session/new';
  }
  return 'stopReason' in result ? 'session/prompt' : undefined;
}

function failureIn(message: Message): unknown {
  const { transport, dialect } = connected();
  let told: Outcome<unknown> | undefined;
  ASK['session/new']!(dialect, (outcome) => (told = outcome));
  transport.feed({ jsonrpc: '2.0', id: transport.last.id, error: message.error });
  return told;
}

/** Fields that are decoded under another name: the kind of an update, the name of a part, the agent's capabilities. */
const SAID_OTHERWISE = ['sessionUpdate', 'agentCapabilities', 'clientCapabilities', 'protocolVersion'];

/**
 * The part of `message` that must appear in the decoded result. Rows of a session list belong to no conversation: only the protocol log has their
 * `_meta`.
 */
export function meant(message: Message, answers?: string): unknown {
  const parts = [message.params, message.result, typeof message.error === 'object' ? message.error : undefined];
  const body = parts.find((part) => part !== undefined && part !== null) ?? ('jsonrpc' in message ? {} : message);
  const otherwise = answers === 'session/list' ? ['_meta', ...SAID_OTHERWISE] : SAID_OTHERWISE;
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (otherwise.includes(key) ? undefined : value));
}
