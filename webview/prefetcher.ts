/**
 * Brings the bodies of earlier entries before anybody scrolls to them, the newest first, while the page has nothing else to do: then such a place
 * is there with the frame that shows it, and not after a question to the host. Bounded, because all of a long conversation must not come again
 * each time its panel is shown.
 */
import { isAbsent } from '../src/core/model/state';
import type { Mirror } from './mirror';

/** Entries that are asked for at once: what a scroll asks for must not wait behind much. */
const PORTION = 16;
/** UTF-16 units of JSON that come unasked: hundreds of entries, usually all. */
const BUDGET = 2 * 1024 * 1024;

export class Prefetcher {
  private generation = -1;
  /** Entries from this place on are here, or were asked for. */
  private from = 0;
  private left = BUDGET;
  private asked: readonly string[] = [];
  private scheduled = false;

  /** `whenIdle` calls back once, when nothing else is to do. Goes on by itself with what the mirror tells. */
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
    this.asked = [];
  }

  /** True until the last portion has come; counts it then. */
  private waits(): boolean {
    const { entries } = this.mirror.state;
    const slots = this.asked.map((entryId) => entries.get(entryId));
    if (slots.some((slot) => slot !== undefined && isAbsent(slot))) {
      return true;
    }
    this.left -= slots.reduce((sum, slot) => sum + JSON.stringify(slot ?? null).length, 0);
    this.asked = [];
    return false;
  }

  private ask(): void {
    const { entries } = this.mirror.state;
    const asked: string[] = [];
    while (this.from > 0 && asked.length < PORTION) {
      const slot = entries.at(--this.from);
      if (slot && isAbsent(slot)) {
        asked.push(slot.entryId);
      }
    }
    this.asked = asked;
    this.mirror.want(asked);
  }
}
