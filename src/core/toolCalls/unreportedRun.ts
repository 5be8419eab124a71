/**
 * Finds calls that run although their agent still reports them as pending. Some agents send nothing between the input of a call and its end when no
 * permission is needed. All agents announce a call as pending while its input is streamed, so a call counts as running after a pause. Pure.
 */
import { isBusy, isCancelling } from '../model/select';
import { isAbsent, type SessionState, type ToolCallEntry } from '../model/state';

type Conversation = Pick<SessionState, 'entries' | 'turn' | 'work' | 'pendingPermissions' | 'pendingElicitations'>;

/** ms without an update after which the input of a call is complete. Streamed inputs come more often. */
export const INPUT_PAUSE_MS = 1000;

/**
 * Returns the time of the last update of the input, from which the pause is measured. Returns 0 for a call with a terminal or an output, which runs for
 * certain. Undefined for a call that does not run, or that waits for the user.
 */
export function unreportedSince(state: Conversation, entry: ToolCallEntry): number | undefined {
  if (entry.status !== 'pending' || entry.requests || !isBusy(state) || isCancelling(state)) {
    return undefined;
  }
  if (isFilled(entry.rawOutput) || entry.content.some(({ type }) => type === 'terminal')) {
    return 0;
  }
  const isAsking = state.pendingPermissions.length + state.pendingElicitations.length > 0;
  return isAsking || !isFilled(entry.rawInput) ? undefined : inputEnd(state, entry);
}

/** True when the call runs at the time `now`, by the result of {@link unreportedSince}. */
export function isUnreportedRun(since: number | undefined, now: number): boolean {
  return since !== undefined && now - since >= INPUT_PAUSE_MS;
}

/**
 * Calls of one message may run one after the other: only the first of them, and a call after a finished one, run for certain. A later message of the
 * agent shows that it has left a call open.
 */
function inputEnd({ entries }: Conversation, entry: ToolCallEntry): number | undefined {
  let end = 0;
  let isFound = false;
  for (let index = entries.length - 1; index >= 0; index--) {
    const slot = entries.at(index);
    if (!slot || isAbsent(slot) || slot.kind === 'message') {
      break;
    }
    if (slot.kind === 'tool_call') {
      if (isFound && slot.status === 'pending') {
        return undefined;
      }
      if (isFound) {
        break;
      }
      end = slot.status === 'pending' ? Math.max(end, slot.updatedAt) : end;
      isFound = slot.toolCallId === entry.toolCallId;
    }
  }
  return isFound ? end : undefined;
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '';
}
