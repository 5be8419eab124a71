/**
 * Merges the conversation that an agent replays (`session/load`, `session/resume`) into the recorded one. The replay adds and corrects; entries that
 * it leaves out stay. The result is events to be appended to the record, so that nothing recorded is ever rewritten. Pure, and linear except for
 * sorting.
 */
import type { SessionEvent } from '../model/event';
import { type Entry, entryIdOf, isAbsent, isFinalStatus, type MessageEntry, type SessionState, type Slot } from '../model/state';
import { Additions } from './additions';
import { align, segmentsOf, withoutMoved } from './align';
import { embed } from './embed';
import { timeOf } from './entryEvents';
import { factsOf } from './facts';
import { settleGaps } from './gaps';
import { lettersSlice, spellingsOf, textOf } from './letters';
import { type Piece, piecesOf, RecordedMessages, type ReplayedMessage, runsOf } from './messages';
import { layOverSubagents } from './subagents';
import { correctionOf, matchTools, type ReplayedCall } from './tools';

export interface LaidOver {
  /** The events to append to the record, with their times. Empty when the replay has nothing new. */
  readonly events: readonly SessionEvent[];
  /** True when entries are added, corrected or moved. */
  readonly changesEntries: boolean;
  /** True when the replay contradicts the record. Both versions are in the conversation. */
  readonly differs: boolean;
}

/** An entry of the replay or a part of one, in the replay's order. `index`: its position in the record. */
interface Item {
  readonly entry: number;
  readonly piece?: Piece;
  index: number | undefined;
}

/**
 * @param record with the events that were shown during the replay: its questions are in the replay, too, and get their position from it
 * @param replay the reduced conversation of the replay
 * @param events the agent's events that `replay` was made of, without those that are in the record already
 */
export function layOver(record: SessionState, replay: SessionState, events: readonly SessionEvent[]): LaidOver {
  const replayed = [...replay.entries].filter((slot): slot is Entry => !isAbsent(slot));
  const mirrored = new Set(replayed.filter((slot) => isMirrored(record, slot)).map(({ entryId }) => entryId));
  const recorded = [...record.entries].filter(({ entryId }) => !mirrored.has(entryId));
  if (recorded.some(isAbsent)) {
    // An unreadable entry cannot be compared, and the replay would repeat it in the record.
    return { events: factsOf(record, replay, events, recorded.some(isConversation)), changesEntries: false, differs: false };
  }
  const running = runningPrompt(record, recorded);
  const items = itemsOf(replayed, recorded, running, record.terminals);
  const additions = new Additions(recorded, record, mirrored, running);
  const corrections: SessionEvent[] = [];
  /** The last position in the record up to which the replay was followed. */
  let last = -1;
  const highs = nextPositions(items);
  items.forEach(({ entry, piece, index }, at) => {
    const slot = replayed[entry]!;
    if (index === undefined) {
      additions.add(slot, piece, last, highs[at]!);
      return;
    }
    additions.close();
    if (piece || (index > last && index < highs[at]!)) {
      last = Math.max(last, index);
    }
    corrections.push(...correctionsOf(recorded[index]!, slot, piece, record));
  });
  const added = additions.end(events);
  const subagents = layOverSubagents(record, replay, events, layOver);
  const facts = factsOf(record, replay, events, recorded.some(isConversation));
  return {
    events: [...facts, ...corrections, ...added.events, ...subagents.events],
    changesEntries: corrections.length > 0 || added.events.length > 0 || subagents.events.length > 0,
    differs: added.differs || subagents.differs,
  };
}

/** True for questions to the user and our own notices that are both in the record and in the replay. */
function isMirrored(record: SessionState, { kind, entryId }: Entry): boolean {
  return (kind === 'permission' || kind === 'elicitation' || kind === 'notice') && record.entries.indexOf(entryId) >= 0;
}

/** Returns the position of the prompt whose turn runs; `Infinity` for none. */
function runningPrompt({ turn }: SessionState, recorded: readonly Slot[]): number {
  const entryId = turn && entryIdOf.message('user', turn.turnId);
  const index = entryId === undefined ? -1 : recorded.findLastIndex((slot) => slot.entryId === entryId);
  return index < 0 ? Infinity : index;
}

function isConversation({ kind }: Slot): boolean {
  return kind === 'message' || kind === 'tool_call' || kind === 'compaction';
}

/** Returns the replay's entries with their positions in the record. */
function itemsOf(replayed: readonly Entry[], recorded: readonly Slot[], running: number, terminals: SessionState['terminals']): Item[] {
  const pieces = matchMessages(replayed, new RecordedMessages(recorded), running);
  const items: Item[] = [];
  let next = 0;
  replayed.forEach((slot, entry) => {
    if (slot.kind === 'turn') {
      return; // No agent replays turns.
    }
    if (slot.kind !== 'message') {
      items.push({ entry, index: undefined });
      return;
    }
    for (; pieces[next]?.entry === entry; next++) {
      items.push({ entry, piece: pieces[next]!, index: pieces[next]!.index });
    }
  });
  matchOthers(replayed, recorded, items, terminals);
  return items;
}

function matchMessages(replayed: readonly Entry[], record: RecordedMessages, running: number): readonly Piece[] {
  const messages: ReplayedMessage[] = [];
  replayed.forEach((slot, entry) => {
    const text = slot.kind === 'message' ? (spellingsOf(slot.content)[0] ?? '') : '';
    if (slot.kind === 'message' && text !== '') {
      messages.push({ entry, role: slot.role, text });
    }
  });
  const runs = runsOf(messages);
  const embedded = embed(runs, record);
  if (embedded) {
    return runs.flatMap((run, at) => piecesOf(run, embedded[at]!));
  }
  const pieces = runs.flatMap((run) => piecesOf(run, segmentsOf(run, record)));
  align(pieces, record);
  return settleGaps(withoutMoved(pieces, record), record, running);
}

/** Gives tool calls, compactions, notices and unknown updates their positions. */
function matchOthers(
  replayed: readonly Entry[],
  recorded: readonly Slot[],
  items: readonly Item[],
  terminals: SessionState['terminals'],
): void {
  const highs = nextPositions(items);
  const calls: ReplayedCall[] = [];
  const others = new Map<string, number[]>();
  recorded.forEach((slot, index) => {
    const key = isAbsent(slot) ? undefined : keyOf(slot);
    if (key !== undefined) {
      const same = others.get(key) ?? [];
      others.set(key, same);
      same.push(index);
    }
  });
  const next = new Map<string, number>();
  let low = -1;
  let isOfNewTurn = false;
  items.forEach((item, at) => {
    const slot = replayed[item.entry]!;
    if (slot.kind === 'message') {
      low = item.index ?? low;
      isOfNewTurn = slot.role === 'user' ? item.index === undefined : isOfNewTurn;
    } else if (slot.kind === 'tool_call') {
      calls.push({ entry: item.entry, call: slot, low, high: highs[at]!, isOfNewTurn });
    } else {
      const key = keyOf(slot) ?? '';
      const count = next.get(key) ?? 0;
      item.index = others.get(key)?.[count];
      next.set(key, count + 1);
    }
  });
  const matched = matchTools(recorded, calls, terminals);
  items.forEach((item) => (item.index ??= matched.get(item.entry)));
}

/** Returns the key that identifies an entry without an id of the agent. Several entries may have the same key. */
function keyOf(slot: Entry): string | undefined {
  switch (slot.kind) {
    case 'unknown':
      return JSON.stringify(['unknown', slot.label, slot.raw]);
    case 'notice':
      return JSON.stringify(['notice', slot.severity, slot.title, slot.description, slot.failure]);
    case 'compaction':
    case 'subagent':
    case 'session_message':
      return slot.entryId;
    default:
      return undefined;
  }
}

/** Returns, for each item, the position of the next recorded message after it; `Infinity` for none. */
function nextPositions(items: readonly Item[]): readonly number[] {
  const result: number[] = [];
  let high = Infinity;
  for (let at = items.length - 1; at >= 0; at--) {
    const { piece, index } = items[at]!;
    result[at] = high;
    high = piece && index !== undefined ? index : high;
  }
  return result;
}

/** Returns the corrections that a replayed entry makes to a recorded one. The record's times stay. */
function correctionsOf(old: Slot, replayed: Entry, piece: Piece | undefined, record: SessionState): SessionEvent[] {
  if (isAbsent(old)) {
    return [];
  }
  const at = timeOf(old);
  if (old.kind === 'tool_call' && replayed.kind === 'tool_call') {
    const patch = correctionOf(old, replayed, record.terminals);
    return patch ? [{ type: 'tool_call_update', at, toolCallId: old.toolCallId, patch }] : [];
  }
  if (old.kind === 'compaction' && replayed.kind === 'compaction') {
    const summary = old.summary.length === 0 && replayed.summary.length > 0 ? { summary: replayed.summary } : {};
    const status = isFinalStatus(replayed.status) && !isFinalStatus(old.status) ? { status: replayed.status } : {};
    return Object.keys({ ...summary, ...status }).length > 0
      ? [{ type: 'compaction_update', at, compactionId: old.compactionId, ...summary, ...status }]
      : [];
  }
  if (old.kind === 'message' && replayed.kind === 'message' && piece) {
    return continuationOf(old, replayed, piece, at);
  }
  return [];
}

/** Returns the missing end of a message that the record has in part, and blocks that are not text. */
function continuationOf(old: MessageEntry, replayed: MessageEntry, piece: Piece, at: number): SessionEvent[] {
  const chunk = { type: 'message_chunk', at, role: old.role, messageId: old.messageId } as const;
  const events: SessionEvent[] = [];
  if (piece.continuesFrom !== undefined) {
    const text = lettersSlice(textOf(replayed.content), piece.from + piece.continuesFrom, piece.to);
    events.push({ ...chunk, content: { type: 'text', text } });
  }
  if (piece.isWhole && replayed.role !== 'user') {
    const known = new Set(old.content.map((block) => JSON.stringify(block)));
    const others = replayed.content.filter((block) => block.type !== 'text' && !known.has(JSON.stringify(block)));
    events.push(...others.map((content) => ({ ...chunk, content })));
  }
  return events;
}
