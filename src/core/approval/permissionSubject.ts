/** Compares a permission request's tool call with the one in the conversation. Pure; for live and for replayed sessions. */
import type { PermissionSubject, ToolContent } from '../model/content';
import type { ToolCallPatch } from '../model/event';
import { slotIn } from '../subagents/subagentTree';
import { entryIdOf, isAbsent, type SessionState, type Slot, type ToolCallEntry } from '../model/state';

/**
 * Returns the details of a tool call that only its permission request has. A call that the agent has not announced yet takes all of them. A call
 * announced with an empty input takes title and input. Any other call keeps its own.
 */
export function newsOfToolCall(
  state: SessionState,
  { toolCallId, patch }: { readonly toolCallId: string; readonly patch: ToolCallPatch },
): ToolCallPatch | undefined {
  const slot = slotOf(state, toolCallId);
  if (!slot) {
    return patch;
  }
  const { rawInput, title } = patch;
  const announced = slot.kind === 'tool_call' && !isAbsent(slot) ? slot.rawInput : undefined;
  const empty = typeof announced === 'object' && announced !== null && Object.keys(announced).length === 0;
  return empty && rawInput !== undefined && rawInput !== null ? { rawInput, ...(title && { title }) } : undefined;
}

/** Returns the tool call's title, for a request without one; empty when the call has none either. */
export function titleOfToolCall(state: SessionState, toolCallId: string | undefined): string {
  const call = toolCallIn(state, toolCallId);
  return call?.title ?? call?.name ?? '';
}

/** Returns the tool call with this id; undefined where the conversation does not hold it, or not its body. */
export function toolCallIn(state: SessionState, toolCallId: string | undefined): ToolCallEntry | undefined {
  const slot = toolCallId === undefined ? undefined : slotOf(state, toolCallId);
  return slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
}

/** Completes a request from the tool call that it names. The card does this by itself; the quick pick needs it. */
export function wholeSubject(subject: PermissionSubject, state: SessionState): PermissionSubject {
  const slot = toolCallIn(state, subject.toolCallId);
  if (!slot) {
    return subject;
  }
  const own = subject.content ?? [];
  const content = own.some(isDiff) ? own : [...own, ...slot.content.filter(isDiff)];
  const { rawInput = slot.rawInput, kind = slot.toolKind } = subject;
  return {
    ...subject,
    kind,
    ...(content.length > 0 && { content }),
    locations: subject.locations?.length ? subject.locations : slot.locations,
    ...(rawInput !== undefined && { rawInput }),
  };
}

function isDiff({ type }: ToolContent): boolean {
  return type === 'diff';
}

function slotOf(state: SessionState, toolCallId: string): Slot | undefined {
  return slotIn(state, entryIdOf.toolCall(toolCallId));
}
