/** Subagents: their announcements, their conversations, and the ends of their work. */
import { busyId, isCancelling, isRunning as isRunningSession } from '../model/select';
import type { SessionEvent, ToolCallPatch } from '../model/event';
import { applyPatch } from '../model/patch';
import { EMPTY_STATE, entryIdOf, isFinalStatus, type SessionState, withEntries } from '../model/state';
import type { OpenTool, SessionMessageEntry, SubagentEntry, SubagentWork } from '../model/subagent';
import {
  branchOf,
  indexOfSubagent,
  isRunning,
  subagentOf,
  type SubagentState,
  subagentsIn,
  MAX_SUBAGENTS,
} from '../subagents/subagentTree';
import { appendBlock, reduceMessageChunk, upsertEntry } from './messages';
import { reduceEntriesPlaced } from './placing';
import { breakOpenToolCalls, leaveOpenToolCalls, stopOpenToolCalls } from './toolCalls';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;
type Reduce = (state: SessionState, event: SessionEvent) => SessionState;

/** States in which a subagent works. */
const WORKS: ReadonlySet<string> = new Set(['running', 'requires_action']);

/** Announces or changes a subagent. Ignores one without a known parent, because its card would have no place. */
export function reduceSubagentUpdate(before: SessionState, event: EventOf<'subagent_update'>): SessionState {
  const { subagentId, parentId, patch, at } = event;
  const known = subagentOf(before, subagentId);
  const parent = parentId === undefined ? before : subagentOf(before, parentId)?.conversation;
  if (!known && (!parent || parentId === subagentId || subagentsIn(before).length >= MAX_SUBAGENTS)) {
    return before;
  }
  const state = known ? before : announced(before, event, parent!);
  const old = known ?? newSubagent(event, parent!, busyId(before));
  const { work, ...fields } = patch;
  const patched = applyPatch<SubagentState>(old, fields);
  // An agent that is closing no longer knows the states of its subagents, but their ends were reported.
  const isForgotten = work?.state === 'unknown' && !isRunningSession(before);
  const child = work === undefined || isForgotten ? patched : withWork(patched, work ?? undefined, at);
  const next = withSubagent(state, child);
  return patch.toolCallId === undefined || patch.toolCallId === null
    ? next
    : inConversation(next, child.parentId, (conversation) => placedBehind(conversation, patch.toolCallId!, [subagentId]));
}

/** Applies one event to a subagent's conversation. */
export function reduceSubagentEvent(state: SessionState, event: EventOf<'subagent_event'>, reduce: Reduce): SessionState {
  const children = subagentsIn(state);
  const index = indexOfSubagent(children, event.subagentId);
  const child = children[index];
  if (!child) {
    return state;
  }
  // Text is the most frequent event by far. A subagent's conversation has neither turns nor subagents of its own, which `reduce` would follow.
  if (event.event.type === 'message_chunk') {
    const after = reduceMessageChunk(child.conversation, event.event as EventOf<'message_chunk'>, event.at);
    return after === child.conversation ? state : withSubagentAt(state, index, withConversation(child, after));
  }
  const inner = { ...event.event, at: event.at } as SessionEvent;
  const reduced = reduce(child.conversation, inner);
  const conversation = inner.type === 'tool_call_update' ? placedByLinks(reduced, inner.toolCallId, inner.patch) : reduced;
  const openTools =
    inner.type === 'tool_call_update' || inner.type === 'tool_call_content_chunk'
      ? openToolsAfter(child, conversation, inner.toolCallId, inner.type === 'tool_call_update' ? inner.patch : {})
      : child.openTools;
  if (conversation === child.conversation && openTools === child.openTools) {
    return state;
  }
  const next = withSubagent(state, { ...child, conversation, openTools });
  return inner.type === 'tool_call_update' ? endImplied(next, inner.toolCallId, inner.patch, event.at) : next;
}

/** Literals are several times faster than spreads. */
function withConversation(child: SubagentState, conversation: SessionState): SubagentState {
  const next: { [K in keyof Required<SubagentState>]: SubagentState[K] } = {
    subagentId: child.subagentId,
    parentId: child.parentId,
    title: child.title,
    description: child.description,
    work: child.work,
    canCancel: child.canCancel,
    cwd: child.cwd,
    additionalDirectories: child.additionalDirectories,
    toolCallId: child.toolCallId,
    isImplied: child.isImplied,
    at: child.at,
    startedIn: child.startedIn,
    runsSince: child.runsSince,
    worked: child.worked,
    isStopping: child.isStopping,
    openTools: child.openTools,
    conversation,
  };
  return next;
}

/** Returns the state with these entries in a subagent's conversation, of which some are swapped out. */
export function withSubagentEntries(state: SessionState, subagentId: string, entries: SessionState['entries']): SessionState {
  const child = subagentOf(state, subagentId);
  return !child || child.conversation.entries === entries
    ? state
    : withSubagent(state, withConversation(child, withEntries(child.conversation, entries)));
}

/** Cancels the open tool calls of the subagent and its descendants at once. */
export function reduceSubagentCancelling(state: SessionState, { subagentId, at }: EventOf<'subagent_cancelling'>): SessionState {
  return subagentOf(state, subagentId) ? changed(state, inBranch(state, subagentId), (child) => stopping(child, at)) : state;
}

/** Applies an event of the session to its subagents, and to the position of their cards. */
export function followSession(state: SessionState, event: SessionEvent): SessionState {
  if (!state.subagents || event.type === 'subagent_event') {
    return state;
  }
  switch (event.type) {
    case 'tool_call_update':
      return endImplied(placedByLinks(state, event.toolCallId, event.patch), event.toolCallId, event.patch, event.at);
    case 'turn_cancelling':
      return changed(
        state,
        (child) => child.isImplied === true && isRunning(child),
        (child) => stopping(child, event.at),
      );
    case 'turn_ended':
      return changed(
        state,
        (child) => child.isImplied === true && isRunning(child),
        (child) => withWork(child, { state: 'idle', stopReason: event.stopReason }, event.at),
      );
    // Before the agent reports again, neither the states nor the rights are current.
    case 'disconnected':
    case 'session_failed':
    case 'session_ended':
    case 'session_ready':
      return changed(
        state,
        (child) => isRunning(child) || child.canCancel === true,
        ({ canCancel: _, ...child }) => (isRunning(child) ? withWork(child, { state: 'unknown' }, event.at) : child),
      );
    default:
      return state;
  }
}

export function reduceSessionMessage(state: SessionState, event: EventOf<'session_message'>): SessionState {
  const { senderId, recipientId, content } = event;
  return upsertEntry<SessionMessageEntry>(state, entryIdOf.sessionMessage(event.messageId), (old) =>
    applyPatch<SessionMessageEntry>(old ?? newMessage(event), {
      senderId,
      recipientId,
      content: content === null ? [] : content,
    }),
  );
}

export function reduceSessionMessageChunk(state: SessionState, event: EventOf<'session_message_chunk'>): SessionState {
  return upsertEntry<SessionMessageEntry>(state, entryIdOf.sessionMessage(event.messageId), (old) => {
    const message = old ?? newMessage(event);
    return { ...message, content: appendBlock(message.content, event.content) };
  });
}

function newMessage({ messageId, at }: { readonly messageId: string; readonly at: number }): SessionMessageEntry {
  return { kind: 'session_message', entryId: entryIdOf.sessionMessage(messageId), at, messageId, content: [] };
}

/** Adds the card of a new subagent to its parent's conversation. */
function announced(state: SessionState, { subagentId, parentId, at }: EventOf<'subagent_update'>, parent: SessionState): SessionState {
  const entryId = entryIdOf.subagent(subagentId);
  const entry: SubagentEntry = { kind: 'subagent', entryId, at, subagentId };
  return parent.entries.indexOf(entryId) >= 0
    ? state
    : inConversation(state, parentId, (conversation) => withEntries(conversation, conversation.entries.append(entry)));
}

function newSubagent(
  { subagentId, parentId, isImplied, at }: EventOf<'subagent_update'>,
  parent: SessionState,
  startedIn: string | undefined,
): SubagentState {
  const { agentName, cwd, additionalDirectories } = parent;
  return {
    subagentId,
    ...(parentId !== undefined && { parentId }),
    ...(isImplied && { isImplied }),
    at,
    ...(startedIn !== undefined && { startedIn }),
    worked: 0,
    openTools: [],
    conversation: { ...EMPTY_STATE, status: 'ready', agentName, cwd, additionalDirectories },
  };
}

/** The time of the work is counted here. The open tool calls end with it. */
function withWork(child: SubagentState, work: SubagentWork | undefined, at: number): SubagentState {
  const { work: _, runsSince, isStopping, ...rest } = child;
  const reported = work && { work };
  if (work && WORKS.has(work.state)) {
    return runsSince === undefined
      ? { ...rest, ...reported, runsSince: at, conversation: working(child.conversation, at) }
      : { ...rest, ...reported, runsSince, ...(isStopping && { isStopping }) };
  }
  if (runsSince === undefined) {
    return { ...rest, ...reported };
  }
  const { conversation } = child;
  const settle =
    work?.stopReason === 'cancelled'
      ? stopOpenToolCalls
      : work?.stopReason === 'error' || work?.state === 'unknown'
        ? breakOpenToolCalls
        : leaveOpenToolCalls;
  return {
    ...rest,
    ...reported,
    worked: child.worked + Math.max(0, at - runsSince),
    openTools: [],
    conversation: settle({ ...conversation, work: undefined }, at),
  };
}

/** Returns the conversation of an agent at work. Its text continues any earlier message. */
function working(conversation: SessionState, at: number): SessionState {
  return { ...conversation, work: { workId: 'subagent', startedAt: at, from: 0 } };
}

function stopping(child: SubagentState, at: number): SubagentState {
  const { conversation } = child;
  if (!conversation.work || isCancelling(conversation)) {
    return child;
  }
  const stopped = stopOpenToolCalls({ ...conversation, work: { ...conversation.work, cancelling: true } }, at);
  return { ...child, isStopping: true, openTools: [], conversation: stopped };
}

function inBranch(state: SessionState, subagentId: string): (child: SubagentState) => boolean {
  const branch = branchOf(state, subagentId);
  return (child) => branch.has(child.subagentId) && isRunning(child);
}

/** Ends the work of an unannounced subagent with the tool call that started it. */
function endImplied(state: SessionState, toolCallId: string, { status }: ToolCallPatch, at: number): SessionState {
  if (typeof status !== 'string' || !isFinalStatus(status)) {
    return state;
  }
  const stopReason = status === 'completed' ? 'end_turn' : status === 'failed' ? 'error' : 'cancelled';
  return changed(
    state,
    (child) => child.isImplied === true && child.toolCallId === toolCallId && isRunning(child),
    (child) => withWork(child, { state: 'idle', stopReason }, at),
  );
}

/** Returns the open tool calls after an update of one of them. Reads no entry, because a view may not have its body. */
function openToolsAfter(
  { openTools, conversation: before }: SubagentState,
  { openToolCalls }: SessionState,
  toolCallId: string,
  { title, name }: ToolCallPatch,
): readonly OpenTool[] {
  const known = openTools.find((tool) => tool.toolCallId === toolCallId);
  const given = title ?? (known?.title ? undefined : name);
  if (openToolCalls === before.openToolCalls && (given === undefined || given === known?.title)) {
    return openTools;
  }
  return openToolCalls.map((id) => {
    const tool = openTools.find((each) => each.toolCallId === id);
    return id === toolCallId ? { toolCallId: id, title: given ?? tool?.title ?? '' } : (tool ?? { toolCallId: id, title: '' });
  });
}

/** Moves the cards of subagents behind the tool call that refers to them. */
function placedByLinks(conversation: SessionState, toolCallId: string, { content }: ToolCallPatch): SessionState {
  const linked = content?.flatMap((part) => (part.type === 'session' ? [part.sessionId] : [])) ?? [];
  return linked.length === 0 ? conversation : placedBehind(conversation, toolCallId, linked);
}

/** Moves cards behind a tool call and the cards that follow it already. */
function placedBehind(conversation: SessionState, toolCallId: string, subagentIds: readonly string[]): SessionState {
  const { entries } = conversation;
  const call = entries.indexOf(entryIdOf.toolCall(toolCallId));
  if (call < 0) {
    return conversation;
  }
  let end = call + 1;
  while (entries.headAt(end)?.kind === 'subagent') {
    end++;
  }
  const isElsewhere = (entryId: string): boolean => {
    const index = entries.indexOf(entryId);
    return index >= 0 && (index < call || index >= end);
  };
  const entryIds = subagentIds.map((subagentId) => entryIdOf.subagent(subagentId)).filter(isElsewhere);
  const before = entries.headAt(end)?.entryId;
  return entryIds.length === 0
    ? conversation
    : reduceEntriesPlaced(conversation, {
        type: 'entries_placed',
        at: 0,
        moves: [{ entryIds, ...(before !== undefined && { before }) }],
      });
}

/** Changes the conversation of the session, or of a subagent. */
function inConversation(
  state: SessionState,
  subagentId: string | undefined,
  change: (conversation: SessionState) => SessionState,
): SessionState {
  if (subagentId === undefined) {
    return change(state);
  }
  const child = subagentOf(state, subagentId);
  const conversation = child && change(child.conversation);
  return !conversation || conversation === child.conversation ? state : withSubagent(state, { ...child, conversation });
}

function changed(
  state: SessionState,
  isMeant: (child: SubagentState) => boolean,
  change: (child: SubagentState) => SubagentState,
): SessionState {
  const before = subagentsIn(state);
  return before.some(isMeant) ? { ...state, subagents: before.map((child) => (isMeant(child) ? change(child) : child)) } : state;
}

function withSubagent(state: SessionState, child: SubagentState): SessionState {
  return withSubagentAt(state, indexOfSubagent(subagentsIn(state), child.subagentId), child);
}

/** The most frequent event of a subagent is text, so the state is copied as a literal. @param index -1 for a new one */
function withSubagentAt(state: SessionState, index: number, child: SubagentState): SessionState {
  const next = withEntries(state, state.entries) as { -readonly [K in keyof SessionState]: SessionState[K] };
  const before = subagentsIn(state);
  next.subagents = index < 0 ? [...before, child] : before.with(index, child);
  return next;
}
