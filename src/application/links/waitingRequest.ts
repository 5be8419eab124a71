/** The permission requests that a diff belongs to. Pure. */
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import { slotIn } from '../../core/subagents/subagentTree';

/** Returns the id of the request that waits for the user about this entry: about a tool call, or the entry itself. Undefined when none waits. */
export function waitingRequestOf(state: SessionState, entryId: string): string | undefined {
  const slot = slotIn(state, entryId);
  const toolCallId = slot && !isAbsent(slot) && slot.kind === 'tool_call' ? slot.toolCallId : undefined;
  return state.pendingPermissions.find((permissionId) => {
    const id = entryIdOf.permission(permissionId);
    const request = slotIn(state, id);
    const subject = request && !isAbsent(request) && request.kind === 'permission' ? request.subject : undefined;
    return id === entryId || (toolCallId !== undefined && subject?.toolCallId === toolCallId);
  });
}
