/** The messages of a record and of a replay in comparable form. */
import type { Role } from '../model/event';
import { isAbsent, type MessageEntry, type Slot } from '../model/state';
import { KnownTexts, type RecordedText } from './knownTexts';
import { spellingsOf } from './letters';

/** A message of the record. */
export interface RecordedMessage {
  /** The entry's position in the record. */
  readonly index: number;
  readonly entry: MessageEntry;
  /** See `spellingsOf`. */
  readonly spellings: readonly string[];
}

/** The messages of the record, with indexes of their texts. */
export class RecordedMessages {
  readonly all: readonly RecordedMessage[];
  private readonly byRole: Readonly<Record<Role, KnownTexts>>;
  private readonly byIndex: ReadonlyMap<number, RecordedMessage>;

  constructor(slots: readonly Slot[]) {
    const all: RecordedMessage[] = [];
    slots.forEach((slot, index) => {
      if (slot.kind === 'message' && !isAbsent(slot)) {
        all.push({ index, entry: slot, spellings: spellingsOf(slot.content) });
      }
    });
    this.all = all;
    this.byIndex = new Map(all.map((message) => [message.index, message]));
    const textsOf = (role: Role): RecordedText[] =>
      all.flatMap(({ index, entry, spellings }) => (entry.role === role ? spellings.map((text) => ({ index, text })) : []));
    this.byRole = {
      user: new KnownTexts(textsOf('user')),
      agent: new KnownTexts(textsOf('agent')),
      thought: new KnownTexts(textsOf('thought')),
    };
  }

  of(role: Role): KnownTexts {
    return this.byRole[role];
  }

  at(index: number): RecordedMessage | undefined {
    return this.byIndex.get(index);
  }
}

/** A message of the replay. `entry` is its position among the replay's entries. */
export interface ReplayedMessage {
  readonly entry: number;
  readonly role: Role;
  /** The text without white space. */
  readonly text: string;
}

/** Messages of one role that no other role's message separates. Without ids, an agent's messages run together. */
export interface Run {
  readonly role: Role;
  readonly text: string;
  readonly messages: readonly ReplayedMessage[];
}

/** A part of a replayed message, in letters, with the entry of the record that it belongs to; undefined when it belongs to none. */
export interface Piece {
  readonly entry: number;
  readonly role: Role;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** True when the piece is the whole message. */
  readonly isWhole: boolean;
  index: number | undefined;
  /** The letter of the piece at which the record's message ends. The rest continues the message. */
  continuesFrom?: number;
  /** True when the record has another text at this position. */
  differs?: boolean;
}

/** Groups the messages into runs, in their order. Messages without content are left out. */
export function runsOf(messages: readonly ReplayedMessage[]): Run[] {
  const runs: ReplayedMessage[][] = [];
  for (const message of messages) {
    const last = runs[runs.length - 1];
    if (last && last[0]!.role === message.role) {
      last.push(message);
    } else {
      runs.push([message]);
    }
  }
  return runs.map((run) => ({ role: run[0]!.role, text: run.map(({ text }) => text).join(''), messages: run }));
}

/** A part of a run's text that belongs to one recorded message, or to none. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly index: number | undefined;
}

/** Returns the segments of a run, cut where one of its messages ends. */
export function piecesOf({ role, messages }: Run, segments: readonly Segment[]): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let at = 0;
  for (const { entry, text } of messages) {
    const end = start + text.length;
    for (; at < segments.length && segments[at]!.from < end; at++) {
      const { from, to, index } = segments[at]!;
      const [low, high] = [Math.max(from, start) - start, Math.min(to, end) - start];
      pieces.push({ entry, role, from: low, to: high, text: text.slice(low, high), isWhole: high - low === text.length, index });
      if (to > end) {
        break; // The next message has the rest of the segment.
      }
    }
    start = end;
  }
  return pieces;
}
