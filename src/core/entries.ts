/**
 * The conversation's entries, in order and by id: a persistent list. Every change returns a new list that shares all but one chunk with the
 * old one, so appending to ten thousand entries copies a few hundred references and unchanged entries keep their identity.
 */
import type { Slot } from './state';

const CHUNK = 128;

type Chunk = readonly Slot[];

/**
 * Where an id was put. Shared by all versions of one list, and only a hint: entries never move or leave, so a hint that does not check out
 * against this version's chunks means the id belongs to another branch of history, and the list is searched.
 */
type Hints = Map<string, number>;

export class EntryList {
  static readonly empty = new EntryList([], 0, new Map());

  private constructor(
    private readonly chunks: readonly Chunk[],
    readonly length: number,
    private readonly hints: Hints,
  ) {}

  /** A list of these, in this order. Ids must be unique. */
  static of(slots: readonly Slot[]): EntryList {
    const chunks: Chunk[] = [];
    const hints: Hints = new Map();
    for (let start = 0; start < slots.length; start += CHUNK) {
      chunks.push(slots.slice(start, start + CHUNK));
    }
    slots.forEach((slot, index) => hints.set(slot.entryId, index));
    return new EntryList(chunks, slots.length, hints);
  }

  at(index: number): Slot | undefined {
    return this.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  }

  /** The place of this id, or -1. */
  indexOf(entryId: string): number {
    const hint = this.hints.get(entryId);
    if (hint === undefined) {
      return -1; // Every id of every version is hinted; only a wrong hint needs the search below.
    }
    if (hint < this.length && this.at(hint)?.entryId === entryId) {
      return hint;
    }
    for (let index = 0; index < this.length; index++) {
      if (this.at(index)?.entryId === entryId) {
        return index;
      }
    }
    return -1;
  }

  get(entryId: string): Slot | undefined {
    const index = this.indexOf(entryId);
    return index < 0 ? undefined : this.at(index);
  }

  /** With `slot` at the end; its id must be new. */
  append(slot: Slot): EntryList {
    const last = this.chunks[this.chunks.length - 1];
    const chunks = last && last.length < CHUNK ? [...this.chunks.slice(0, -1), [...last, slot]] : [...this.chunks, [slot]];
    // The empty list is a constant that every session starts from: its hints must not be shared between them.
    const hints = this.length === 0 ? new Map<string, number>() : this.hints;
    hints.set(slot.entryId, this.length);
    return new EntryList(chunks, this.length + 1, hints);
  }

  /** With `slot` in the place of the entry of the same id, which must exist. */
  replace(slot: Slot): EntryList {
    const index = this.indexOf(slot.entryId);
    const chunkIndex = Math.floor(index / CHUNK);
    const chunk = this.chunks[chunkIndex];
    if (!chunk) {
      throw new RangeError(`no entry ${slot.entryId}`);
    }
    if (chunk[index % CHUNK] === slot) {
      return this;
    }
    const newChunk = chunk.slice();
    newChunk[index % CHUNK] = slot;
    const chunks = this.chunks.slice();
    chunks[chunkIndex] = newChunk;
    return new EntryList(chunks, this.length, this.hints);
  }

  /** Entries from `start` (inclusive) to `end` (exclusive), clamped to the list. */
  slice(start = 0, end = this.length): Slot[] {
    const result: Slot[] = [];
    for (let index = Math.max(0, start); index < Math.min(end, this.length); index++) {
      result.push(this.at(index)!);
    }
    return result;
  }

  *[Symbol.iterator](): Iterator<Slot> {
    for (const chunk of this.chunks) {
      yield* chunk;
    }
  }
}
