/** Messages, thoughts, notices, compactions and unknown updates. */
import { isForAgent } from '../model/audience';
import type { ContentBlock } from '../model/content';
import type { CompactionChunk, CompactionUpdate, EntryOrigin, MessageChunk, MessageSet, NoticeShown, UnknownUpdate } from '../model/event';
import { applyPatch } from '../model/patch';
import { promptText } from '../model/contentNames';
import {
  type CompactionEntry,
  type ElicitationEntry,
  type Entry,
  entryIdOf,
  isAbsent,
  type MessageEntry,
  type PermissionEntry,
  type SessionState,
  withEntries,
} from '../model/state';

/** Updates the entry of this id, or appends a new one. An absent entry stays absent. */
export function upsertEntry<E extends Entry>(state: SessionState, entryId: string, update: (old: E | undefined) => E): SessionState {
  const index = state.entries.indexOf(entryId);
  const slot = state.entries.at(index);
  if (index < 0 || !slot) {
    return withEntries(state, state.entries.append(update(undefined)));
  }
  if (isAbsent(slot)) {
    return state;
  }
  const entry = update(slot as E);
  return entry === slot ? state : withEntries(state, state.entries.replaceAt(index, entry));
}

/** The most frequent event by far, so objects are written out rather than spread. @param at the time, where the event has none of its own */
export function reduceMessageChunk(before: SessionState, event: MessageChunk, at = event.at): SessionState {
  const state = event.role === 'user' ? withFirstPrompt(before, event) : before;
  const given = entryIdOf.message(event.role, event.messageId);
  const earlier = state.entries.indexOf(given);
  // Work between turns continues no earlier message, because its text belongs below the turn's footer.
  const workId =
    earlier >= 0 && event.role !== 'user' && state.work && !state.work.isLate && earlier < state.work.from ? state.work.workId : undefined;
  const messageId = workId === undefined ? event.messageId : `${event.messageId}~${workId}`;
  const entryId = workId === undefined ? given : entryIdOf.message(event.role, messageId);
  const index = workId === undefined ? earlier : state.entries.indexOf(entryId);
  const old = state.entries.at(index);
  if (index < 0 || !old) {
    return withEntries(state, state.entries.append(messageOf(entryId, at, at, event.role, messageId, [event.content])));
  }
  // The prefix of the id proves that the entry is a message.
  return isAbsent(old)
    ? state
    : withEntries(
        state,
        state.entries.replaceAt(
          index,
          messageOf(entryId, old.at, at, event.role, messageId, appendBlock((old as MessageEntry).content, event.content)),
        ),
      );
}

function messageOf(
  entryId: string,
  at: number,
  updatedAt: number,
  role: MessageChunk['role'],
  messageId: string,
  content: readonly ContentBlock[],
): MessageEntry {
  return { kind: 'message', entryId, at, updatedAt, role, messageId, content };
}

export function reduceMessage(before: SessionState, event: MessageSet): SessionState {
  const state = withFirstPrompt(before, event);
  const entryId = entryIdOf.message(event.role, event.messageId);
  return upsertEntry<MessageEntry>(state, entryId, (old) => {
    const content = event.content === undefined ? (old?.content ?? []) : (event.content ?? []);
    return old
      ? { ...old, content, updatedAt: event.at }
      : { kind: 'message', entryId, at: event.at, updatedAt: event.at, role: event.role, messageId: event.messageId, content };
  });
}

/** UTF-16 units of the first prompt that are stored for a title. */
const MAX_FIRST_PROMPT = 400;
/** The most earlier messages without text that are remembered. */
const MAX_SILENT = 20;

/** Records the beginning of the first prompt that has text. Reads the events alone, because a view may not have the message's body. */
export function withFirstPrompt(state: SessionState, event: MessageChunk | MessageSet): SessionState {
  const { role, messageId, content } = event;
  const { firstPrompt } = state;
  const isSame = firstPrompt?.messageId === messageId;
  const silent = firstPrompt?.silent ?? [];
  const place = silent.indexOf(messageId);
  if (role !== 'user' || content === undefined || (firstPrompt && !isSame && place < 0 && firstPrompt.text !== '')) {
    return state;
  }
  const before = isSame && event.type === 'message_chunk' ? firstPrompt.text : '';
  // Content for the agent is collapsed in the conversation, and is not used for a title.
  const blocks = (event.type === 'message_chunk' ? [event.content] : (event.content ?? [])).filter((block) => !isForAgent(block));
  // A block of its own after a text is a mention only where the text has left a space for it.
  const isAttached = before !== '' && !/\s$/.test(before) && blocks.some(({ type }) => type !== 'text');
  const text = (isAttached ? before : before + promptText(blocks, MAX_FIRST_PROMPT)).slice(0, MAX_FIRST_PROMPT);
  if ((isSame && text === firstPrompt.text) || (place >= 0 && text === '')) {
    return state;
  }
  // Earlier messages that may still get text.
  const others = isSame ? silent : place >= 0 ? silent.slice(0, place) : firstPrompt ? [...silent, firstPrompt.messageId] : [];
  return { ...state, firstPrompt: { messageId, text, ...(others.length > 0 && { silent: others.slice(0, MAX_SILENT) }) } };
}

/** Merges adjacent text into one block, so that a word cut between two chunks stays one word. Annotated text stays a block of its own. */
export function appendBlock(content: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = content[content.length - 1];
  if (block.type === 'text' && last?.type === 'text' && !block.annotations && !last.annotations) {
    const joined: ContentBlock = { type: 'text', text: last.text + block.text };
    return content.length === 1 ? [joined] : [...content.slice(0, -1), joined];
  }
  return [...content, block];
}

export function reduceNotice(state: SessionState, event: NoticeShown): SessionState {
  const entryId = entryIdOf.notice(event.noticeId);
  return upsertEntry(state, entryId, () => ({
    kind: 'notice',
    entryId,
    at: event.at,
    noticeId: event.noticeId,
    severity: event.severity,
    title: event.title,
    ...(event.description !== undefined && { description: event.description }),
    ...(event.failure && { failure: event.failure }),
    ...(event.actions && { actions: event.actions }),
  }));
}

export function reduceCompaction(state: SessionState, event: CompactionUpdate | CompactionChunk): SessionState {
  const entryId = entryIdOf.compaction(event.compactionId);
  return upsertEntry<CompactionEntry>(state, entryId, (old) => {
    const base: CompactionEntry = old ?? {
      kind: 'compaction',
      entryId,
      at: event.at,
      compactionId: event.compactionId,
      status: 'in_progress',
      summary: [],
    };
    if (event.type === 'compaction_chunk') {
      return { ...base, summary: appendBlock(base.summary, event.content) };
    }
    const patched = applyPatch<CompactionEntry>(base, { status: event.status, error: event.error });
    return event.summary === undefined ? patched : { ...patched, summary: event.summary ?? [] };
  });
}

export function reduceUnknown(state: SessionState, event: UnknownUpdate): SessionState {
  const entryId = entryIdOf.unknown(event.unknownId);
  return upsertEntry(state, entryId, () => ({
    kind: 'unknown',
    entryId,
    at: event.at,
    unknownId: event.unknownId,
    label: event.label,
    raw: event.raw,
  }));
}

/** Ignores an entry of another kind. */
export function reduceEntryOrigin(state: SessionState, { entryId, client }: EntryOrigin): SessionState {
  const kind = state.entries.headAt(state.entries.indexOf(entryId))?.kind;
  return kind === 'message' || kind === 'permission' || kind === 'elicitation'
    ? upsertEntry<MessageEntry | PermissionEntry | ElicitationEntry>(state, entryId, (old) => ({ ...old!, from: client }))
    : state;
}
