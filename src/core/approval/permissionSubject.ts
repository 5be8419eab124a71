/** What a permission request says of its tool call, against what the conversation knows of it. Pure; for live sessions and for replayed ones. */
import type { ToolCallPatch } from '../model/event';
import { entryIdOf, isAbsent, type SessionState, type Slot, type ToolCallEntry } from '../model/state';

/**
 * What a request tells about its tool call that no update did: all of it when the agent asks before it announces the call, as several do; title and
 * input when the call was announced with an empty input. Any other call keeps its own.
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

/** A request without a title speaks with its tool call's; empty when that has none. */
export function titleOfToolCall(state: SessionState, toolCallId: string | undefined): string {
  const call = toolCallIn(state, toolCallId);
  return call?.title ?? call?.name ?? '';
}

/** Returns the tool call with this id; undefined where the conversation does not hold it, or not its body. */
export function toolCallIn(state: SessionState, toolCallId: string | undefined): ToolCallEntry | undefined {
  const slot = toolCallId === undefined ? undefined : slotOf(state, toolCallId);
  return slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
}

function slotOf(state: SessionState, toolCallId: string): Slot | undefined {
  return state.entries.get(entryIdOf.toolCall(toolCallId));
}
