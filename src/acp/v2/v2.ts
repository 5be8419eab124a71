/** ACP version 2 (preview): the capabilities of the client, the handlers of the agent's messages, and the agent's methods. */
import type { Client, SessionTarget } from '../dialect';
import { type Fields, isPresent, isRecord, textOf } from '../json/fields';
import type { Interpreter, InterpreterOptions, ProtocolVersion } from '../protocolVersion';
import { decodeAgent } from '../v1/handshake';
import { targetOf, withTarget } from '../v1/sessionTarget';
import { decodeWork, Subagents } from '../v1/subagents';
import { answerV2, ELICIT, isOfSession } from './client';
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

export const V2: ProtocolVersion = {
  version: 2,
  isAnswer: ({ info, capabilities }) => isRecord(info) && isRecord(capabilities),
  initializeParams: (info) => ({ protocolVersion: 2, info, capabilities: V2_CAPABILITIES }),
  interpreter: interpretV2,
};

function interpretV2(client: Client, { timeoutMs, mark }: InterpreterOptions): Interpreter {
  const updates = new V2Updates(mark);
  const turns = new V2Turns(client, (label, raw) => updates.unknown(label, raw));
  const owners = new OwnedWork();
  const decoder = {
    get replays() {
      return updates.replays;
    },
    decode: (sessionId: string, params: Fields) => {
      const events = updates.decode(sessionId, params);
      owners.note(sessionId, events, isSubagent);
      return events;
    },
  };
  /** True while an update of a subagent is decoded. */
  let isSubagent = false;
  const subagents = new Subagents(
    () => decoder,
    (parent, child) => client.registerSubagent?.(parent, child) ?? false,
  );

  const update = (target: SessionTarget, params: Fields): void => {
    const { sessionId, child } = target;
    const fields = isRecord(params.update) ? params.update : {};
    switch (fields.sessionUpdate) {
      case 'state_update':
        if (child === undefined) {
          turns.state(sessionId, withMeta(fields, params._meta));
        } else {
          const work = decodeWork(fields);
          const event = work ? ({ type: 'subagent_update', subagentId: child, patch: { work } } as const) : undefined;
          client.onUpdate(sessionId, [...subagents.implication(child), event ?? updates.unknown('state_update', fields)]);
          turns.childState(sessionId, child, fields);
        }
        return;
      case 'replay_complete':
        turns.replayed(child ?? sessionId);
        return;
      default: {
        isSubagent = child !== undefined;
        const decoded = subagents.decode(target, params);
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
      const target = isRecord(params) && isOfSession(method, params) ? targetOf(client, method, params) : undefined;
      const child = target?.child;
      const implication = child === undefined ? [] : subagents.implication(child);
      if (target && implication.length > 0) {
        client.onUpdate(target.sessionId, implication);
      }
      const name = child === undefined ? undefined : subagents.nameOf(child);
      const named = target && isRecord(params) && method === ELICIT ? withTarget(params, target, name) : params;
      answerV2(client, method, named, target, name, respond, signal);
    },
    onNotification: (method, params) => {
      const target = method === 'session/update' && isRecord(params) ? targetOf(client, method, params) : undefined;
      const sessionId = target?.sessionId ?? (isRecord(params) ? textOf(params.sessionId) : undefined);
      if (method === 'session/update' && sessionId !== undefined) {
        update(target ?? { sessionId }, params as Fields);
      } else if (method === 'elicitation/complete' && isRecord(params) && typeof params.elicitationId === 'string') {
        client.onElicitationComplete(params.elicitationId);
      } else {
        client.onUnknown(method, params, sessionId);
      }
    },
    dialect: (answer, connection) => {
      const session = sessionFields(answer);
      const capabilities = decodeSessionCapabilities(session, answer.authMethods, answer._meta);
      const agent = decodeAgent(answer.info);
      return {
        protocolVersion: V2.version,
        ...(agent && { agent }),
        promptCapabilities: decodePromptCapabilities(session ?? {}),
        authMethods: decodeAuthMethods(answer.authMethods),
        sessionCapabilities: capabilities,
        mcpCapabilities: decodeMcpCapabilities(session ?? {}),
        initializeExtras: initializeExtrasOf(answer),
        ...sessionMethods({
          connection,
          turns,
          owners,
          timeoutMs,
          capabilities,
          hasSessions: session !== undefined,
          replaying: () => void updates.replays++,
        }),
        ...accountMethods(connection, timeoutMs, capabilities),
      };
    },
  };
}

/** Returns the update with the `_meta` of its notification, unless it has its own. */
function withMeta(update: Fields, meta: unknown): Fields {
  return isPresent(meta) && !isPresent(update._meta) ? { ...update, _meta: meta } : update;
}
