/** Many questions at once: when they become one list. Not beside the answers, because the page loads those late. Pure. */
import { entryIdOf, isAbsent, type PermissionEntry, type SessionState } from '../model/state';

/** Questions within {@link FLOOD_MS} that make a list. The children of a session ask in its conversation, so they count, too. */
export const FLOOD_COUNT = 10;
/** ms */
const FLOOD_MS = 60_000;
/** The newest entries that are searched for questions of the last minute. */
const MAX_ENTRIES = 400;

type Asked = Pick<SessionState, 'entries' | 'pendingPermissions'>;

const NONE: readonly PermissionEntry[] = [];

/** Returns the questions that wait, oldest first, when ten or more were asked within a minute. Otherwise none. */
export function floodOf(state: Asked): readonly PermissionEntry[] {
  if (state.pendingPermissions.length < 2) {
    return NONE;
  }
  const waiting = waitingIn(state);
  return waiting.length >= FLOOD_COUNT || (waiting.length > 1 && askedBefore(state, waiting.at(-1)!.at) >= FLOOD_COUNT) ? waiting : NONE;
}

function waitingIn({ entries, pendingPermissions }: Asked): readonly PermissionEntry[] {
  return pendingPermissions.flatMap((permissionId) => {
    const slot = entries.get(entryIdOf.permission(permissionId));
    return slot?.kind === 'permission' && !isAbsent(slot) && !slot.outcome ? [slot] : [];
  });
}

/** Returns the number of questions in the minute that ends at `at`. An automatic answer is no question. */
function askedBefore({ entries }: Asked, at: number): number {
  return entries
    .slice(-MAX_ENTRIES)
    .filter((slot) => slot.kind === 'permission' && !isAbsent(slot) && slot.at > at - FLOOD_MS && !slot.outcome?.byRule).length;
}
