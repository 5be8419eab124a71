/** The session events that other extensions receive: a small, stable subset (docs/api.md). Pure. */
import type { AcpSessionEvent } from '../../api';
import type { ContentBlock } from '../../core/model/content';
import type { SessionEvent } from '../../core/model/event';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';

/** Translates these events, in order. @param before the conversation before the events @param state the conversation after them */
export function apiEvents(before: SessionState, state: SessionState, events: readonly SessionEvent[], whole: boolean): AcpSessionEvent[] {
  const told: AcpSessionEvent[] = whole ? [{ type: 'replaced' }] : events.flatMap((event) => apiEventsOf(state, event));
  const { turn } = before;
  // A turn can end in several ways, but always leaves its entry.
  if (turn && state.turn?.turnId !== turn.turnId && !whole) {
    const entry = state.entries.get(entryIdOf.turn(turn.turnId));
    if (entry && !isAbsent(entry) && entry.kind === 'turn') {
      const { stopReason, failure } = entry;
      told.push({ type: 'turnEnded', turnId: turn.turnId, stopReason, ...(failure && { errorCode: failure.code }) });
    }
  }
  if (state.status !== before.status) {
    told.push({ type: 'statusChanged', status: state.status });
  }
  return told;
}

function apiEventsOf(state: SessionState, event: SessionEvent): AcpSessionEvent[] {
  switch (event.type) {
    case 'turn_started':
      return [{ type: 'turnStarted', turnId: event.turnId }];
    case 'message_chunk':
      return [{ type: 'messageChunk', role: event.role, messageId: event.messageId, text: textOf([event.content]), replaces: false }];
    case 'message':
      return event.content === undefined
        ? []
        : [{ type: 'messageChunk', role: event.role, messageId: event.messageId, text: textOf(event.content ?? []), replaces: true }];
    case 'tool_call_update':
      return toolCall(state, event.toolCallId);
    case 'permission_requested': {
      const { permissionId, title, options, subject } = event;
      const { toolCallId } = subject;
      return [
        {
          type: 'permissionRequested',
          permissionId,
          title,
          options: options.map(({ optionId, name, kind }) => ({ optionId, name, kind })),
          ...(toolCallId !== undefined && { toolCallId }),
        },
      ];
    }
    case 'permission_resolved': {
      const { permissionId, outcome, optionId } = event;
      return [{ type: 'permissionResolved', permissionId, outcome, ...(optionId !== undefined && { optionId }) }];
    }
    default:
      return [];
  }
}

/** Returns the tool call in its state after the update. */
function toolCall({ entries }: SessionState, toolCallId: string): AcpSessionEvent[] {
  const entry = entries.get(entryIdOf.toolCall(toolCallId));
  if (!entry || isAbsent(entry) || entry.kind !== 'tool_call') {
    return [];
  }
  const { title = '', toolKind: kind, status, locations } = entry;
  const places = locations.map(({ path, line }) => ({ path, ...(typeof line === 'number' && { line }) }));
  return [{ type: 'toolCall', toolCallId, title, kind, status: protocolStatus(status), locations: places }];
}

/** Maps one of our statuses to the protocol's status. */
function protocolStatus(status: string): string {
  return status === 'background' ? 'in_progress' : status === 'unfinished' ? 'cancelled' : status;
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
