/** ACP version 2 (preview): the capabilities of the client, the handlers of the agent's messages, and the agent's methods. */
import type { EventInput } from '../../core/model/event';
import type { Client, SessionTarget } from '../dialect';
import { type Fields, isPresent, isRecord, restOf, textOf } from '../json/fields';
import type { Interpreter, InterpreterOptions, ProtocolVersion } from '../protocolVersion';
import { decodeAuthStatus } from '../v1/authStatus';
import { decodeAgent } from '../v1/handshake';
import { optionalCapabilities, optionalMethods } from '../v1/optional';
import { targetOf, withTarget } from '../v1/sessionTarget';
import { rest } from '../v1/statelessUpdates';
import { storedSessionMethods } from '../v1/storedSessionMethods';
import { decodeWork, Subagents } from '../v1/subagents';
import { answerV2, ELICIT, isOfSession } from './client';
import { decodeSetup } from './config';
import {
  decodeAuthMethods,
  decodeMcpCapabilities,
  decodePromptCapabilities,
  decodeSessionCapabilities,
  initializeExtrasOf,
  sessionFields,
} from './handshake';
import { accountMethods, sessionMethods } from './methods';
import { OwnedWork } from './owners';
import { V2Turns } from './turns';
import { V2Updates } from './updates';

/** The client's capabilities in v2's format. Subagents, plans, notices and compactions are part of every client. */
export const V2_CAPABILITIES = { auth: { terminal: {} }, elicitation: { form: {}, url: {} } } as const;

/** The fields of a state, of a marker and of a notification that have a meaning. */
const WORK: ReadonlySet<string> = new Set(['sessionUpdate', 'state', 'stopReason', 'error', 'usage']);
const WITH_BACKGROUND: ReadonlySet<string> = new Set([...WORK, 'background']);
const MARKER: ReadonlySet<string> = new Set(['sessionUpdate']);
const PARAMS: ReadonlySet<string> = new Set(['sessionId', 'update']);
const PARAMS_AND_META: ReadonlySet<string> = new Set([...PARAMS, '_meta']);

export const V2: ProtocolVersion = {
  version: 2,
  isAnswer: ({ info, capabilities }) => isRecord(info) && isRecord(capabilities),
  initializeParams: (info) => ({ protocolVersion: 2, info, capabilities: V2_CAPABILITIES }),
  interpreter: interpretV2,
};

function interpretV2(client: Client, options: InterpreterOptions): Interpreter {
  const { timeoutMs, mark } = options;
  const updates = new V2Updates(mark);
  const turns = new V2Turns(
    client,
    (label, raw) => updates.unknown(label, raw),
    (failure) => options.withoutSecrets?.(failure) ?? failure,
  );
  const owners = new OwnedWork();
  /** The session of the update that is decoded. */
  let target: SessionTarget = { sessionId: '' };
  const decoder = {
    get replays() {
      return updates.replays;
    },
    decode: (sessionId: string, params: Fields) => {
      const events = updates.decode(sessionId, params);
      owners.note(target, events);
      return events;
    },
  };
  const subagents = new Subagents(
    () => decoder,
    (parent, child) => client.registerSubagent?.(parent, child) ?? false,
  );

  /** Returns the events of the state that a subagent reports. */
  const stateOf = (child: string, fields: Fields): EventInput => {
    const work = decodeWork(fields);
    // The turns take a list of background work. Any other value stays.
    const known = Array.isArray(fields.background) ? WITH_BACKGROUND : WORK;
    return work
      ? { type: 'subagent_update', subagentId: child, patch: { work }, ...rest(fields, known) }
      : updates.unknown('state_update', fields);
  };
  /** Adds the states that subagents have reported before their announcements. */
  const withEarlyStates = (events: readonly EventInput[]): readonly EventInput[] =>
    events.flatMap((event) => {
      const early = event.type === 'subagent_update' && event.patch.work === undefined ? turns.takeEarly(event.subagentId) : undefined;
      return early && event.type === 'subagent_update' ? [event, stateOf(event.subagentId, early)] : [event];
    });

  const update = (params: Fields): void => {
    const { sessionId, child } = target;
    const fields = isRecord(params.update) ? params.update : {};
    switch (fields.sessionUpdate) {
      case 'state_update': {
        const state = withParams(fields, params);
        if (child === undefined) {
          turns.state(sessionId, state);
        } else {
          client.onUpdate(sessionId, [...subagents.implication(child), stateOf(child, state)]);
          turns.childState(sessionId, child, fields);
        }
        return;
      }
      case 'replay_complete': {
        turns.replayed(child ?? sessionId);
        const base = rest(withParams(fields, params), MARKER);
        if (base) {
          client.onUpdate(sessionId, [{ type: 'session_info', ...base }]);
        }
        return;
      }
      default: {
        const decoded = withEarlyStates(subagents.decode(target, params));
        // The check of the kind keeps the frequent updates of the agent free of copies.
        const isUsers = child === undefined && (fields.sessionUpdate === 'user_message' || fields.sessionUpdate === 'user_message_chunk');
        const events = isUsers ? decoded.flatMap((event) => turns.echo(sessionId, event)) : decoded;
        if (events.length > 0) {
          client.onUpdate(sessionId, events);
        }
      }
    }
  };

  return {
    refusesNullId: true,
    onRequest: (method, params, respond, signal) => {
      const asking = isRecord(params) && isOfSession(method, params) ? targetOf(client, method, params) : undefined;
      const child = asking?.child;
      const implication = child === undefined ? [] : subagents.implication(child);
      if (asking && implication.length > 0) {
        client.onUpdate(asking.sessionId, implication);
      }
      const name = child === undefined ? undefined : subagents.nameOf(child);
      const named = asking && isRecord(params) && method === ELICIT ? withTarget(params, asking, name) : params;
      answerV2(client, method, named, { target: asking, name, owners }, respond, signal);
    },
    onNotification: (method, params) => {
      const resolved = method === 'session/update' && isRecord(params) ? targetOf(client, method, params) : undefined;
      const sessionId = resolved?.sessionId ?? (isRecord(params) ? textOf(params.sessionId) : undefined);
      if (method === 'session/update' && sessionId !== undefined) {
        target = resolved ?? { sessionId };
        update(params as Fields);
      } else if (method === 'elicitation/complete' && isRecord(params) && typeof params.elicitationId === 'string') {
        client.onElicitationComplete(params.elicitationId);
      } else {
        const account = method === 'auth/status_update' || method === '_auth/status_update' ? decodeAuthStatus(params) : undefined;
        if (account && client.onAccount) {
          client.onAccount(account);
        } else {
          client.onUnknown(method, params, sessionId);
        }
      }
    },
    dialect: (answer, connection) => {
      const offered = isRecord(answer.capabilities) ? answer.capabilities : {};
      const session = sessionFields(offered);
      const agent = decodeAgent(answer.info);
      const capabilities = {
        ...decodeSessionCapabilities(session, answer.authMethods, answer._meta),
        ...optionalCapabilities(offered, session, agent),
      };
      const methods = sessionMethods({
        connection,
        turns,
        owners,
        timeoutMs,
        capabilities,
        hasSessions: session !== undefined,
        replaying: () => void updates.replays++,
      });
      return {
        protocolVersion: V2.version,
        ...(agent && { agent }),
        promptCapabilities: decodePromptCapabilities(session ?? {}),
        authMethods: decodeAuthMethods(answer.authMethods),
        sessionCapabilities: capabilities,
        mcpCapabilities: decodeMcpCapabilities(session ?? {}),
        initializeExtras: initializeExtrasOf(answer),
        ...storedSessionMethods(connection, timeoutMs, capabilities),
        ...methods,
        ...accountMethods(connection, timeoutMs, capabilities),
        ...optionalMethods(connection, client, methods, decodeSetup, updates.limits, timeoutMs, capabilities),
      };
    },
  };
}

/** Returns the update with the other fields of its notification: its `_meta`, unless the update has its own, and the rest under `params`. */
function withParams(update: Fields, params: Fields): Fields {
  const hasTwo = isPresent(update._meta) && isPresent(params._meta);
  const others = restOf(params, hasTwo ? PARAMS : PARAMS_AND_META);
  return {
    ...update,
    ...(!hasTwo && isPresent(params._meta) && { _meta: params._meta }),
    ...(others && update.params === undefined && { params: others }),
  };
}
