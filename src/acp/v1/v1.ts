/** ACP version 1 (protocol page "Initialization" and on): the handshake, our requests, and where the agent's messages go. */
import type { AgentInfo } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { Clock, Log, Transport, TransportEnd } from '../../core/model/ports';
import { Connection } from '../jsonrpc/connection';
import type { Client, Dialect } from '../dialect';
import type { Fields } from '../json/fields';
import { isRecord, textOf } from '../json/fields';
import type { Respond } from '../jsonrpc/incoming';
import { forgivingReads } from '../quirks/geminiMissingFile';
import { TERMINAL_AUTH_CAPABILITY } from '../quirks/terminalAuth';
import { isQwenNotification, qwenNotification } from '../quirks/qwenNotifications';
import type { Outcome, Settled } from '../jsonrpc/rpc';
import { failed, succeeded } from '../jsonrpc/rpc';
import type { Trace } from '../trace/trace';
import { answerV1 } from './client';
import { decodeAgent, decodeAuthMethods, decodeOffers, decodePromptCapabilities } from './handshake';
import { beyondIntroduction } from './initializeExtras';
import { accountMethods, sessionMethods } from './methods';
import { V1Updates } from './updates';

export const V1 = 1;

/** What this client can show and do, in v1's words. Nothing is in here that no room and no view stands behind. */
export const V1_CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  _meta: TERMINAL_AUTH_CAPABILITY,
} as const;

/** ms; the time limit of every request but the prompt's, when settings name none */
export const DEFAULT_TIMEOUT_MS = 60_000;

export interface ConnectOptions {
  readonly clientInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** Default: {@link V1_CAPABILITIES}. */
  readonly capabilities?: object;
  readonly clock: Clock;
  readonly log?: Log;
  readonly trace?: Trace;
  /** ms */
  readonly timeoutMs?: number;
  /** ms; `initialize` may have to wait for a package to be downloaded. Default: `timeoutMs`. */
  readonly initializeTimeoutMs?: number;
  /** Part of every id we mint: a session outlives its connection, and the next one must not mint the same. */
  readonly mark?: string;
  /** bytes; longer lines are skipped */
  readonly maxLineBytes?: number;
  /** What becomes of a failure that quotes the agent or its launch before anybody gets it. Default: nothing. */
  withoutSecrets?(failure: Failure): Failure;
  /** The agent is gone; everything pending has been settled. Not called after `dispose`. */
  onEnd?(failure: Failure, end: TransportEnd): void;
}

/**
 * Says `initialize` over `transport` and settles with the live connection, or with why there is none: `protocol.version` (the transport is
 * disposed then), `protocol.bad_answer`, `request.timeout`, or how the agent ended. `client` gets what the agent sends from the first frame on.
 */
export function connectV1(
  transport: Transport,
  client: Client,
  options: ConnectOptions,
  settled: Settled<Dialect>,
): { dispose(failure?: Failure): void } {
  const ourTerminals = new Set<string>();
  let agent: AgentInfo | undefined;
  const answering = forgivingReads(client, () => agent);
  const updates = new V1Updates((terminalId) => ourTerminals.has(terminalId), options.mark);
  const connection = new Connection(
    transport,
    {
      onRequest: (method, params, respond, signal) => {
        if (
          (method === 'session/request_permission' || method === 'elicitation/create') &&
          isRecord(params) &&
          typeof params.sessionId === 'string'
        ) {
          params = updates.question(params.sessionId, params);
        }
        answerV1(answering, method, params, method === 'terminal/create' ? noting(respond, ourTerminals) : respond, signal);
      },
      onNotification: (method, params) => {
        const sessionId = isRecord(params) ? textOf(params.sessionId) : undefined;
        if (method === 'session/update' && sessionId !== undefined) {
          client.onUpdate(sessionId, updates.decode(sessionId, params as Fields));
        } else if (method === 'elicitation/complete' && isRecord(params) && typeof params.elicitationId === 'string') {
          client.onElicitationComplete(params.elicitationId);
        } else if (sessionId !== undefined && isQwenNotification(method)) {
          client.onUpdate(sessionId, [qwenNotification(method, params)]);
        } else {
          client.onUnknown(method, params, sessionId);
        }
      },
      onEnd: (end, failure) => options.onEnd?.(failure, end),
    },
    options,
  );
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  connection.request(
    'initialize',
    { protocolVersion: V1, clientCapabilities: options.capabilities ?? V1_CAPABILITIES, clientInfo: options.clientInfo },
    { timeoutMs: options.initializeTimeoutMs ?? timeoutMs },
    (outcome) => {
      const dialect = outcome.ok ? dialectOf(outcome.value, connection, updates, timeoutMs) : outcome;
      agent = dialect.ok ? dialect.value.agent : undefined;
      settled(dialect);
      if (!dialect.ok && outcome.ok) {
        connection.dispose(dialect.failure);
      }
    },
  );
  return { dispose: (failure) => connection.dispose(failure) };
}

/** `respond`, remembering the terminal that is answered. */
function noting(respond: Respond, terminalIds: Set<string>): Respond {
  return {
    error: respond.error,
    result: (value) => {
      if (isRecord(value) && typeof value.terminalId === 'string') {
        terminalIds.add(value.terminalId);
      }
      respond.result(value);
    },
  };
}

function dialectOf(answer: unknown, connection: Connection, updates: V1Updates, timeoutMs: number): Outcome<Dialect> {
  if (!isRecord(answer)) {
    return failed({ code: 'protocol.bad_answer', params: { method: 'initialize' } });
  }
  // An agent that leaves its version out can only mean the one it was asked for.
  const version = answer.protocolVersion ?? V1;
  if (Number(version) !== V1) {
    const actual = typeof version === 'number' || typeof version === 'string' ? version : JSON.stringify(version);
    return failed({ code: 'protocol.version', params: { expected: V1, actual } });
  }
  const capabilities = isRecord(answer.agentCapabilities) ? answer.agentCapabilities : {};
  const agent = decodeAgent(answer.agentInfo);
  const offers = decodeOffers(capabilities);
  return succeeded({
    protocolVersion: V1,
    ...(agent && { agent }),
    promptCapabilities: decodePromptCapabilities(capabilities.promptCapabilities),
    authMethods: decodeAuthMethods(answer.authMethods),
    offers,
    introduction: beyondIntroduction(answer),
    ...sessionMethods(connection, updates, timeoutMs, offers),
    ...accountMethods(connection, timeoutMs, offers),
  });
}
