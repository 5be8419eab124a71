/** ACP version 1: the capabilities of the client, the handlers of the agent's messages, and the agent's methods. */
import type { AgentInfo } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { turnOfUpdate } from '../../core/share/shareMeta';
import type { Client } from '../dialect';
import { type Fields, isRecord, textOf } from '../json/fields';
import type { Respond } from '../jsonrpc/incoming';
import { methodNotFound } from '../jsonrpc/rpc';
import type { Interpreter, InterpreterOptions, ProtocolVersion } from '../protocolVersion';
import { loadPatchReader } from '../quirks/air/content';
import { AIR_CAPABILITY } from '../quirks/air/contract';
import { forgivingReads } from '../quirks/geminiMissingFile';
import { isQwenNotification, qwenNotification } from '../quirks/qwenNotifications';
import { GATEWAY_CAPABILITY } from '../quirks/askedSecret';
import { TERMINAL_AUTH_CAPABILITY } from '../quirks/terminalAuth';
import { AGENT_TERMINAL_CAPABILITY, replacesOutput } from '../quirks/agentTerminalOutput';
import { answerV1, isOfSession } from './client';
import {
  decodeAgent,
  decodeAuthMethods,
  decodeMcpCapabilities,
  decodePromptCapabilities,
  decodeSessionCapabilities,
  needsOptional,
} from './handshake';
import { initializeExtrasOf } from './initializeExtras';
import type { Limits } from './limits';
import { accountMethods, sessionMethods, SETUP } from './methods';
import { targetOf, withCaller, withTarget } from './sessionTarget';
import { readingEarly } from './early/readingEarly';
import { storedSessionMethods } from './storedSessionMethods';
import { Subagents } from './subagents';
import { V1Updates } from './updates';

/** The client's capabilities in v1's format. Each one is implemented by a service and a view. */
export const V1_CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {}, quota: {} },
  auth: { terminal: true, _meta: GATEWAY_CAPABILITY },
  elicitation: { form: {}, url: {} },
  subagents: {},
  plan: {},
  _meta: { ...TERMINAL_AUTH_CAPABILITY, ...AGENT_TERMINAL_CAPABILITY },
} as const;

/** The decoder's name for a session that does not exist yet. No agent's id is empty. */
const BEFORE_SESSION = '';

const V1_CAPABILITIES_WITH_AIR = { ...V1_CAPABILITIES, _meta: { ...V1_CAPABILITIES._meta, ...AIR_CAPABILITY } };

/** The requests for files and programs of this machine. */
const OF_THIS_MACHINE = /^(?:fs|terminal)\//;

/** The capabilities towards an agent on a machine whose files are not ours. */
function withoutFiles({ fs: _fs, terminal: _terminal, auth: _auth, _meta, ...others }: typeof V1_CAPABILITIES): object {
  const ours = new Set(Object.keys(TERMINAL_AUTH_CAPABILITY));
  return { ...others, _meta: Object.fromEntries(Object.entries(_meta).filter(([name]) => !ours.has(name))) };
}

export const V1: ProtocolVersion = {
  version: 1,
  initializeParams: (clientInfo, { adapterExtensions, hasNoFiles } = {}) => {
    const capabilities = adapterExtensions ? V1_CAPABILITIES_WITH_AIR : V1_CAPABILITIES;
    return { protocolVersion: 1, clientCapabilities: hasNoFiles ? withoutFiles(capabilities) : capabilities, clientInfo };
  },
  interpreter: (client, options) => readingEarly(interpretV1(client, options)),
};

/** @param optional the parts that few agents offer. Absent: they are loaded for an agent that offers one. */
export function interpretV1(
  client: Client,
  { timeoutMs, mark, adapterExtensions, hasNoFiles, isReplay }: InterpreterOptions,
  optional?: typeof import('./optional'),
): Interpreter {
  if (adapterExtensions) {
    void loadPatchReader().catch(() => undefined); // An update of the extension has deleted the file.
  }
  const ourTerminals = new Set<string>();
  let agent: AgentInfo | undefined;
  let limits: Limits | undefined;
  const answering = forgivingReads(client, () => agent);
  const updates = new V1Updates(
    (terminalId) => client.runsTerminal?.(terminalId) ?? ourTerminals.has(terminalId),
    mark,
    () => replacesOutput(agent),
    () => limits,
  );
  const subagents = new Subagents(
    () => updates,
    (parent, child) => client.registerSubagent?.(parent, child) ?? false,
    () => agent,
  );
  return {
    onRequest: (method, params, respond, signal) => {
      // An agent may ignore the capabilities. Its paths are names on its own machine, and its commands are meant for that machine.
      if (hasNoFiles && OF_THIS_MACHINE.test(method)) {
        respond.error(methodNotFound(method));
        return;
      }
      const named = isRecord(params) && isOfSession(method, params) ? targetOf(client, method, params) : undefined;
      const target = named && isRecord(params) ? withCaller(subagents, named, params) : named;
      if ((method === 'session/request_permission' || method === 'elicitation/create') && isRecord(params)) {
        const sessionId = target?.child ?? target?.sessionId ?? params.sessionId;
        params = typeof sessionId === 'string' ? updates.question(sessionId, params) : params;
        updates.breakMessage(target?.sessionId ?? '');
      }
      const implication = target?.child === undefined ? [] : subagents.implication(target.child);
      if (target && implication.length > 0) {
        client.onUpdate(target.sessionId, implication);
      }
      if (target?.child !== undefined && isRecord(params)) {
        params = subagents.requestOf(target.child, method, params);
      }
      if (target && isRecord(params)) {
        params = withTarget(params, target, target.child === undefined ? undefined : subagents.nameOf(target.child));
      }
      answerV1(answering, method, params, method === 'terminal/create' ? noting(respond, ourTerminals) : respond, signal);
    },
    onNotification: (method, params) => {
      const target = method === 'session/update' && isRecord(params) ? targetOf(client, method, params) : undefined;
      const sessionId = target?.sessionId ?? (isRecord(params) ? textOf(params.sessionId) : undefined);
      const turn = method === 'session/update' && isRecord(params) ? turnOfUpdate(params.update) : undefined;
      if (turn && sessionId !== undefined) {
        if (turn.type === 'started') {
          client.onTurnStarted(sessionId);
        } else {
          client.onTurnEnded(sessionId, { events: [], stopReason: turn.stopReason });
        }
      } else if (method === 'session/update' && sessionId !== undefined) {
        const of = target ?? { sessionId };
        const events = subagents.decode(of, params as Fields);
        if (events.length > 0) {
          client.onUpdate(of.sessionId, events);
        }
      } else if (method === 'elicitation/complete' && isRecord(params) && typeof params.elicitationId === 'string') {
        client.onElicitationComplete(params.elicitationId);
      } else if (method === 'auth/status_update' || method === '_auth/status_update') {
        void accountUpdate(client, method, params);
      } else if (sessionId !== undefined && isQwenNotification(method)) {
        client.onUpdate(sessionId, [qwenNotification(method, params)]);
      } else {
        client.onUnknown(method, params, sessionId);
      }
    },
    load: ({ agentCapabilities }) =>
      !optional && isRecord(agentCapabilities) && needsOptional(agentCapabilities)
        ? import('./optional').then((loaded) => void (optional = loaded))
        : undefined,
    dialect: (answer, connection) => {
      const capabilities = isRecord(answer.agentCapabilities) ? answer.agentCapabilities : {};
      agent = decodeAgent(answer.agentInfo);
      const sessionCapabilities = {
        ...decodeSessionCapabilities(capabilities, answer._meta),
        ...optional?.optionalCapabilities(capabilities, capabilities.sessionCapabilities, agent),
      };
      limits = optional && needsOptional(capabilities) ? new optional.Limits() : undefined;
      const decodeOptions = (result: Fields): EventInput[] => updates.decodeSetup(BEFORE_SESSION, result, SETUP);
      const methods = sessionMethods(connection, client, updates, timeoutMs, sessionCapabilities, isReplay);
      return {
        protocolVersion: V1.version,
        ...(agent && { agent }),
        promptCapabilities: decodePromptCapabilities(capabilities.promptCapabilities),
        authMethods: decodeAuthMethods(answer.authMethods),
        sessionCapabilities,
        mcpCapabilities: decodeMcpCapabilities(capabilities.mcpCapabilities),
        initializeExtras: initializeExtrasOf(answer),
        ...storedSessionMethods(connection, timeoutMs, sessionCapabilities),
        ...methods,
        ...accountMethods(connection, timeoutMs, sessionCapabilities),
        ...(optional &&
          limits &&
          optional.optionalMethods(connection, client, methods, decodeOptions, limits, timeoutMs, sessionCapabilities)),
      };
    },
  };
}

/** The account is only shown, so its order among the updates does not matter. */
async function accountUpdate(client: Client, method: string, params: unknown): Promise<void> {
  const account = (await import('./optional').catch(() => undefined))?.decodeAuthStatus(params);
  if (account && client.onAccount) {
    client.onAccount(account);
  } else {
    client.onUnknown(method, params);
  }
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
