/**
 * Tests for messages of an agent that no sample contains: the codes of errors, ids, and what its capabilities enable. Each throws when the connection
 * does not understand the message.
 */
import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/acp/jsonrpc/rpc';
import { connected, settle } from '../acp/support';
import { ASK, EVERYTHING } from './edge';
import { identitiesOf, SCHEMA } from './schemaTree';

type Receive = () => unknown;

const nothing = (): void => undefined;

/** The method that a capability of the agent enables, by the capability's path. */
const OPENS: Readonly<Record<string, string>> = {
  loadSession: 'session/load',
  'sessionCapabilities.list': 'session/list',
  'sessionCapabilities.delete': 'session/delete',
  'sessionCapabilities.resume': 'session/resume',
  'sessionCapabilities.close': 'session/close',
  'auth.logout': 'logout',
};

/** The `initialize` answer of an agent that has all of `capabilities` except the one at `path`. */
function without(capabilities: object, path: string): object {
  const copy = structuredClone(capabilities) as Record<string, Record<string, unknown>>;
  const [first, second] = path.split('.') as [string, string?];
  if (second === undefined) {
    delete copy[first];
  } else {
    delete copy[first]![second];
  }
  return copy;
}

/** Makes the agent answer `session/new` with an error, and returns the failure that results. */
function failureOf(error: object): Readonly<Record<string, unknown>> {
  const { transport, dialect } = connected();
  let outcome: Outcome<unknown> | undefined;
  dialect.newSession({ cwd: '/work', additionalDirectories: [], mcpServers: [] }, (settled) => (outcome = settled));
  transport.feed({ jsonrpc: '2.0', id: transport.last.id, error });
  assert.ok(outcome && !outcome.ok);
  return outcome.failure as unknown as Record<string, unknown>;
}

function opens(path: string, method: string): void {
  const able = connected({ agentCapabilities: EVERYTHING });
  ASK[method]!(able.dialect, nothing);
  assert.equal(able.transport.last.method, method);
  const unable = connected({ agentCapabilities: without(EVERYTHING, path) });
  assert.equal(ASK[method]!(unable.dialect, nothing), undefined);
  assert.equal(unable.transport.last.method, 'initialize', `${method} was sent to an agent without ${path}`);
}

function takes(path: string): void {
  const [, name] = path.split('.') as ['promptCapabilities', 'image' | 'audio' | 'embeddedContext'];
  assert.equal(connected({ agentCapabilities: EVERYTHING }).dialect.promptCapabilities[name], true);
  assert.equal(connected({ agentCapabilities: without(EVERYTHING, path) }).dialect.promptCapabilities[name], false);
}

const named: Readonly<Record<string, Receive>> = {
  'AgentCapabilities sessionCapabilities.additionalDirectories': () => {
    const sent = (agentCapabilities: object): unknown => {
      const { transport, dialect } = connected({ agentCapabilities });
      ASK['session/new']!(dialect, nothing);
      return (transport.last.params as Record<string, unknown>).additionalDirectories;
    };
    assert.deepEqual(sent(EVERYTHING), ['/more']);
    assert.equal(sent(without(EVERYTHING, 'sessionCapabilities.additionalDirectories')), undefined);
  },

  'protocol method $/cancel_request': async () => {
    const { transport, client } = connected();
    let aborted = false;
    client.permission = (_, signal) => new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    const params = { sessionId: 's', toolCall: { toolCallId: 't' }, options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] };
    transport.feed({ jsonrpc: '2.0', id: 7, method: 'session/request_permission', params });
    transport.feed({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 7 } });
    await settle();
    assert.ok(aborted);
  },

  'AgentResponse Result': () => assert.ok(connected().dialect),
  'AgentResponse Error': () => assert.equal(failureOf({ code: -32603, message: 'why' }).detail, 'why'),
};

/** The tests by identity, `area name`. */
export const RECEIVES: ReadonlyMap<string, Receive> = new Map([
  ...Object.entries(named),
  ...Object.entries(OPENS).map(([path, method]): [string, Receive] => [`AgentCapabilities ${path}`, () => opens(path, method)]),
  ...['image', 'audio', 'embeddedContext'].map((name): [string, Receive] => [
    `AgentCapabilities promptCapabilities.${name}`,
    () => takes(`promptCapabilities.${name}`),
  ]),
  ...identitiesOf(SCHEMA)
    .filter(({ area }) => area === 'ErrorCode')
    .map(({ name }): [string, Receive] => [
      `ErrorCode ${name}`,
      () => {
        const code = name === 'Other' ? 429 : Number(name);
        const failure = failureOf({ code, message: 'the reason' });
        assert.equal(failure.detail, 'the reason');
        assert.equal((failure.params as { code: number }).code, code);
        assert.equal(failure.code, { '-32000': 'auth.required', '-32800': 'request.cancelled' }[name] ?? 'request.failed');
      },
    ]),
]);
