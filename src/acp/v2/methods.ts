/** The client's requests to a v2 agent, each as a method of the {@link Dialect}. Methods that the agent does not advertise are absent. */
import type { McpServer } from '../../core/mcp/mcpServer';
import type { SessionCapabilities } from '../../core/model/content';
import type { SessionSetup } from '../../core/model/sessionSetup';
import { afterSteering, type SteerOutcome } from '../../core/queue/steering';
import type { Dialect, NewSession, Ongoing, SessionListPage } from '../dialect';
import { type Fields, textOf } from '../json/fields';
import type { Connection } from '../jsonrpc/connection';
import { failed, RPC, type Settled, succeeded } from '../jsonrpc/rpc';
import { encodeBlock } from '../v1/content';
import {
  decodeListed,
  LOADING,
  pairsOf,
  readResult,
  type SessionMethods,
  setupParams,
  steerOutcome,
  STEERING,
  withForkPoint,
} from '../v1/methods';
import { decodeSetup } from './config';
import type { V2Turns } from './turns';

/** The agent's names of a tool call or terminal in the conversation of `sessionId`. A subagent's has another session, and may have another id. */
export interface Owners {
  toolCall(sessionId: string, toolCallId: string): { readonly sessionId: string; readonly toolCallId: string };
  /** Returns the session of a terminal. */
  terminal(sessionId: string, terminalId: string): string;
}

type Methods = SessionMethods & Pick<Dialect, 'cancelToolCall' | 'cancelTerminal'>;

interface MethodDependencies {
  readonly connection: Connection;
  readonly turns: V2Turns;
  readonly owners: Owners;
  readonly timeoutMs: number;
  readonly capabilities: SessionCapabilities;
  /** The session's conversation is replayed from its beginning. */
  replaying(sessionId: string): void;
  /** False for an agent without sessions. */
  readonly hasSessions: boolean;
}

/** Protocol v2 pages "Session Setup", "Session List", "Session Delete", "Prompt Lifecycle", "Session Config Options" and "Cancellation". */
export function sessionMethods({
  connection,
  turns,
  owners,
  timeoutMs,
  capabilities,
  replaying,
  hasSessions,
}: MethodDependencies): Methods {
  const limit = { timeoutMs };
  const nothing =
    (settled: Settled<void>): Settled<unknown> =>
    (outcome) =>
      settled(outcome.ok ? succeeded(undefined) : outcome);
  /** Settles, and reports the state that the agent sent before its answer. */
  const opening =
    (settled: Settled<NewSession>): Settled<NewSession> =>
    (outcome) => {
      settled(outcome);
      if (outcome.ok) {
        turns.opened(outcome.value.sessionId);
      }
    };
  const resume = (sessionId: string, setup: SessionSetup, isReplayed: boolean, settled: Settled<NewSession>): Ongoing => {
    if (isReplayed) {
      replaying(sessionId);
    }
    turns.reopening(sessionId);
    const params = {
      sessionId,
      ...paramsOf(setup, capabilities),
      ...(isReplayed && { replayFrom: { type: 'start' } }),
    };
    return connection.request('session/resume', params, LOADING, (outcome) => {
      const answer = readResult('session/resume', outcome, (result): NewSession => ({ sessionId, events: decodeSetup(result) }));
      const replay = isReplayed && { replay: turns.hasReplayed(sessionId) ? 'whole' : 'cut' };
      opening(settled)(answer.ok ? answer : failed({ ...answer.failure, params: { ...answer.failure.params, ...replay } }));
      if (!answer.ok) {
        turns.notOpened(sessionId);
      }
    });
  };
  /** Sends a request with an empty answer. A session that the agent does not know is already gone. */
  const remove = (method: string, sessionId: string, settled: Settled<void>): Ongoing =>
    connection.request(method, { sessionId }, limit, (outcome) =>
      settled(outcome.ok || outcome.failure.params?.['code'] === RPC.resourceNotFound ? succeeded(undefined) : outcome),
    );
  /** `session/new` and `session/fork`: the answer names the session. */
  const fresh = (method: string, params: object, settled: Settled<NewSession>): Ongoing =>
    connection.request(method, params, limit, (outcome) =>
      opening(settled)(
        readResult(method, outcome, (result) => {
          const sessionId = textOf(result.sessionId);
          return sessionId === undefined ? undefined : { sessionId, events: decodeSetup(result) };
        }),
      ),
    );
  return {
    newSession: (setup, settled) => {
      if (!hasSessions) {
        settled(failed({ code: 'session.not_offered' }));
        return { requestId: 0, cancel: () => undefined };
      }
      return fresh('session/new', paramsOf(setup, capabilities), settled);
    },
    ...(capabilities.fork && {
      forkSession: (sessionId, setup, settled, after) =>
        fresh('session/fork', { sessionId, ...withForkPoint(paramsOf(setup, capabilities), capabilities, after) }, settled),
    }),
    ...(capabilities.setTitle && {
      setTitle: (sessionId, title, settled) =>
        connection.request('session/set_title', { sessionId, title }, limit, (outcome) =>
          settled(readResult('session/set_title', outcome, (result) => textOf(result.title) ?? title)),
        ),
    }),
    ...(hasSessions && {
      loadSession: (sessionId, setup, settled) => resume(sessionId, setup, true, settled),
      resumeSession: (sessionId, setup, settled) => resume(sessionId, setup, false, settled),
      listSessions: (query, settled) =>
        connection.request('session/list', query, limit, (outcome) => settled(readResult('session/list', outcome, decodePage))),
      closeSession: (sessionId, settled) => {
        const forget = turns.closing(sessionId);
        return remove('session/close', sessionId, (outcome) => {
          forget();
          settled(outcome);
        });
      },
    }),
    ...(capabilities.delete && {
      deleteSession: (sessionId, settled) =>
        remove('session/delete', sessionId, (outcome) => {
          if (outcome.ok) {
            turns.deleted(sessionId);
          }
          settled(outcome);
        }),
    }),
    prompt: (sessionId, content, settled, messageId) => {
      const prompt = turns.sent(sessionId, content, messageId);
      return connection.request('session/prompt', { sessionId, prompt: content.map(encodeBlock) }, {}, (outcome) => {
        // Early drafts answer an empty object.
        const taken = readResult('session/prompt', outcome, (result) => ({ messageId: textOf(result.messageId) }));
        settled(taken.ok ? succeeded(undefined) : taken);
        if (taken.ok) {
          turns.inserted(sessionId, prompt, taken.value.messageId);
        } else {
          turns.refused(sessionId, prompt);
        }
      });
    },
    ...(capabilities.steer && {
      steer: (sessionId, content, settled) => {
        const params = { sessionId, prompt: content.map(encodeBlock), _meta: { steering: { idleBehavior: 'promptRequired' } } };
        return connection.request(STEERING, params, limit, (outcome) => {
          const answer = readResult<SteerOutcome>(STEERING, outcome, steerOutcome);
          if (answer.ok && afterSteering(answer.value).message === 'sent') {
            turns.steered(sessionId, content);
          }
          settled(answer);
        });
      },
    }),
    cancel: (sessionId) => connection.notify('session/cancel', { sessionId }),
    cancelToolCall: (sessionId, toolCallId, settled) => {
      connection.request('tool_call/cancel', owners.toolCall(sessionId, toolCallId), limit, nothing(settled));
    },
    cancelTerminal: (sessionId, terminalId, settled) => {
      const params = { sessionId: owners.terminal(sessionId, terminalId), terminalId };
      connection.request('terminal/cancel', params, limit, nothing(settled));
    },
    setConfig: (sessionId, configId, value, settled) => {
      connection.request('session/set_config_option', { sessionId, ...encodeValue(configId, value) }, limit, (outcome) =>
        settled(
          readResult('session/set_config_option', outcome, (result) => {
            const events = decodeSetup(result);
            const isComplete = events.some((event) => event.type === 'config_options');
            return isComplete ? events : [{ type: 'config_value', configId, value }, ...events];
          }),
        ),
      );
    },
  };
}

/** Protocol v2 page "Authentication". */
export function accountMethods(
  connection: Connection,
  timeoutMs: number,
  capabilities: SessionCapabilities,
): Pick<Dialect, 'authenticate' | 'logout'> {
  const nothing =
    (settled: Settled<void>): Settled<unknown> =>
    (outcome) =>
      settled(outcome.ok ? succeeded(undefined) : outcome);
  return {
    // No time limit: the user signs in on a web page meanwhile, and can cancel.
    authenticate: (methodId, settled, secret) =>
      connection.request('auth/login', { methodId, ...(secret && { _meta: secret.meta }) }, {}, nothing(settled)),
    ...(capabilities.logout && { logout: (settled) => connection.request('auth/logout', {}, { timeoutMs }, nothing(settled)) }),
  };
}

function paramsOf(setup: SessionSetup, capabilities: SessionCapabilities): object {
  return setupParams(setup, capabilities, encodeMcpServer, (configId, value) => [encodeValue(configId, value)]);
}

/** Every value names its type. */
function encodeValue(configId: string, value: string | boolean): object {
  return { configId, type: typeof value === 'boolean' ? 'boolean' : 'id', value };
}

/** Every server names its type. */
function encodeMcpServer(server: McpServer): object {
  switch (server.type) {
    case 'stdio':
      return { type: server.type, name: server.name, command: server.command, args: server.args, env: pairsOf(server.env) };
    case 'acp':
      return { type: server.type, name: server.name, serverId: server.serverId };
    default:
      return { type: server.type, name: server.name, url: server.url, headers: pairsOf(server.headers) };
  }
}

/** Decodes a page of sessions. An empty cursor is a cursor. */
function decodePage(result: Fields): SessionListPage | undefined {
  if (!Array.isArray(result.sessions)) {
    return undefined;
  }
  const nextCursor = textOf(result.nextCursor);
  return { sessions: result.sessions.flatMap(decodeListed), ...(nextCursor !== undefined && { nextCursor }) };
}
