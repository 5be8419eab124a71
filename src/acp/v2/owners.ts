/** The agent's ids of the tool calls and terminals of subagents that can be stopped. */
import type { EventInput } from '../../core/model/event';
import { subagentsId } from '../../core/subagents/innerEvents';
import type { SessionTarget } from '../dialect';
import type { Owners } from './methods';

/** Calls and terminals that are remembered. */
const MAX_OWNED = 1000;

export class OwnedWork implements Owners {
  private readonly calls = new Map<string, { readonly sessionId: string; readonly toolCallId: string }>();
  private readonly terminals = new Map<string, string>();

  /** Reads the events of a session, or of its subagent. The ids of `events` are those of the agent, which are unique in one session only. */
  note({ sessionId, child }: SessionTarget, events: readonly EventInput[]): void {
    for (const event of events) {
      if (event.type === 'tool_call_update' && event.patch.canCancel && child !== undefined) {
        const { toolCallId } = event;
        remember(this.calls, keyOf(sessionId, subagentsId(child, toolCallId)), { sessionId: child, toolCallId });
      } else if (event.type === 'terminal_update' && event.canCancel) {
        remember(this.terminals, keyOf(sessionId, event.terminalId), child ?? sessionId);
      }
    }
  }

  toolCall(sessionId: string, toolCallId: string): { readonly sessionId: string; readonly toolCallId: string } {
    return this.calls.get(keyOf(sessionId, toolCallId)) ?? { sessionId, toolCallId };
  }

  terminal(sessionId: string, terminalId: string): string {
    return this.terminals.get(keyOf(sessionId, terminalId)) ?? sessionId;
  }
}

function keyOf(sessionId: string, id: string): string {
  return JSON.stringify([sessionId, id]);
}

/** Sets `value`, and forgets the oldest one when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_OWNED && !map.has(key)) {
    map.delete(map.keys().next().value!);
  }
  map.set(key, value);
}
