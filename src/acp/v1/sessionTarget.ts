/** Messages of v1 that name no session, or a sub-session: they are read as messages of the session that they belong to. */
import type { UnstampedEvent } from '../../core/model/event';
import type { Client, SessionTarget } from '../dialect';
import { type Fields, isRecord, textOf } from '../json/fields';

/** The session of `params`, as the client resolves it. Undefined when it does not, or when the id has another type. */
export function targetOf(client: Client, method: string, params: Fields): SessionTarget | undefined {
  const named = params.sessionId ?? '';
  return typeof named === 'string' ? client.resolveSession?.(named, method, params._meta) : undefined;
}

/** The params of a request, with the session that they belong to. A sub-session's tool calls have ids of their own, and its questions name it. */
export function withTarget(params: Fields, { sessionId, child }: SessionTarget): Fields {
  if (child === undefined) {
    return { ...params, sessionId };
  }
  const { toolCall, toolCallId } = params;
  const description = textOf(params.description);
  return {
    ...params,
    sessionId,
    ...(Array.isArray(params.options) && { description: description === undefined ? child : `${child}: ${description}` }),
    ...(isRecord(toolCall) &&
      typeof toolCall.toolCallId === 'string' && { toolCall: { ...toolCall, toolCallId: childId(child, toolCall.toolCallId) } }),
    ...(typeof toolCallId === 'string' && { toolCallId: childId(child, toolCallId) }),
  };
}

/** The events of a sub-session that its parent's conversation shows: its tool calls and their terminals. The others are about the sub-session itself. */
export function childEvents(
  child: string,
  events: readonly UnstampedEvent[],
): { readonly shown: UnstampedEvent[]; readonly rest: UnstampedEvent[] } {
  const shown: UnstampedEvent[] = [];
  const rest: UnstampedEvent[] = [];
  for (const event of events) {
    if (event.type === 'tool_call_update' || event.type === 'tool_call_content_chunk') {
      shown.push({ ...event, toolCallId: childId(child, event.toolCallId) });
    } else {
      (event.type === 'terminal_update' || event.type === 'terminal_output' ? shown : rest).push(event);
    }
  }
  return { shown, rest };
}

function childId(child: string, toolCallId: string): string {
  return `${child}/${toolCallId}`;
}
