/** Permission requests by the tool call on whose card they are shown. Pure. */
import type { PermissionSubject } from '../model/content';
import { type Entries, entryIdOf, isAbsent, type PermissionEntry, type SessionState, type Slot, type ToolCallEntry } from '../model/state';

const NONE: readonly PermissionEntry[] = [];

/** Returns the requests about this call, oldest first, without those whose bodies are not loaded. */
export function requestsOf({ requests }: Pick<ToolCallEntry, 'requests'>, entries: Entries): readonly PermissionEntry[] {
  if (!requests) {
    return NONE;
  }
  return requests.flatMap((permissionId) => {
    const slot = entries.get(entryIdOf.permission(permissionId));
    return slot?.kind === 'permission' && !isAbsent(slot) ? [slot] : [];
  });
}

/** Returns the requests about this call that have no answer yet. */
export function waitingFor(call: Pick<ToolCallEntry, 'requests'>, entries: Entries): readonly PermissionEntry[] {
  return call.requests ? requestsOf(call, entries).filter(({ outcome }) => outcome === undefined) : NONE;
}

/** True for a question of ACP Host itself. The agent's own request may have a reason, too: it repeats. */
export function isHostQuestion({ reason }: Pick<PermissionSubject, 'reason'>): boolean {
  return reason !== undefined && !(reason.type === 'repetition' && reason.kind === undefined);
}

/** True for a request that is shown on its tool call's card, and not at its own position in the conversation. */
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

/** True for a question that the agent took back because the user answered it in another client. The answer is not known here. */
function isAnsweredElsewhere({
  outcome,
  from,
}: {
  readonly outcome?: { readonly type: string } | undefined;
  readonly from?: string | undefined;
}): boolean {
  return outcome?.type === 'withdrawn' && from !== undefined;
}

/** Returns the outcome for display: `elsewhere` for a question that the user answered in another client. */
export function shownOutcome<Type extends string>(entry: {
  readonly outcome?: { readonly type: Type };
  readonly from?: string;
}): Type | 'elsewhere' | undefined {
  return isAnsweredElsewhere(entry) ? 'elsewhere' : entry.outcome?.type;
}

/** Statuses of a call that the user rejected: the agent gives the first ones, and we give the others to a call that the agent left open. */
const NOT_MADE: ReadonlySet<string> = new Set(['failed', 'cancelled', 'pending', 'background', 'unfinished']);

/**
 * Returns how the newest request about a call ended the call, whatever status the agent gives it. Undefined for a call that was allowed, that runs,
 * or that the agent reports as made.
 */
export function refusalOf(
  { status }: Pick<ToolCallEntry, 'status'>,
  requests: readonly PermissionEntry[],
): 'rejected' | 'cancelled' | undefined {
  const { outcome, options, from } = requests.at(-1) ?? {};
  if (!outcome || !NOT_MADE.has(status) || isAnsweredElsewhere({ outcome, from })) {
    return undefined;
  }
  if (outcome.type !== 'selected') {
    // An agent that takes its request back may go on without it, and fail.
    return outcome.type === 'withdrawn' && status === 'failed' ? undefined : 'cancelled';
  }
  const kind = options?.find(({ optionId }) => optionId === outcome.optionId)?.kind;
  return kind === 'reject_once' || kind === 'reject_always' ? 'rejected' : undefined;
}

/**
 * Returns the status of a call for display. A call that was allowed runs: many agents report nothing between the user's answer and its end.
 */
export function statusOf({ status }: Pick<ToolCallEntry, 'status'>, requests: readonly PermissionEntry[]): string {
  const { outcome, options } = requests.at(-1) ?? {};
  if (status !== 'pending' || outcome?.type !== 'selected' || requests.some((request) => !request.outcome)) {
    return status;
  }
  const kind = options?.find(({ optionId }) => optionId === outcome.optionId)?.kind;
  return kind === 'allow_once' || kind === 'allow_always' ? 'in_progress' : status;
}

/** True for a command that has not run, so that no text of its call is output. */
export function isBeforeRun(call: Pick<ToolCallEntry, 'status' | 'toolKind'>, requests: readonly PermissionEntry[]): boolean {
  return call.toolKind === 'execute' && statusOf(call, requests) === 'pending';
}
