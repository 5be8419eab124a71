/** The user's mark that a tool call has ended whose end the agent has not reported. Loaded late. */
import { isLeftOpen } from '../background/leftOpen';
import type { EventInput } from '../model/event';
import { entryIdOf, isAbsent, type SessionState } from '../model/state';
import { inSubagent } from '../subagents/innerEvents';
import { slotIn, subagentsIn } from '../subagents/subagentTree';

/** Returns the events that mark a call as ended by the user. A later report of the agent about the call counts again. */
export function markEnded(state: SessionState, toolCallId: string): EventInput[] {
  const entryId = entryIdOf.toolCall(toolCallId);
  const slot = slotIn(state, entryId);
  const status = slot?.kind === 'tool_call' && !isAbsent(slot) ? slot.status : undefined;
  if (!isLeftOpen({ ...state, backgroundTasks: state.backgroundTasks ?? [] }, toolCallId, status)) {
    return [];
  }
  const child = subagentsIn(state).find(({ conversation }) => conversation.entries.indexOf(entryId) >= 0);
  const ended: EventInput = { type: 'tool_call_update', toolCallId, patch: { status: 'unfinished' } };
  return [
    ...(status === 'background' ? [inSubagent(state, child?.subagentId, ended)] : []),
    ...(Object.hasOwn(state.terminals, toolCallId) ? [{ type: 'terminal_update' as const, terminalId: toolCallId, released: true }] : []),
  ];
}
