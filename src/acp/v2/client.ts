/**
 * Handles the requests of a v2 agent: permissions and elicitations (protocol v2 pages "Tool Calls" and "Elicitation"). Version 2 has no files and no
 * terminals of the client, so these methods are answered `-32601`.
 */
import type { PermissionSubject } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { Fault, failureOf } from '../../core/model/failure';
import { asSubagentEvents, subagentsId } from '../../core/subagents/innerEvents';
import type { Client, PermissionParams, SessionTarget } from '../dialect';
import { type Fields, isPresent, isRecord, keep, restOf, textOf } from '../json/fields';
import type { Respond } from '../jsonrpc/incoming';
import { invalidParams, methodNotFound } from '../jsonrpc/rpc';
import { decodeOption, elicit, keepMisfits, shown, TEXTS } from '../v1/client';
import { toolCallEvent } from '../v1/toolCalls';
import type { OwnedWork } from './owners';
import { decodeToolCall } from './toolCalls';

export const PERMISSION = 'session/request_permission';
export const ELICIT = 'elicitation/create';

/** True for a request that belongs to a session, whether it contains the session's id or not. */
export function isOfSession(method: string, params: Fields): boolean {
  return method === PERMISSION || (method === ELICIT && !isPresent(params.requestId));
}

/** The author of a request. */
export interface Asker {
  /** The session, and its subagent, of a request that belongs to a session. */
  readonly target: SessionTarget | undefined;
  /** The subagent's name. */
  readonly name: string | undefined;
  readonly owners: Pick<OwnedWork, 'note'>;
}

/** Answers one request of the agent. The client is called before this returns, so that requests and updates keep the wire order. */
export function answerV2(client: Client, method: string, params: unknown, asker: Asker, respond: Respond, signal: AbortSignal): void {
  if (method !== PERMISSION && method !== ELICIT) {
    respond.error(methodNotFound(method));
    return;
  }
  if (!isRecord(params)) {
    throw invalidParams('params must be an object');
  }
  const result = method === PERMISSION ? askPermission(client, params, asker, signal) : elicit(client, params, signal);
  result.then(
    (value: unknown) => respond.result(value),
    (thrown: unknown) => respond.error(thrown instanceof Fault ? thrown : new Fault(failureOf(thrown))),
  );
}

async function askPermission(client: Client, params: Fields, { target, name, owners }: Asker, signal: AbortSignal): Promise<object> {
  const sessionId = target?.sessionId ?? textOf(params.sessionId);
  if (sessionId === undefined) {
    throw invalidParams('sessionId must be a string');
  }
  const child = target?.child;
  const { request, update } = shown(client, PERMISSION, params, (fields) => decodePermission(fields, child, name));
  if (update) {
    // The call of the request changes the conversation like an update, before the question is shown.
    owners.note(target ?? { sessionId }, [update]);
    client.onUpdate(sessionId, child === undefined ? [update] : asSubagentEvents(child, [update]));
  }
  const answer = await client.requestPermission(sessionId, request, signal);
  return { outcome: answer === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: answer.optionId } };
}

const FIELDS: ReadonlySet<string> = new Set(['sessionId', 'options', 'subject', 'title', 'description', '_meta']);

/**
 * Decodes the params of `session/request_permission`. `update`: the change of the tool call that the request is about.
 * @throws invalid params when there is no option
 */
export function decodePermission(
  params: Fields,
  child?: string,
  name?: string,
): { readonly request: PermissionParams; readonly update?: EventInput } {
  const offered: readonly unknown[] = Array.isArray(params.options) ? params.options : [];
  const options = offered.map(decodeOption).filter((option) => option !== undefined);
  if (options.length === 0) {
    throw invalidParams('options must hold at least one option with an optionId');
  }
  const { subject, update, unread } = decodeSubject(params.subject, child);
  const description = textOf(params.description);
  let extra = keepMisfits(restOf(params, FIELDS), params, TEXTS);
  if (options.length < offered.length) {
    extra = keep(extra, 'options', offered);
  }
  if (unread !== undefined) {
    extra = keep(extra, 'subject', unread);
  }
  return {
    request: {
      title: textOf(params.title) ?? '',
      ...(description !== undefined && { description }),
      ...(name !== undefined && { askedBy: name }),
      ...(child !== undefined && { subagentId: child }),
      options,
      subject,
      ...(isPresent(params._meta) && { meta: params._meta }),
      ...(extra && { extra }),
    },
    ...(update && { update }),
  };
}

interface DecodedSubject {
  readonly subject: PermissionSubject;
  readonly update?: EventInput;
  /** A subject that the model does not contain, or the other fields of one. */
  readonly unread?: unknown;
}

const COMMAND: ReadonlySet<string> = new Set(['type', 'command', 'cwd', 'toolCallId']);
const TOOL_CALL: ReadonlySet<string> = new Set(['type', 'toolCall']);

function decodeSubject(raw: unknown, child: string | undefined): DecodedSubject {
  if (!isPresent(raw)) {
    return { subject: {} };
  }
  const idOf = (toolCallId: string): string => (child === undefined ? toolCallId : subagentsId(child, toolCallId));
  if (isRecord(raw) && raw.type === 'tool_call' && isRecord(raw.toolCall) && typeof raw.toolCall.toolCallId === 'string') {
    const { toolCall } = raw;
    const { patch, extra } = decodeToolCall(toolCall);
    const unread = restOf(raw, TOOL_CALL);
    return {
      subject: {
        toolCallId: idOf(raw.toolCall.toolCallId),
        ...(patch.kind && { kind: patch.kind }),
        ...(patch.content && { content: patch.content }),
        ...(patch.locations && { locations: patch.locations }),
        ...(isPresent(patch.rawInput) && { rawInput: patch.rawInput }),
      },
      update: toolCallEvent(raw.toolCall.toolCallId, patch, toolCall._meta, extra),
      ...(unread && { unread }),
    };
  }
  if (isRecord(raw) && raw.type === 'command' && typeof raw.command === 'string') {
    const cwd = textOf(raw.cwd);
    const toolCallId = textOf(raw.toolCallId);
    const unread = keepMisfits(restOf(raw, COMMAND), raw, ['cwd', 'toolCallId']);
    return {
      subject: {
        command: raw.command,
        ...(cwd !== undefined && { cwd }),
        ...(toolCallId !== undefined && { toolCallId: idOf(toolCallId) }),
      },
      ...(unread && { unread }),
    };
  }
  return { subject: {}, unread: raw };
}
