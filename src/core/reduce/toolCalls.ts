/** Tool calls: upserts, and the rule that no call stays in progress after its turn. */
import type { ToolCallContentChunk, ToolCallPatch, ToolCallUpdate } from '../model/event';
import { markTerminalOfCall } from './backgroundTasks';
import { upsertEntry } from './messages';
import { countWaiting } from './userWaitTime';
import { isCancelling } from '../model/select';
import { entryIdOf, isAbsent, isFinalStatus, type SessionState, type ToolCallEntry } from '../model/state';

/** The status of a call that the user has marked as ended, or whose agent was lost. It has no end, but is not open. */
const UNFINISHED = 'unfinished';

export function reduceToolCall(state: SessionState, event: ToolCallUpdate): SessionState {
  const { toolCallId, at } = event;
  const entryId = entryIdOf.toolCall(toolCallId);
  const isNew = !state.entries.get(entryId);
  const wasStopped = state.stoppedToolCalls.includes(toolCallId);
  const isStopping = isCancelling(state) && !inBackground(state).has(toolCallId);
  const settledPatch = wasStopped ? withoutOpening(event.patch) : settlePatch(event.patch, isNew, isStopping);
  const patch = wasStopped || (isNew && isStopping) ? withoutFailure(settledPatch) : settledPatch;
  // Counts the time that the call waited for the user before its status changes.
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
    // A late update does not prolong a stopped call.
    return patchToolCall(base, patch, wasStopped && patch.status === undefined ? base.updatedAt : at);
  });
  const status = patch.status ?? (isNew || patch.status === null ? 'pending' : undefined);
  const settled = isNew && isStopping && status === 'cancelled' ? withStopped(next, [toolCallId]) : next;
  return status === undefined
    ? settled
    : markTerminalOfCall(withOpen(settled, toolCallId, !isFinalStatus(status) && status !== UNFINISHED), toolCallId, status);
}

export function reduceToolCallChunk(state: SessionState, event: ToolCallContentChunk): SessionState {
  const slot = state.entries.get(entryIdOf.toolCall(event.toolCallId));
  if (slot && isAbsent(slot)) {
    return state;
  }
  const content = slot?.kind === 'tool_call' ? [...slot.content, event.content] : [event.content];
  return reduceToolCall(state, { type: 'tool_call_update', at: event.at, toolCallId: event.toolCallId, patch: { content } });
}

/** Between the user's Stop and the end of the turn, only final statuses count. Every other one becomes cancelled (page "Cancellation"). */
function settlePatch(patch: ToolCallPatch, isNew: boolean, cancelling: boolean): ToolCallPatch {
  if (!cancelling) {
    return patch;
  }
  const open = patch.status === undefined ? isNew : opens(patch);
  return open ? { ...patch, status: 'cancelled' } : patch;
}

/** Returns the update of a call that Stop has cancelled, without a status that would reopen the call. A final status still counts. */
function withoutOpening(patch: ToolCallPatch): ToolCallPatch {
  const { status: _, ...rest } = patch;
  return opens(patch) ? rest : patch;
}

/** Returns the update of a call that Stop has ended, whose failure is the stop itself. */
function withoutFailure(patch: ToolCallPatch): ToolCallPatch {
  return patch.status === 'failed' ? { ...patch, status: 'cancelled' } : patch;
}

function opens({ status }: ToolCallPatch): boolean {
  return status !== undefined && (status === null || !isFinalStatus(status));
}

function patchToolCall(base: ToolCallEntry, patch: ToolCallPatch, at: number): ToolCallEntry {
  const entry = { ...base, updatedAt: at } as { -readonly [K in keyof ToolCallEntry]: ToolCallEntry[K] };
  for (const key of ['title', 'name', 'rawInput', 'rawOutput', 'canCancel'] as const) {
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

/**
 * Cancels the open tool calls, because Stop was pressed. No later update opens them again. Calls that the agent runs in the background continue:
 * Stop ends the turn alone.
 */
export function stopOpenToolCalls(state: SessionState, at: number): SessionState {
  const background = inBackground(state);
  const stopped = state.openToolCalls.filter((toolCallId) => !background.has(toolCallId));
  return withStopped(closeToolCalls(state, stopped, at, 'cancelled'), stopped);
}

const NONE: ReadonlySet<string> = new Set();

function inBackground({ background }: SessionState): ReadonlySet<string> {
  return background ? new Set(background.flatMap(({ toolCallId }) => toolCallId ?? [])) : NONE;
}

/** Moves every open tool call to the background: the turn is over, and the agent has not reported how the call ended. */
export function leaveOpenToolCalls(state: SessionState, at: number): SessionState {
  return closeToolCalls(state, state.openToolCalls, at, 'background');
}

/** Marks every open tool call as unfinished: its turn failed, or the agent was lost. */
export function breakOpenToolCalls(state: SessionState, at: number): SessionState {
  return closeToolCalls(state, state.openToolCalls, at, 'unfinished');
}

/** Opens the calls in the background again, so that they end with those of the turn: the agent that ran them is gone. */
export function reopenBackgroundCalls(state: SessionState): SessionState {
  const calls = [
    ...inBackground(state),
    ...Object.values(state.terminals).flatMap(({ background, terminalId }) => (background ? terminalId : [])),
  ];
  const isLeft = (id: string): boolean =>
    (state.entries.get(entryIdOf.toolCall(id)) as Partial<ToolCallEntry> | undefined)?.status === 'background';
  return { ...state, openToolCalls: [...state.openToolCalls, ...calls.filter(isLeft)] };
}

/** The most stopped calls that are remembered. Late updates come soon. */
const MAX_STOPPED = 200;

function withStopped(state: SessionState, toolCallIds: readonly string[]): SessionState {
  return toolCallIds.length === 0 ? state : { ...state, stoppedToolCalls: [...state.stoppedToolCalls, ...toolCallIds].slice(-MAX_STOPPED) };
}

function closeToolCalls(
  before: SessionState,
  toolCallIds: readonly string[],
  at: number,
  status: 'cancelled' | 'background' | 'unfinished',
): SessionState {
  if (toolCallIds.length === 0) {
    return before;
  }
  const state = countWaiting(before, at);
  let entries = state.entries;
  for (const toolCallId of toolCallIds) {
    const slot = entries.get(entryIdOf.toolCall(toolCallId));
    if (slot?.kind === 'tool_call' && !isAbsent(slot)) {
      entries = entries.replace({ ...slot, status, updatedAt: at });
    }
  }
  return { ...state, entries, openToolCalls: state.openToolCalls.filter((toolCallId) => !toolCallIds.includes(toolCallId)) };
}
