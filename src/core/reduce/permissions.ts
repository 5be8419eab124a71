/** Permission requests, shown at their position and answered once. */
import { answeringRuleIn } from '../model/answeringRule';
import type { PermissionAdvised, PermissionOutdated, PermissionRequested, PermissionResolved } from '../model/event';
import { upsertEntry } from './messages';
import { countWaiting, watchWaiting } from './userWaitTime';
import { entryIdOf, type PermissionEntry, type SessionState, type ToolCallEntry } from '../model/state';

export function reducePermissionRequested(state: SessionState, event: PermissionRequested): SessionState {
  const entryId = entryIdOf.permission(event.permissionId);
  if (state.entries.get(entryId)) {
    return state;
  }
  const { toolCallId } = event.subject;
  const callId = toolCallId === undefined ? undefined : entryIdOf.toolCall(toolCallId);
  const onToolCall = callId !== undefined && state.entries.get(callId) !== undefined;
  const next = upsertEntry<PermissionEntry>(countWaiting(state, event.at), entryId, () => ({
    kind: 'permission',
    entryId,
    at: event.at,
    permissionId: event.permissionId,
    title: event.title,
    ...(event.description !== undefined && { description: event.description }),
    ...(event.askedBy !== undefined && { askedBy: event.askedBy }),
    ...(event.subagentId !== undefined && { subagentId: event.subagentId }),
    options: event.options,
    ...(event.defaultToNo && { defaultToNo: true }),
    subject: event.subject,
    ...(onToolCall && { onToolCall }),
  }));
  const named = onToolCall
    ? upsertEntry<ToolCallEntry>(next, callId, (call) => ({ ...call!, requests: [...(call!.requests ?? []), event.permissionId] }))
    : next;
  return watchWaiting({ ...named, pendingPermissions: [...state.pendingPermissions, event.permissionId] }, event.at);
}

/** An answered request keeps the advice that the user saw. */
export function reducePermissionAdvised(state: SessionState, { permissionId, advice }: PermissionAdvised): SessionState {
  return state.pendingPermissions.includes(permissionId)
    ? upsertEntry<PermissionEntry>(state, entryIdOf.permission(permissionId), (old) => ({
        ...old!,
        subject: { ...old!.subject, advice },
      }))
    : state;
}

/** An answered request keeps the files that had changed until then. */
export function reducePermissionOutdated(state: SessionState, { permissionId, paths }: PermissionOutdated): SessionState {
  return state.pendingPermissions.includes(permissionId)
    ? upsertEntry<PermissionEntry>(state, entryIdOf.permission(permissionId), (old) => ({ ...old!, outdated: paths }))
    : state;
}

/** Only the first answer counts. */
export function reducePermissionResolved(
  state: SessionState,
  {
    permissionId,
    outcome: type,
    optionId,
    byRule,
    at,
  }: Pick<PermissionResolved, 'permissionId' | 'outcome' | 'optionId' | 'byRule' | 'at'>,
): SessionState {
  if (!state.pendingPermissions.includes(permissionId)) {
    return state;
  }
  // The journal's reader accepts an event whose rule is not valid. Only the rule is left out then.
  const rule = answeringRuleIn(byRule);
  const next = upsertEntry<PermissionEntry>(countWaiting(state, at), entryIdOf.permission(permissionId), (old) => ({
    ...old!,
    outcome: { type, at, ...(optionId !== undefined && { optionId }), ...(rule && { byRule: rule }) },
  }));
  return watchWaiting({ ...next, pendingPermissions: state.pendingPermissions.filter((other) => other !== permissionId) }, at);
}
