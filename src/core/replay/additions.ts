/** Collects the additions of a replay: events under free ids, and positions between the recorded entries. */
import type { EntriesPlaced, SessionEvent } from '../model/event';
import { type Entry, entryIdOf, isAbsent, type SessionState, type Slot } from '../model/state';
import { entryIdOfEvent, renamed, timeOf } from './entryEvents';
import { lettersSlice, textOf } from './letters';
import type { Piece } from './messages';

/** Additions that follow each other. */
interface Block {
  readonly entryIds: string[];
  /** The recorded entry that they follow, by position, and the next recorded message that the replay has. */
  readonly last: number;
  readonly high: number;
  readonly isUser: boolean;
  differs: boolean;
  /** Set once the block is complete. */
  position?: number;
}

/** The entry that receives an added entry's events. */
interface Target {
  readonly entryId: string;
  readonly block: Block;
}

export class Additions {
  private readonly blocks: Block[] = [];
  private open: Block | undefined;
  /** The entries that are added whole, by the replay's id. */
  private readonly whole = new Map<string, Target>();
  /** Additions that are parts of entries. */
  private readonly parts: (Target & { readonly event: Omit<SessionEvent & { type: 'message_chunk' }, 'at'> })[] = [];
  private readonly taken = new Set<string>();
  private count = 0;

  constructor(
    private readonly recorded: readonly Slot[],
    private readonly record: SessionState,
    /** Entries of the replay that are in the record, too. The replay decides their position. */
    private readonly mirrored: ReadonlySet<string>,
    /** The position of the prompt whose turn runs, which is after all history; `Infinity` for none. */
    private readonly running: number,
  ) {}

  /** Adds an entry to the block of the additions before it, unless {@link close} was called in between. */
  add(slot: Entry, piece: Piece | undefined, last: number, high: number): void {
    if (this.mirrored.has(slot.entryId)) {
      this.blockAt(slot, last, high).entryIds.push(slot.entryId);
      return;
    }
    const block = this.blockAt(slot, last, high);
    block.differs ||= piece?.differs ?? false;
    if (!piece || slot.kind !== 'message' || piece.isWhole) {
      const entryId = this.freeId(slot.entryId);
      block.entryIds.push(entryId);
      this.whole.set(slot.entryId, { entryId, block });
      return;
    }
    const entryId = this.freeId(`${slot.entryId}~${++this.count}`);
    const { role, content } = slot;
    const text = lettersSlice(textOf(content), piece.from, piece.to).trim();
    block.entryIds.push(entryId);
    const messageId = entryId.slice(entryIdOf.message(role, '').length);
    this.parts.push({ entryId, block, event: { type: 'message_chunk', role, messageId, content: { type: 'text', text } } });
  }

  /** Ends the block, because the next entry of the replay is recorded. */
  close(): void {
    this.open = undefined;
  }

  /** @param events of the replay */
  end(events: readonly SessionEvent[]): { readonly events: readonly SessionEvent[]; readonly differs: boolean } {
    const added: SessionEvent[] = [];
    for (const event of events) {
      const entryId = entryIdOfEvent(event);
      const target = entryId === undefined ? undefined : this.whole.get(entryId);
      if (target) {
        added.push({ ...renamed(event, target.entryId), at: this.timeOf(target.block) ?? event.at } as SessionEvent);
      }
    }
    const now = events[events.length - 1]?.at ?? 0;
    added.push(...this.parts.map(({ event, block }) => ({ ...event, at: this.timeOf(block) ?? now })));
    const moves = this.moves();
    if (moves.length > 0) {
      added.push({ type: 'entries_placed', at: this.timeOf(this.blocks[0]!) ?? now, moves });
    }
    return { events: added, differs: this.blocks.some(({ differs }) => differs) };
  }

  private blockAt({ kind, ...slot }: Entry, last: number, high: number): Block {
    if (!this.open) {
      this.open = { entryIds: [], last, high, isUser: kind === 'message' && 'role' in slot && slot.role === 'user', differs: false };
      this.blocks.push(this.open);
    }
    return this.open;
  }

  /** Returns the moves of all blocks. At the end of the record the order of the events is enough, unless something belongs between them. */
  private moves(): EntriesPlaced['moves'] {
    const needsOrder = this.mirrored.size > 0 || this.parts.length > 0;
    return this.blocks.flatMap((block) => {
      const before = this.recorded[this.positionOf(block)]?.entryId;
      return before === undefined && !needsOrder ? [] : [{ entryIds: block.entryIds, ...(before !== undefined && { before }) }];
    });
  }

  /** Returns the position of the recorded entry that follows the block. */
  private positionOf(block: Block): number {
    return (block.position ??= this.findPosition(block));
  }

  private findPosition({ last, high, isUser, differs }: Block): number {
    const end = Math.min(high, this.recorded.length, last < this.running ? this.running : Infinity);
    if (last < 0 || (isUser && differs)) {
      return end;
    }
    if (!isUser && !differs) {
      return last + 1;
    }
    // The end of the turn that the last recorded entry is in.
    for (let at = last + 1; at < end; at++) {
      const slot = this.recorded[at]!;
      if (isPrompt(slot) || (!isUser && slot.kind === 'turn')) {
        return at;
      }
    }
    return end;
  }

  /** Returns the time of the recorded entry before the block, so that a replay makes no session newer; undefined in an empty record. */
  private timeOf(block: Block): number | undefined {
    const slot = this.recorded[Math.max(0, this.positionOf(block) - 1)];
    return slot && !isAbsent(slot) ? timeOf(slot) : undefined;
  }

  private freeId(entryId: string): string {
    let free = entryId;
    while (this.taken.has(free) || this.record.entries.indexOf(free) >= 0) {
      free = `${entryId}~${++this.count}`;
    }
    this.taken.add(free);
    return free;
  }
}

function isPrompt(slot: Slot): boolean {
  return slot.kind === 'message' && !isAbsent(slot) && slot.role === 'user';
}
