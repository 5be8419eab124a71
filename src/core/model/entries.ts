/**
 * The conversation's entries, in order and by id: a persistent list. Every change returns a new list that shares all but one chunk with the old one.
 * The newest entries, which receive nearly all changes, form a short tail. Unchanged entries keep their identity.
 */

/** The number of entries in a chunk. Small, because each change at the end copies the tail. The list of full chunks is copied only when one fills or an older entry changes. */
const CHUNK = 32;

/** The item type of a list; the conversation uses `Slot`. */
interface Identified {
  readonly entryId: string;
  readonly kind: string;
}

/**
 * Indexes by id. All versions of a list share them, so they are only hints. Entries never move or leave. A hint that does not fit this version means
 * that the id belongs to another branch of history, and the list is searched.
 */
type Hints = Map<string, number>;

/** Entries that are not in memory. */
export interface SwappedEntries<T extends Identified> {
  /** Returns an entry by its index. @param head its id and kind, for an entry that cannot be read */
  at(index: number, head: Head<T>): T;
}

/** The substitute of an entry whose body is in a file (`src/session/swap`). A long session has many, so each must be small. */
export class SwappedEntry<T extends Identified> {
  constructor(
    readonly entryId: string,
    readonly kind: T['kind'],
    private readonly entries: SwappedEntries<T>,
    private readonly index: number,
  ) {}

  /** Reads the entry. */
  read(): T {
    return this.entries.at(this.index, this);
  }
}

/** An entry, or its id and kind where the body is swapped out. */
export type Head<T extends Identified> = Pick<T, 'entryId' | 'kind'>;
type Item<T extends Identified> = T | SwappedEntry<T>;

export class EntryList<T extends Identified> {
  static readonly empty: EntryList<never> = new EntryList<never>([], [], new Map());

  readonly length: number;

  private constructor(
    /** Full chunks, each of length `CHUNK`. */
    private readonly chunks: readonly (readonly Item<T>[])[],
    /** The entries after the chunks. Empty only when the list is empty. */
    private readonly tail: readonly T[],
    private readonly hints: Hints,
  ) {
    this.length = chunks.length * CHUNK + tail.length;
  }

  /** Makes a list of these entries in this order. Ids must be unique. */
  static of<T extends Identified>(slots: readonly T[]): EntryList<T> {
    const chunks: T[][] = [];
    const hints: Hints = new Map();
    let start = 0;
    for (; slots.length - start > CHUNK; start += CHUNK) {
      chunks.push(slots.slice(start, start + CHUNK));
    }
    slots.forEach((slot, index) => hints.set(slot.entryId, index));
    return new EntryList(chunks, slots.slice(start), hints);
  }

  /** Returns the entry, and reads its body where it is swapped out. */
  at(index: number): T | undefined {
    return whole(this.itemAt(index));
  }

  /** Returns the entry's id and kind, and reads no body. */
  headAt(index: number): Head<T> | undefined {
    return this.itemAt(index);
  }

  /** Returns the entry, or undefined where its body is swapped out. */
  peek(index: number): T | undefined {
    const item = this.itemAt(index);
    return item instanceof SwappedEntry ? undefined : item;
  }

  /** The number of entries in a full chunk. */
  get chunkLength(): number {
    return CHUNK;
  }

  /**
   * Returns the list with entries of a full chunk swapped out.
   * @param swap returns a {@link SwappedEntry} for each entry that is swapped out, and the others themselves
   */
  swapChunk(chunkIndex: number, swap: (entries: readonly T[]) => readonly Item<T>[]): EntryList<T> {
    const chunk = this.chunks[chunkIndex] ?? [];
    const present = chunk.filter((item): item is T => !(item instanceof SwappedEntry));
    const swapped = new Map(swap(present).map((item) => [item.entryId, item]));
    const isSame = present.every((entry) => swapped.get(entry.entryId) === entry);
    const next = chunk.map((item) => swapped.get(item.entryId) ?? item);
    return isSame ? this : new EntryList(this.chunks.with(chunkIndex, next), this.tail, this.hints);
  }

  private itemAt(index: number): Item<T> | undefined {
    const inTail = index - this.chunks.length * CHUNK;
    return inTail >= 0 ? this.tail[inTail] : this.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  }

  /** Returns the index of this id, or -1. */
  indexOf(entryId: string): number {
    // Streams change the last entry again and again.
    if (this.tail[this.tail.length - 1]?.entryId === entryId) {
      return this.length - 1;
    }
    const hint = this.hints.get(entryId);
    if (hint === undefined) {
      return -1; // Every id of every version has a hint; only a wrong hint needs the search below.
    }
    if (hint < this.length && this.itemAt(hint)?.entryId === entryId) {
      return hint;
    }
    for (let index = 0; index < this.length; index++) {
      if (this.itemAt(index)?.entryId === entryId) {
        return index;
      }
    }
    return -1;
  }

  get(entryId: string): T | undefined {
    const index = this.indexOf(entryId);
    return index < 0 ? undefined : this.at(index);
  }

  /** Returns the list with `slot` at the end. Its id must be new. */
  append(slot: T): EntryList<T> {
    // The empty list is a constant that every session starts with, so sessions must not share its hints.
    const hints = this.length === 0 ? new Map<string, number>() : this.hints;
    hints.set(slot.entryId, this.length);
    return this.tail.length < CHUNK
      ? new EntryList(this.chunks, [...this.tail, slot], hints)
      : new EntryList([...this.chunks, this.tail], [slot], hints);
  }

  /** Returns the list with `slot` in place of the entry of the same id, which must exist. */
  replace(slot: T): EntryList<T> {
    return this.replaceAt(this.indexOf(slot.entryId), slot);
  }

  /** Returns the list with `slot` at `index`, which must hold the entry of the same id. */
  replaceAt(index: number, slot: T): EntryList<T> {
    const old = this.itemAt(index);
    if (old?.entryId !== slot.entryId) {
      throw new RangeError(`no entry ${slot.entryId} at ${index}`);
    }
    if (old === slot) {
      return this;
    }
    const inTail = index - this.chunks.length * CHUNK;
    if (inTail >= 0) {
      return new EntryList(this.chunks, this.tail.with(inTail, slot), this.hints);
    }
    const chunkIndex = Math.floor(index / CHUNK);
    const chunk = this.chunks[chunkIndex]!.with(index % CHUNK, slot);
    return new EntryList(this.chunks.with(chunkIndex, chunk), this.tail, this.hints);
  }

  /** Returns the entries from `start` (inclusive) to `end` (exclusive), clamped to the list. */
  slice(start = 0, end = this.length): T[] {
    const result: T[] = [];
    for (let index = Math.max(0, start); index < Math.min(end, this.length); index++) {
      result.push(this.at(index)!);
    }
    return result;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.chunks) {
      for (const item of chunk) {
        yield whole(item);
      }
    }
    yield* this.tail;
  }

  /** Iterates over the ids and kinds, and reads no body. */
  *heads(): Generator<Head<T>, void> {
    for (const chunk of this.chunks) {
      yield* chunk;
    }
    yield* this.tail;
  }

  /** Iterates over the entries that are not swapped out. */
  *inMemory(): Generator<T, void> {
    for (const chunk of this.chunks) {
      for (const item of chunk) {
        if (!(item instanceof SwappedEntry)) {
          yield item;
        }
      }
    }
    yield* this.tail;
  }
}

function whole<T extends Identified>(item: Item<T>): T;
function whole<T extends Identified>(item: Item<T> | undefined): T | undefined;
function whole<T extends Identified>(item: Item<T> | undefined): T | undefined {
  return item instanceof SwappedEntry ? item.read() : item;
}
