/**
 * Loads the bodies of earlier entries before the user scrolls to them, the newest first, while the page is idle. They are then rendered in the first
 * frame, without a request to the host. The amount is limited, because a panel must not load all of a long conversation each time it is shown.
 */
import { isAbsent } from '../../src/core/model/state';
import type { Mirror } from '../state/mirror';

/** Entries per request, so that a request of a scroll does not wait for long. */
const PORTION = 16;
/** UTF-16 units of JSON to prefetch: hundreds of entries, usually all. */
const BUDGET = 2 * 1024 * 1024;

export class Prefetcher {
  private generation = -1;
  /** Entries from this index on are loaded or requested. */
  private from = 0;
  private left = BUDGET;
  private requested: readonly string[] = [];
  private scheduled = false;

  /** @param whenIdle calls back once, when the page is idle. Continues by itself when the mirror changes. */
  constructor(
    private readonly mirror: Mirror,
    private readonly whenIdle: (callback: () => void) => void,
  ) {
    mirror.subscribe(() => this.resume());
  }

  private resume(): void {
    if (!this.mirror.loaded) {
      return;
    }
    if (this.mirror.generation !== this.generation) {
      this.restart();
    }
    if (this.scheduled || this.from <= 0 || this.left <= 0 || this.waits()) {
      return;
    }
    this.scheduled = true;
    this.whenIdle(() => {
      this.scheduled = false;
      this.ask();
    });
  }

  private restart(): void {
    this.generation = this.mirror.generation;
    this.from = this.mirror.state.entries.length;
    this.left = BUDGET;
    this.requested = [];
  }

  /** True until the last portion has arrived. Then adds its size. */
  private waits(): boolean {
    const { entries } = this.mirror.state;
    const slots = this.requested.map((entryId) => entries.get(entryId));
    if (slots.some((slot) => slot !== undefined && isAbsent(slot))) {
      return true;
    }
    this.left -= slots.reduce((sum, slot) => sum + JSON.stringify(slot ?? null).length, 0);
    this.requested = [];
    return false;
  }

  private ask(): void {
    const { entries } = this.mirror.state;
    const requested: string[] = [];
    while (this.from > 0 && requested.length < PORTION) {
      const slot = entries.at(--this.from);
      if (slot && isAbsent(slot)) {
        requested.push(slot.entryId);
      }
    }
    this.requested = requested;
    this.mirror.want(requested);
  }
}
