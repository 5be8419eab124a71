/** Tool calls: upserts, and the rule that nothing stays in progress after its turn. */
import type { ToolCallContentChunk, ToolCallPatch, ToolCallUpdate } from '../model/event';
import { upsertEntry } from './messages';
import { countWaiting } from './waiting';
import { entryIdOf, isAbsent, isFinalStatus, type SessionState, type ToolCallEntry } from '../model/state';

export function reduceToolCall(state: SessionState, event: ToolCallUpdate): SessionState {
  const { toolCallId, at } = event;
  const entryId = entryIdOf.toolCall(toolCallId);
  const isNew = !state.entries.get(entryId);
  const patch = settlePatch(event.patch, isNew, state.turn?.cancelling ?? false);
  // What it waits for the user counts as long as it is open, by the status it had meanwhile.
  const counted = patch.status === undefined ? state : countWaiting(state, at);
  const next = upsertEntry<ToolCallEntry>(counted, entryId, (old) => {
    const base: ToolCallEntry = old ?? {
      kind: 'tool_call',
      entryId,
      at,
      updatedAt: at,
      toolCallId,
      toolKind: 'other',
      status: 'pending',
      content: [],
      locations: [],
    };
    return patchToolCall(base, patch, at);
  });
  const status = patch.status ?? (isNew || patch.status === null ? 'pending' : undefined);
  return status === undefined ? next : withOpen(next, toolCallId, !isFinalStatus(status));
}

export function reduceToolCallChunk(state: SessionState, event: ToolCallContentChunk): SessionState {
  const slot = state.entries.get(entryIdOf.toolCall(event.toolCallId));
  if (slot && isAbsent(slot)) {
    return state;
  }
  const content = slot?.kind === 'tool_call' ? [...slot.content, event.content] : [event.content];
  return reduceToolCall(state, { type: 'tool_call_update', at: event.at, toolCallId: event.toolCallId, patch: { content } });
}

/** Between the user's Stop and the agent's last word, only final statuses count; the rest is cancelled (page "Cancellation"). */
function settlePatch(patch: ToolCallPatch, isNew: boolean, cancelling: boolean): ToolCallPatch {
  if (!cancelling) {
    return patch;
  }
  const open = patch.status === undefined ? isNew : patch.status === null || !isFinalStatus(patch.status);
  return open ? { ...patch, status: 'cancelled' } : patch;
}

function patchToolCall(base: ToolCallEntry, patch: ToolCallPatch, at: number): ToolCallEntry {
  const entry = { ...base, updatedAt: at } as { -readonly [K in keyof ToolCallEntry]: ToolCallEntry[K] };
  for (const key of ['title', 'name', 'rawInput', 'rawOutput'] as const) {
    const value = patch[key];
    if (value === null) {
      delete entry[key];
    } else if (value !== undefined) {
      (entry as Record<string, unknown>)[key] = value;
    }
  }
  if (patch.kind !== undefined) {
    entry.toolKind = patch.kind ?? 'other';
  }
  if (patch.status !== undefined) {
    entry.status = patch.status ?? 'pending';
  }
  if (patch.content !== undefined) {
    entry.content = patch.content ?? [];
  }
  if (patch.locations !== undefined) {
    entry.locations = patch.locations ?? [];
  }
  return entry;
}

function withOpen(state: SessionState, toolCallId: string, open: boolean): SessionState {
  const listed = state.openToolCalls.includes(toolCallId);
  if (open === listed) {
    return state;
  }
  return {
    ...state,
    openToolCalls: open ? [...state.openToolCalls, toolCallId] : state.openToolCalls.filter((other) => other !== toolCallId),
  };
}

/** Every tool call without a final status becomes cancelled. */
export function cancelOpenToolCalls(before: SessionState, at: number): SessionState {
  const state = before.openToolCalls.length === 0 ? before : countWaiting(before, at);
  let entries = state.entries;
  for (const toolCallId of state.openToolCalls) {
    const slot = entries.get(entryIdOf.toolCall(toolCallId));
    if (slot?.kind === 'tool_call' && !isAbsent(slot)) {
      entries = entries.replace({ ...slot, status: 'cancelled', updatedAt: at });
    }
  }
  return state.openToolCalls.length === 0 ? state : { ...state, entries, openToolCalls: [] };
}
