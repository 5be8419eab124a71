/**
 * Computes the changes of each ended turn, after the event that ended it, and appends them as a separate event. For turns that ended shortly before
 * the window closed, the changes are computed when the conversation is restored.
 */
import { turnChangesInSteps } from '../core/toolCalls/turnChanges';
import type { SessionEvent } from '../core/model/event';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { isAbsent } from '../core/model/state';
import type { SessionStore } from './state/store';

/** ms of work at a time, so that other work can run between. */
const SLICE_MS = 8;
/** Turns of a restored conversation, newest first, whose changes may be missing. */
const MAX_MISSED = 10;

export class TurnChangesCounter implements Disposable {
  /** The running turn. */
  private turnId: string | undefined;
  /** The computations for ended turns, oldest first. Each uses the conversation's state at the turn's end. */
  private waiting: ReturnType<typeof turnChangesInSteps>[] = [];
  private timer: Disposable | undefined;
  private readonly subscription: Disposable;

  /** @param store may already hold a conversation */
  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
  ) {
    this.turnId = store.state.turn?.turnId;
    this.missed().forEach((turnId) => this.count(turnId));
    this.subscription = store.onEvents((_, events, __, continues) => this.onEvents(events, !continues));
  }

  /** Completes all computations and appends their events. */
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

  /** The newest turns without changes, oldest first. Changes are appended in order, so none is missing before a turn that has them. */
  private missed(): string[] {
    const { entries } = this.store.state;
    const turnIds: string[] = [];
    for (let index = entries.length - 1; index >= 0 && turnIds.length < MAX_MISSED; index--) {
      const slot = entries.peek(index);
      if (!slot || isAbsent(slot) || slot.kind !== 'turn') {
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
