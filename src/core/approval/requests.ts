/** Permission requests by the tool call on whose card they are shown. Pure. */
import { type Entries, entryIdOf, isAbsent, type PermissionEntry, type SessionState, type Slot, type ToolCallEntry } from '../model/state';

const NONE: readonly PermissionEntry[] = [];

/** The requests about this call, oldest first; without those whose bodies are not here. */
export function requestsOf({ requests }: Pick<ToolCallEntry, 'requests'>, entries: Entries): readonly PermissionEntry[] {
  if (!requests) {
    return NONE;
  }
  return requests.flatMap((permissionId) => {
    const slot = entries.get(entryIdOf.permission(permissionId));
    return slot?.kind === 'permission' && !isAbsent(slot) ? [slot] : [];
  });
}

/** Of them those that have no answer yet. */
export function waitingFor(call: Pick<ToolCallEntry, 'requests'>, entries: Entries): readonly PermissionEntry[] {
  return call.requests ? requestsOf(call, entries).filter(({ outcome }) => outcome === undefined) : NONE;
}

/** It is shown on its tool call's card, and not where it was asked. */
export function isOnToolCall(slot: Slot): boolean {
  return slot.kind === 'permission' && !isAbsent(slot) && slot.onToolCall === true;
}

/** The entry whose card shows this request. */
export function cardOf({ entries }: Pick<SessionState, 'entries'>, permissionId: string): string {
  const entryId = entryIdOf.permission(permissionId);
  const slot = entries.get(entryId);
  const isOn = slot?.kind === 'permission' && !isAbsent(slot) && slot.onToolCall && slot.subject.toolCallId !== undefined;
  return isOn ? entryIdOf.toolCall(slot.subject.toolCallId!) : entryId;
}
