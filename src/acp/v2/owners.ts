/** The agent's ids of the tool calls and terminals that can be stopped. */
import type { EventInput } from '../../core/model/event';
import { subagentsId } from '../../core/subagents/innerEvents';
import type { Owners } from './methods';

/** Calls and terminals that are remembered. */
const MAX_OWNED = 1000;

export class OwnedWork implements Owners {
  private readonly calls = new Map<string, { readonly sessionId: string; readonly toolCallId: string }>();
  private readonly terminals = new Map<string, string>();

  /** Reads the events of the session, or the subagent, with this id. The ids of `events` are those of the agent. */
  note(sessionId: string, events: readonly EventInput[], isSubagent: boolean): void {
    for (const event of events) {
      if (event.type === 'tool_call_update' && event.patch.canCancel) {
        const { toolCallId } = event;
        remember(this.calls, isSubagent ? subagentsId(sessionId, toolCallId) : toolCallId, { sessionId, toolCallId });
      } else if (event.type === 'terminal_update' && event.canCancel) {
        remember(this.terminals, event.terminalId, sessionId);
      }
    }
  }

  toolCall(toolCallId: string): { readonly sessionId: string; readonly toolCallId: string } | undefined {
    return this.calls.get(toolCallId);
  }

  terminal(terminalId: string): string | undefined {
    return this.terminals.get(terminalId);
  }
}

/** Sets `value`, and forgets the oldest one when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_OWNED && !map.has(key)) {
    map.delete(map.keys().next().value!);
  }
  map.set(key, value);
}
