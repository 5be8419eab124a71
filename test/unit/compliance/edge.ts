/** A real connection with a transport in memory: sends each of the client's requests, and records the effect of an agent's messages. */
import type { Dialect } from '../../../src/acp/dialect';
import type { Outcome, Settled } from '../../../src/acp/jsonrpc/rpc';
import { MODE_CONFIG_ID } from '../../../src/core/model/wellKnown';
import { connected, connecting, settle } from '../acp/support';
import type { Root } from './carriers';

/** The `initialize` answer of an agent with every capability. */
export const EVERYTHING = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {} },
  auth: { logout: {} },
};

const SETUP = { cwd: '/work', additionalDirectories: ['/more'], mcpServers: [] };

/** Makes the client send one method. Returns undefined when the agent did not announce it. Connecting sends `initialize`. */
export const ASK: Readonly<Record<string, (dialect: Dialect, settled: Settled<unknown>) => unknown>> = {
  authenticate: (dialect, settled) => dialect.authenticate('method', settled),
  logout: (dialect, settled) => dialect.logout?.(settled),
  'session/new': (dialect, settled) => dialect.newSession(SETUP, settled),
  'session/load': (dialect, settled) => dialect.loadSession?.('session', SETUP, settled),
  'session/list': (dialect, settled) => dialect.listSessions?.({ cwd: '/work', cursor: 'next' }, settled),
  'session/delete': (dialect, settled) => dialect.deleteSession?.('session', settled),
  'session/resume': (dialect, settled) => dialect.resumeSession?.('session', SETUP, settled),
  'session/close': (dialect, settled) => dialect.closeSession?.('session', settled),
  'session/set_mode': (dialect, settled) => (dialect.setConfig('session', MODE_CONFIG_ID, 'plan', settled), true),
  'session/set_config_option': (dialect, settled) => (dialect.setConfig('session', 'model', 'large', settled), true),
  'session/prompt': (dialect, settled) => dialect.prompt('session', [{ type: 'text', text: 'Hello' }], settled),
  'session/cancel': (dialect) => (dialect.cancel('session'), true),
};

export interface Delivered {
  /** The calls that the client received. */
  readonly told: unknown;
  /** The code of the error that the agent's request was answered with, or the failure that its answer became. */
  readonly error?: number | string;
}

/** Delivers `message`, the parameters or the result of `root`, to the connection as an agent would send it. */
export async function deliver(root: Root, message: unknown): Promise<Delivered> {
  if (root.method === 'initialize') {
    const { transport, outcome } = connecting();
    transport.feed({ jsonrpc: '2.0', id: 1, result: message });
    return deliveredOf(outcome());
  }
  const { transport, client, dialect } = connected({ agentCapabilities: EVERYTHING });
  if (root.kind === 'result') {
    let outcome: Outcome<unknown> | undefined;
    ASK[root.method]!(dialect, (settled) => (outcome = settled));
    transport.feed({ jsonrpc: '2.0', id: transport.last.id, result: message });
    const { told, ...rest } = deliveredOf(outcome);
    return { told: client.ends.length > 0 ? client.ends : told, ...rest };
  }
  client.file = () => Promise.resolve('text');
  transport.feed({ jsonrpc: '2.0', ...(root.kind === 'request' && { id: 'asked' }), method: root.method, params: message });
  await settle();
  const error = (root.kind === 'request' ? transport.last.error : undefined) as { code: number } | undefined;
  return { told: client.calls, ...(error && { error: error.code }) };
}

function deliveredOf(outcome: Outcome<unknown> | undefined): Delivered {
  if (!outcome) {
    return { told: undefined, error: 'no answer' };
  }
  return outcome.ok ? { told: outcome.value } : { told: undefined, error: outcome.failure.code };
}

/** All strings, numbers and booleans in `value`, without functions. */
export function leavesOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(leavesOf);
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? [value] : [];
}

/** The leaves of `source` that are not in `kept`, each as often as it is missing. */
export function lostIn(source: unknown, kept: unknown): unknown[] {
  const left = leavesOf(kept);
  return leavesOf(source).filter((leaf) => {
    const index = left.indexOf(leaf);
    if (index >= 0) {
      left.splice(index, 1);
    }
    return index < 0;
  });
}

/** True when something in `told` was kept as unknown, because it was not understood. */
export function hasUnknown(told: unknown): boolean {
  if (typeof told !== 'object' || told === null) {
    return false;
  }
  return (
    (told as { type?: unknown }).type === 'unknown' ||
    (told as { name?: unknown }).name === 'onUnknown' ||
    Object.values(told).some(hasUnknown)
  );
}
