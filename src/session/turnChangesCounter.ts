/**
 * Works out what each turn changed once it has ended, outside of the append that ended it, and tells the store in an event of its own. Turns of
 * which a window that closed did not come to tell are made up for when the conversation is read back.
 */
import { turnChangesInSteps } from '../core/fileChanges/turnChanges';
import type { SessionEvent } from '../core/model/event';
import type { Clock, Disposable } from '../core/model/ports';
import { isAbsent } from '../core/model/state';
import type { SessionStore } from './store';

/** ms at a time: everybody else has their turn in between. */
const SLICE_MS = 8;
/** Turns of a conversation that was read back, the newest, of which it may not have been told. */
const MOST_MISSED = 10;

export class TurnChangesCounter implements Disposable {
  /** The turn that runs. */
  private turnId: string | undefined;
  /** Of turns that have ended, oldest first; each looks at the conversation as it was then. */
  private waiting: ReturnType<typeof turnChangesInSteps>[] = [];
  private timer: Disposable | undefined;
  private readonly subscription: Disposable;

  /** `store` may hold a conversation already. */
  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
  ) {
    this.turnId = store.state.turn?.turnId;
    this.missed().forEach((turnId) => this.count(turnId));
    this.subscription = store.onEvents((_, events, __, continues) => this.onEvents(events, !continues));
  }

  /** All that can be told is told when this returns. */
  flush(): void {
    this.work(Infinity);
  }

  dispose(): void {
    this.subscription.dispose();
    this.forget();
  }

  private onEvents(events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      this.forget();
      this.turnId = this.store.state.turn?.turnId;
      return;
    }
    for (const event of events) {
      switch (event.type) {
        case 'turn_started':
          this.turnId = event.turnId;
          break;
        case 'turn_ended':
          if (event.turnId === this.turnId) {
            this.ended();
          }
          break;
        case 'disconnected':
        case 'session_failed':
        case 'session_ended':
          this.ended();
          break;
      }
    }
  }

  private ended(): void {
    if (this.turnId !== undefined) {
      this.count(this.turnId);
    }
    this.turnId = undefined;
  }

  private count(turnId: string): void {
    this.waiting.push(turnChangesInSteps(this.store.state, turnId));
    this.timer ??= this.clock.after(0, () => this.work(SLICE_MS));
  }

  private work(ms: number): void {
    this.timer?.dispose();
    this.timer = undefined;
    const start = this.clock.now();
    for (let run = this.waiting[0]; run; run = this.waiting[0]) {
      const step = run.next();
      if (step.done) {
        this.waiting.shift();
        if (step.value) {
          this.store.append(step.value);
        }
      }
      if (this.waiting.length > 0 && this.clock.now() - start >= ms) {
        this.timer = this.clock.after(0, () => this.work(SLICE_MS));
        return;
      }
    }
  }

  private forget(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.waiting = [];
  }

  /** They are told in order, so none is missing before one that was told. Oldest first. */
  private missed(): string[] {
    const { entries } = this.store.state;
    const turnIds: string[] = [];
    for (let index = entries.length - 1; index >= 0 && turnIds.length < MOST_MISSED; index--) {
      const slot = entries.at(index)!;
      if (isAbsent(slot) || slot.kind !== 'turn') {
        continue;
      }
      if (slot.changes) {
        break;
      }
      turnIds.push(slot.turnId);
    }
    return turnIds.reverse();
  }
}
