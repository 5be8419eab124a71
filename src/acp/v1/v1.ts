/** ACP version 1: the capabilities of the client, the handlers of the agent's messages, and the agent's methods. */
import type { AgentInfo } from '../../core/model/content';
import type { Client } from '../dialect';
import { type Fields, isRecord, textOf } from '../json/fields';
import type { Respond } from '../jsonrpc/incoming';
import type { Interpreter, InterpreterOptions, ProtocolVersion } from '../protocolVersion';
import { forgivingReads } from '../quirks/geminiMissingFile';
import { isQwenNotification, qwenNotification } from '../quirks/qwenNotifications';
import { TERMINAL_AUTH_CAPABILITY } from '../quirks/terminalAuth';
import { answerV1, isOfSession } from './client';
import { decodeAgent, decodeAuthMethods, decodeMcpCapabilities, decodeSessionCapabilities, decodePromptCapabilities } from './handshake';
import { initializeExtrasOf } from './initializeExtras';
import { accountMethods, sessionMethods } from './methods';
import { targetOf, withTarget } from './sessionTarget';
import { SubSessions } from './subSessions';
import { V1Updates } from './updates';

/** The client's capabilities in v1's format. Each one is implemented by a service and a view. */
export const V1_CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  _meta: TERMINAL_AUTH_CAPABILITY,
} as const;

export const V1: ProtocolVersion = {
  version: 1,
  initializeParams: (clientInfo) => ({ protocolVersion: 1, clientCapabilities: V1_CAPABILITIES, clientInfo }),
  interpreter: interpretV1,
};

function interpretV1(client: Client, { timeoutMs, mark }: InterpreterOptions): Interpreter {
  const ourTerminals = new Set<string>();
  let agent: AgentInfo | undefined;
  const answering = forgivingReads(client, () => agent);
  const updates = new V1Updates((terminalId) => client.runsTerminal?.(terminalId) ?? ourTerminals.has(terminalId), mark);
  const subSessions = new SubSessions();
  return {
    onRequest: (method, params, respond, signal) => {
      const target = isRecord(params) && isOfSession(method, params) ? targetOf(client, method, params) : undefined;
      if ((method === 'session/request_permission' || method === 'elicitation/create') && isRecord(params)) {
        const sessionId = target?.child ?? target?.sessionId ?? params.sessionId;
        params = typeof sessionId === 'string' ? updates.question(sessionId, params) : params;
        updates.breakMessage(target?.sessionId ?? '');
      }
      if (target && isRecord(params)) {
        params = withTarget(params, target, target.child === undefined ? undefined : subSessions.nameOf(target.child));
      }
      answerV1(answering, method, params, method === 'terminal/create' ? noting(respond, ourTerminals) : respond, signal);
    },
    onNotification: (method, params) => {
      const target = method === 'session/update' && isRecord(params) ? targetOf(client, method, params) : undefined;
      const sessionId = target?.child ?? target?.sessionId ?? (isRecord(params) ? textOf(params.sessionId) : undefined);
      if (target?.child !== undefined) {
        const { shown, rest } = subSessions.split(target.child, updates.decode(target.child, params as Fields));
        if (shown.length > 0) {
          client.onUpdate(target.sessionId, shown);
        }
        if (rest.length > 0) {
          client.onUpdate(target.child, rest);
        }
      } else if (method === 'session/update' && sessionId !== undefined) {
        const events = updates.decode(sessionId, params as Fields);
        subSessions.note(sessionId, events);
        client.onUpdate(sessionId, events);
      } else if (method === 'elicitation/complete' && isRecord(params) && typeof params.elicitationId === 'string') {
        client.onElicitationComplete(params.elicitationId);
      } else if (sessionId !== undefined && isQwenNotification(method)) {
        client.onUpdate(sessionId, [qwenNotification(method, params)]);
      } else {
        client.onUnknown(method, params, sessionId);
      }
    },
    dialect: (answer, connection) => {
      const capabilities = isRecord(answer.agentCapabilities) ? answer.agentCapabilities : {};
      const sessionCapabilities = decodeSessionCapabilities(capabilities, answer._meta);
      agent = decodeAgent(answer.agentInfo);
      return {
        protocolVersion: V1.version,
        ...(agent && { agent }),
        promptCapabilities: decodePromptCapabilities(capabilities.promptCapabilities),
        authMethods: decodeAuthMethods(answer.authMethods),
        sessionCapabilities,
        mcpCapabilities: decodeMcpCapabilities(capabilities.mcpCapabilities),
        initializeExtras: initializeExtrasOf(answer),
        ...sessionMethods(connection, client, updates, timeoutMs, sessionCapabilities),
        ...accountMethods(connection, timeoutMs, sessionCapabilities),
      };
    },
  };
}

/** Wraps `respond` and records the id of the new terminal. */
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
