/**
 * Keeps the bodies of old entries in a file instead of in memory. Code that reads an entry gets it from there, so nothing else differs. Bodies that
 * cannot be written stay in memory. Loaded when a conversation becomes long.
 */
import { deserialize, serialize } from 'node:v8';
import { type SwappedEntries, SwappedEntry } from '../../core/model/entries';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { type Entries, type Entry, isAbsent, type Slot } from '../../core/model/state';
import { subagentsIn } from '../../core/subagents/subagentTree';
import type { SessionStore } from '../state/store';
import { SwapFile, type SwapLocation } from './swapFile';

/** The newest entries of the session's own conversation, which stay in memory: those of a few turns. */
export const MIN_IN_MEMORY = 512;
/** The newest entries of a subagent's conversation, which stay in memory. Few, because a session can have many subagents. */
export const MIN_IN_SUBAGENT = 64;
/** UTF-8 bytes. Smaller bodies stay in memory. */
const MIN_BYTES = 256;
/** Chunks that were read last, which stay in memory. */
const MAX_CACHED = 8;
/** ms of work at a time, so that other work can run between. */
const SLICE_MS = 8;

export class EntrySwap implements Disposable {
  /** The chunks before these are swapped out: by subagent, or '' for the session's own conversation. */
  private readonly next = new Map<string, number>();
  private timer: Disposable | undefined;
  private file: SwapFile | undefined;
  private failed = false;
  private isUnreadable = false;
  private readonly cached = new Map<number, readonly Entry[]>();
  private readonly subscription: Disposable;

  /** @param folder absolute; for the file */
  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly folder: string,
    private readonly log: Log,
  ) {
    this.subscription = store.onEvents((_, events, whole) => {
      if (whole) {
        this.next.clear();
      }
      if (whole || events.some(({ type }) => type === 'turn_ended' || type === 'subagent_update')) {
        this.schedule();
      }
    });
    this.schedule();
  }

  /** Deletes the file. An entry that is swapped out is absent afterwards. */
  dispose(): void {
    this.subscription.dispose();
    this.timer?.dispose();
    this.cached.clear();
    this.file?.dispose();
  }

  /** Returns the next chunk to swap out, and the conversation that has it. */
  private get oldest(): { readonly subagentId?: string; readonly entries: Entries; readonly chunk: number } | undefined {
    const { state } = this.store;
    const own = this.next.get('') ?? 0;
    if (own < endOf(state.entries, MIN_IN_MEMORY)) {
      return { entries: state.entries, chunk: own };
    }
    for (const { subagentId, conversation } of subagentsIn(state)) {
      const chunk = this.next.get(subagentId) ?? 0;
      if (chunk < endOf(conversation.entries, MIN_IN_SUBAGENT)) {
        return { subagentId, entries: conversation.entries, chunk };
      }
    }
    return undefined;
  }

  private schedule(): void {
    if (!this.failed && this.oldest) {
      this.timer ??= this.clock.after(0, () => this.work());
    }
  }

  private work(): void {
    this.timer = undefined;
    const until = performance.now() + SLICE_MS;
    try {
      do {
        const { oldest } = this;
        if (!oldest) {
          return;
        }
        const { subagentId, entries, chunk } = oldest;
        this.store.replaceEntries(
          entries.swapChunk(chunk, (present) => this.swap(present)),
          subagentId,
        );
        this.next.set(subagentId ?? '', chunk + 1);
      } while (performance.now() < until);
    } catch (error) {
      this.failed = true;
      this.log.warn(`Old messages stay in memory: ${String(error)}`);
    }
    this.schedule();
  }

  private swap(entries: readonly Slot[]): readonly (Slot | SwappedEntry<Slot>)[] {
    const large = entries.filter((entry): entry is Entry => isSwappable(entry) && serialize(entry).length >= MIN_BYTES);
    if (large.length === 0) {
      return entries;
    }
    this.file ??= new SwapFile(this.folder);
    const location = this.file.write(serialize(large));
    const swapped = new SwappedChunk(this, location);
    const standIns = new Map(large.map(({ entryId, kind }, index) => [entryId, new SwappedEntry<Slot>(entryId, kind, swapped, index)]));
    return entries.map((entry) => standIns.get(entry.entryId) ?? entry);
  }

  /** Returns undefined, and logs the first failure, when the file cannot be read. The journal still has the entries. */
  read(location: SwapLocation): readonly Entry[] | undefined {
    const known = this.cached.get(location.offset);
    if (known) {
      // The newest use comes last.
      this.cached.delete(location.offset);
      this.cached.set(location.offset, known);
      return known;
    }
    try {
      const entries = deserialize(this.file!.read(location)) as readonly Entry[];
      this.cached.set(location.offset, entries);
      for (const oldest of [...this.cached.keys()].slice(0, -MAX_CACHED)) {
        this.cached.delete(oldest);
      }
      return entries;
    } catch (error) {
      if (!this.isUnreadable) {
        this.log.error(`Old messages cannot be read back: ${String(error)}`);
      }
      this.isUnreadable = true;
      return undefined;
    }
  }
}

/** Returns the number of chunks that can be swapped out. @param least entries that stay in memory; those after the full chunks count, too */
function endOf({ length, chunkLength }: Entries, least: number): number {
  return Math.floor((length - least) / chunkLength);
}

/** A class and not a function, because a function would keep the entries of its scope in memory. */
class SwappedChunk implements SwappedEntries<Slot> {
  constructor(
    private readonly swap: EntrySwap,
    private readonly location: SwapLocation,
  ) {}

  at(index: number, { entryId, kind }: Pick<Slot, 'entryId' | 'kind'>): Slot {
    return this.swap.read(this.location)?.[index] ?? { entryId, kind, absent: true };
  }
}

/** Messages of the user, turns and questions are small and read often. */
function isSwappable(entry: Slot): boolean {
  if (isAbsent(entry)) {
    return false;
  }
  return entry.kind === 'tool_call' || entry.kind === 'unknown' || (entry.kind === 'message' && entry.role !== 'user');
}
