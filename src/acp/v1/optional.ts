/**
 * The parts of both versions that few agents offer: limits of the account, endpoints of the models, options before a session, archiving, and the
 * account. In version 1 loaded when an agent advertises one of them, before its first session.
 */
import type { AgentInfo, SessionCapabilities } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import type { SessionSetup } from '../../core/model/sessionSetup';
import type { Client, Dialect, NewSession } from '../dialect';
import { type Fields, isRecord } from '../json/fields';
import type { Connection } from '../jsonrpc/connection';
import { type Settled, succeeded } from '../jsonrpc/rpc';
import { forksAtMessage } from '../quirks/forkPoint';
import { decodeAuthStatus } from './authStatus';
import { Limits } from './limits';
import { furtherRoots, readResult, type SessionMethods } from './methods';
import { providerMethods } from './providers';

export { decodeAuthStatus, Limits };

export type OptionalMethods = Pick<Dialect, 'archiveSession' | 'sessionOptions' | 'listProviders' | 'setProvider'>;

/**
 * @param offered the capabilities of the agent
 * @param ofSessions its capabilities of sessions, which the versions name differently
 */
export function optionalCapabilities(offered: Fields, ofSessions: unknown, agent: AgentInfo | undefined): Partial<SessionCapabilities> {
  const session = isRecord(ofSessions) ? ofSessions : {};
  const auth = isRecord(offered.auth) ? offered.auth : {};
  return {
    ...(isRecord(session.fork) && forksAtMessage(agent) && { forkAt: true }),
    ...(isRecord(session.archive) && { archive: true }),
    ...(isRecord(session.systemPrompt) && { systemPrompt: systemPromptModes(session.systemPrompt) }),
    ...(isRecord(session.options) && { options: true }),
    ...(isRecord(auth.status) && { authStatus: true }),
    ...(isRecord(offered.providers) && { providers: true }),
    ...(isRecord(offered.quota) && { quota: true }),
  };
}

/** Returns the methods that open sessions and send prompts. The limits are read when a session is open, and when a prompt has failed. */
function withQuota(
  { newSession, loadSession, resumeSession, prompt }: SessionMethods,
  readQuota: (sessionId: string) => void,
): Partial<SessionMethods> {
  const opening =
    (settled: Settled<NewSession>): Settled<NewSession> =>
    (outcome) => {
      settled(outcome);
      if (outcome.ok) {
        readQuota(outcome.value.sessionId);
      }
    };
  return {
    newSession: (setup, settled) => newSession(setup, opening(settled)),
    ...(loadSession && { loadSession: (sessionId, setup, settled) => loadSession(sessionId, setup, opening(settled)) }),
    ...(resumeSession && { resumeSession: (sessionId, setup, settled) => resumeSession(sessionId, setup, opening(settled)) }),
    prompt: (sessionId, content, settled, messageId) => {
      const answered: Settled<void> = (outcome) => {
        settled(outcome);
        if (!outcome.ok) {
          readQuota(sessionId);
        }
      };
      return prompt(sessionId, content, answered, messageId);
    },
  };
}

/** `mode.override` is the released form, and `override` that of the proposal. */
function systemPromptModes({ mode, override }: Fields): 'append' | 'override' {
  return isRecord(override) || (isRecord(mode) && isRecord(mode.override)) ? 'override' : 'append';
}

/**
 * Also requests the account, once.
 *
 * @param methods the common methods
 * @param decodeOptions reads the answer to `session/options`
 */
export function optionalMethods(
  connection: Connection,
  client: Pick<Client, 'onUpdate' | 'onAccount'>,
  methods: SessionMethods,
  decodeOptions: (result: Fields) => EventInput[],
  limits: Limits,
  timeoutMs: number,
  capabilities: SessionCapabilities,
): OptionalMethods & Partial<SessionMethods> {
  const limit = { timeoutMs };
  const readQuota = (sessionId: string): void => {
    connection.request('quota/read', { sessionId }, limit, (outcome) => {
      const read = readResult<EventInput>('quota/read', outcome, (result) => limits.snapshot(sessionId, result));
      if (read.ok) {
        client.onUpdate(sessionId, [read.value]);
      }
    });
  };
  if (capabilities.authStatus) {
    connection.request('auth/status', {}, limit, (outcome) => {
      const account = readResult('auth/status', outcome, decodeAuthStatus);
      if (account.ok) {
        client.onAccount?.(account.value);
      }
    });
  }
  return {
    ...(capabilities.quota && withQuota(methods, readQuota)),
    ...(capabilities.archive && {
      archiveSession: (sessionId, isArchived, settled) =>
        connection.request(isArchived ? 'session/archive' : 'session/unarchive', { sessionId }, limit, (outcome) =>
          settled(outcome.ok ? succeeded(undefined) : outcome),
        ),
    }),
    ...(capabilities.options && {
      sessionOptions: ({ cwd, additionalDirectories }: SessionSetup, settled) => {
        const params = { cwd, ...furtherRoots(cwd, additionalDirectories, capabilities) };
        return connection.request('session/options', params, limit, (outcome) =>
          settled(readResult('session/options', outcome, decodeOptions)),
        );
      },
    }),
    ...(capabilities.providers && providerMethods(connection, timeoutMs)),
  };
}
