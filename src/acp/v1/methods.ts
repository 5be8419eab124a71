/** The client's requests to a v1 agent, each as a method of the {@link Dialect}. Methods that the agent does not advertise are absent. */
import type { SessionCapabilities } from '../../core/model/content';
import { MODE_CONFIG_ID, MODEL_CONFIG_ID } from '../../core/model/wellKnown';
import { afterSteering, STEER_OUTCOMES, type SteerOutcome } from '../../core/queue/steering';
import type { EventInput } from '../../core/model/event';
import type { McpServer } from '../../core/mcp/mcpServer';
import type { Instructions } from '../../core/account/instructions';
import type { SessionSetup } from '../../core/model/sessionSetup';
import type { Connection } from '../jsonrpc/connection';
import type { Client, Dialect, ListedSession, NewSession, Ongoing, SessionListPage, TurnEnd } from '../dialect';
import { forkPointMeta } from '../quirks/forkPoint';
import type { Fields } from '../json/fields';
import { isRecord, labelOf, textOf } from '../json/fields';
import type { Outcome, Settled } from '../jsonrpc/rpc';
import { failed, RPC, succeeded } from '../jsonrpc/rpc';
import { STOP_TASK } from '../quirks/air/tasks';
import { turnFailure } from '../quirks/air/failures';
import { encodeBlock } from './content';
import { PromptSender } from './early/promptSender';
import { decodeTurnUsage } from './turnUsage';
import type { V1Updates } from './updates';

export type SessionMethods = Pick<
  Dialect,
  | 'newSession'
  | 'loadSession'
  | 'resumeSession'
  | 'listSessions'
  | 'deleteSession'
  | 'closeSession'
  | 'forkSession'
  | 'setTitle'
  | 'prompt'
  | 'adoptSession'
  | 'adoptPrompt'
  | 'steer'
  | 'cancel'
  | 'stopTask'
  | 'setConfig'
>;

/** Protocol pages "Session Setup", "Session List", "Session Delete", "Prompt Turn", "Session Config Options", "Session Modes". */
export function sessionMethods(
  connection: Connection,
  client: Pick<Client, 'onTurnEnded'>,
  updates: V1Updates,
  timeoutMs: number,
  capabilities: SessionCapabilities,
  isReplay = false,
): SessionMethods {
  const limit = { timeoutMs };
  const prompts = new PromptSender(connection, !isReplay);
  /** `session/load` and `session/resume`: the client names the session, so the answer may be null. */
  const reopenSession =
    (method: string) =>
    (sessionId: string, setup: SessionSetup, settled: Settled<NewSession>): Ongoing => {
      updates.forget(sessionId);
      return connection.request(method, { sessionId, ...setupParams(setup, capabilities) }, LOADING, (outcome) =>
        settled(readResult(method, outcome, (result) => ({ sessionId, events: updates.decodeSetup(sessionId, result, SETUP) }))),
      );
    };
  /** Requests with an empty answer. A session that the agent does not know is already gone. */
  const gone =
    (method: string) =>
    (sessionId: string, settled: Settled<void>): Ongoing =>
      connection.request(method, { sessionId }, limit, (outcome) =>
        settled(outcome.ok || outcome.failure.params?.['code'] === RPC.resourceNotFound ? succeeded(undefined) : outcome),
      );
  /** `session/new` and `session/fork`: the answer names the session. */
  const fresh = (method: string, params: object, settled: Settled<NewSession>): Ongoing =>
    connection.request(method, params, limit, (outcome) => {
      settled(
        readResult(method, outcome, (result) => {
          const sessionId = textOf(result.sessionId);
          return sessionId === undefined ? undefined : { sessionId, events: updates.decodeSetup(sessionId, result, SETUP) };
        }),
      );
    });
  const prompted =
    (sessionId: string, settled: Settled<void>): Settled<unknown> =>
    (outcome) => {
      const ended = readResult('session/prompt', outcome, (result) => decodeTurn(updates, sessionId, result));
      settled(ended.ok ? succeeded(undefined) : ended);
      if (ended.ok) {
        client.onTurnEnded(sessionId, ended.value);
      }
    };
  return {
    newSession: (setup, settled) => fresh('session/new', setupParams(setup, capabilities), settled),
    ...(capabilities.fork && {
      forkSession: (sessionId, setup, settled, after) => {
        const params = withForkPoint(setupParams(setup, capabilities), capabilities, after);
        return fresh('session/fork', { sessionId, ...params }, settled);
      },
    }),
    ...(capabilities.setTitle && {
      setTitle: (sessionId, title, settled) =>
        connection.request('session/set_title', { sessionId, title }, limit, (outcome) =>
          settled(readResult('session/set_title', outcome, (result) => textOf(result.title) ?? title)),
        ),
    }),
    ...(capabilities.load && { loadSession: reopenSession('session/load') }),
    ...(capabilities.resume && { resumeSession: reopenSession('session/resume') }),
    ...(capabilities.list && {
      listSessions: (query, settled) =>
        connection.request('session/list', query, limit, (outcome) => settled(readResult('session/list', outcome, decodePage))),
    }),
    ...(capabilities.delete && { deleteSession: gone('session/delete') }),
    ...(capabilities.close && { closeSession: gone('session/close') }),
    prompt: (sessionId, content, settled) => {
      updates.nextTurn(sessionId);
      return prompts.send(sessionId, content, content.map(encodeBlock), prompted(sessionId, settled));
    },
    adoptSession: (sessionId, conversation) => updates.adopt(sessionId, conversation),
    adoptPrompt: (sessionId, requestId, settled) => connection.adopt(requestId, 'session/prompt', prompted(sessionId, settled)),
    ...(capabilities.steer && {
      steer: (sessionId, content, settled) => {
        const params = { sessionId, prompt: content.map(encodeBlock), _meta: { steering: { idleBehavior: 'promptRequired' } } };
        return connection.request(STEERING, params, limit, (outcome) => {
          const taken = readResult(STEERING, outcome, steerOutcome);
          if (taken.ok && afterSteering(taken.value).message === 'sent') {
            // The agent's next text comes after the message.
            updates.breakMessage(sessionId);
          }
          settled(taken);
        });
      },
    }),
    cancel: (sessionId) => {
      prompts.stop(sessionId);
      connection.notify('session/cancel', { sessionId });
    },
    stopTask: (sessionId, asyncTaskId, settled) =>
      connection.request(STOP_TASK, { sessionId, asyncTaskId }, limit, (outcome) =>
        settled(readResult(STOP_TASK, outcome, (result) => result.stopped !== false)),
      ),
    setConfig: (sessionId, configId, value, settled) => {
      // Some agents describe the change in a message, which is not part of the answer before it.
      updates.breakMessage(sessionId);
      const [method, params] =
        configId === MODE_CONFIG_ID
          ? ['session/set_mode', { sessionId, modeId: value }]
          : configId === MODEL_CONFIG_ID
            ? ['session/set_model', { sessionId, modelId: value }]
            : ['session/set_config_option', { sessionId, configId, ...(typeof value === 'boolean' && { type: 'boolean' }), value }];
      connection.request(method, params, limit, (outcome) => {
        settled(
          readResult(method, outcome, (result): EventInput[] => {
            const events = updates.decodeSetup(sessionId, result, SETUP);
            const isComplete = events.some((event) => event.type === 'config_options');
            if (configId === MODEL_CONFIG_ID) {
              updates.modelSet(sessionId, String(value));
            }
            return isComplete ? events : [{ type: 'config_value', configId, value }, ...events];
          }),
        );
      });
    },
  };
}

/** An extension that several agents share; see `core/queue/steering.ts`. */
export const STEERING = '_session/steering';

/** The answer to {@link STEERING}; undefined when the outcome is unknown. */
export function steerOutcome({ outcome }: Fields): SteerOutcome | undefined {
  return STEER_OUTCOMES.find((each) => each === outcome);
}

/** Protocol page "Authentication". */
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
      connection.request('authenticate', { methodId, ...(secret && { _meta: secret.meta }) }, {}, nothing(settled)),
    ...(capabilities.logout && { logout: (settled) => connection.request('logout', {}, { timeoutMs }, nothing(settled)) }),
  };
}

/** ms; a long conversation is replayed before the answer arrives. */
export const LOADING = { timeoutMs: 600_000 };

/** Decodes the answer to `session/prompt`. A stop reason that is not a string is kept with the answer's other fields. */
export function decodeTurn(updates: V1Updates, sessionId: string, result: Fields): TurnEnd {
  const stopReason = labelOf(result.stopReason);
  const usage = decodeTurnUsage(result.usage);
  const { usage: _told, ...others } = result;
  const events = updates.decodeSetup(sessionId, usage ? others : result, stopReason === undefined ? UNSAID : TURN);
  const failure = stopReason === 'cancelled' ? undefined : turnFailure(result._meta);
  return { stopReason: stopReason ?? 'unknown', ...(failure && { failure }), events: usage ? [...events, usage] : events };
}

const TURN: ReadonlySet<string> = new Set(['stopReason', '_meta']);
const UNSAID: ReadonlySet<string> = new Set(['_meta']);

/** The known fields of the answers to `session/new`, `load` and `resume`. */
export const SETUP: ReadonlySet<string> = new Set(['sessionId', 'configOptions', 'modes', '_meta']);

/** Agents answer null when all fields are optional. A value that is not an object, or lacks a required field, is a bad answer. */
export function readResult<T>(method: string, outcome: Outcome<unknown>, read: (result: Fields) => T | undefined): Outcome<T> {
  if (!outcome.ok) {
    return outcome;
  }
  const result = outcome.value ?? {};
  const value = isRecord(result) ? read(result) : undefined;
  return value === undefined ? failed({ code: 'protocol.bad_answer', params: { method } }) : succeeded(value);
}

export function setupParams(
  { cwd, additionalDirectories, mcpServers, instructions, values, options }: SessionSetup,
  capabilities: SessionCapabilities,
  encode: (server: McpServer) => object = encodeMcpServer,
  encodeValue: (configId: string, value: string | boolean) => object[] = initialValue,
): object {
  const initial = capabilities.options && values ? Object.entries(values).flatMap(([id, value]) => encodeValue(id, value)) : [];
  return {
    cwd,
    mcpServers: mcpServers.map(encode),
    ...furtherRoots(cwd, additionalDirectories, capabilities),
    ...(initial.length > 0 && { configOptions: initial }),
    ...(capabilities.systemPrompt && instructions && { systemPrompt: encodeInstructions(instructions) }),
    ...(options && { _meta: options }),
  };
}

/** Adds the last message of the fork for an agent that reads it. */
export function withForkPoint(params: { readonly _meta?: object }, { forkAt }: SessionCapabilities, after: string | undefined): object {
  return after !== undefined && forkAt ? { ...params, _meta: { ...params._meta, ...forkPointMeta(after) } } : params;
}

/** Further roots are sent only to an agent that supports them. */
export function furtherRoots(cwd: string, directories: readonly string[], capabilities: SessionCapabilities): object {
  const further = [...new Set(directories)].filter((path) => path !== cwd);
  return capabilities.additionalDirectories && further.length > 0 ? { additionalDirectories: further } : {};
}

/** The options that the client made of v1's modes and models have requests of their own. */
function initialValue(configId: string, value: string | boolean): object[] {
  return configId === MODE_CONFIG_ID || configId === MODEL_CONFIG_ID
    ? []
    : [{ configId, ...(typeof value === 'boolean' && { type: 'boolean' }), value }];
}

function encodeInstructions({ mode, parts }: Instructions): object {
  return { mode, content: parts.map(({ text }) => ({ type: 'text', text })) };
}

/** In v1 a server over stdio has no `type`. */
function encodeMcpServer(server: McpServer): object {
  switch (server.type) {
    case 'stdio':
      return { name: server.name, command: server.command, args: server.args, env: pairsOf(server.env) };
    case 'acp':
      // An older shape of the protocol calls the same member `id`.
      return { type: server.type, name: server.name, serverId: server.serverId, id: server.serverId };
    default:
      return { type: server.type, name: server.name, url: server.url, headers: pairsOf(server.headers) };
  }
}

export function pairsOf(values: Readonly<Record<string, string>>): object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** Decodes a page of sessions. An entry without an id or a folder cannot be opened and is left out. */
function decodePage(result: Fields): SessionListPage | undefined {
  if (!Array.isArray(result.sessions)) {
    return undefined;
  }
  const nextCursor = textOf(result.nextCursor);
  return { sessions: result.sessions.flatMap(decodeListed), ...(nextCursor !== undefined && nextCursor !== '' && { nextCursor }) };
}

export function decodeListed(raw: unknown): ListedSession[] {
  if (!isRecord(raw) || typeof raw.sessionId !== 'string' || typeof raw.cwd !== 'string') {
    return [];
  }
  const title = textOf(raw.title);
  const updatedAt = textOf(raw.updatedAt);
  const further = Array.isArray(raw.additionalDirectories) ? raw.additionalDirectories.filter((path) => typeof path === 'string') : [];
  return [
    {
      sessionId: raw.sessionId,
      cwd: raw.cwd,
      ...(title !== undefined && { title }),
      ...(updatedAt !== undefined && { updatedAt }),
      ...(further.length > 0 && { additionalDirectories: further }),
    },
  ];
}
