/** The one place where a session's state changes: stamps, folds and tells. */
import type { SessionEvent, UnstampedEvent } from '../core/model/event';
import type { Clock, Disposable } from '../core/model/ports';
import { reduce } from '../core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../core/model/state';

/**
 * `whole`: the conversation has changed in any of its entries, so that listeners read the state again. The events before are no longer part of it, unless
 * `continues` is set: then these events follow them.
 */
export type EventsListener = (firstSeq: number, events: readonly SessionEvent[], whole: boolean, continues: boolean) => void;

export class SessionStore {
  private current: SessionState = EMPTY_STATE;
  private count = 0;
  private readonly listeners = new Set<EventsListener>();

  constructor(private readonly clock: Clock) {}

  get state(): SessionState {
    return this.current;
  }

  /** How many events happened; the next one gets this number. */
  get seq(): number {
    return this.count;
  }

  /** Folds what happened, in this order, and tells the listeners once. They are the store's from here on, which stamps them. */
  append(...events: readonly UnstampedEvent[]): void {
    if (events.length === 0) {
      return;
    }
    const at = this.clock.now();
    // Stamped in place: a copy of each, in their many shapes, costs as much as decoding and folding them together (benchmark `wire`).
    for (const event of events) {
      (event as { at?: number }).at = at;
      this.current = reduce(this.current, event as SessionEvent);
    }
    this.tell(events as readonly SessionEvent[], false, true);
  }

  /** Folds events that happened before, with their own times: a recording. */
  restore(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.current = reduce(this.current, event);
    }
    this.tell(events, false, true);
  }

  /** Adds a replay to the conversation: events with their own times that may correct and move entries anywhere (`core/replay/layOver.ts`). */
  layOver(events: readonly SessionEvent[]): void {
    this.current = events.reduce(reduce, this.current);
    this.tell(events, true, true);
  }

  /** Begins with the fold of a journal's events, before anybody listens. `next`: the number of the event after them. */
  adopt(state: SessionState, next: number): void {
    this.current = state;
    this.count = next;
  }

  /** Makes these events the conversation, as for a copy of another one. `state`: their reduced state. The queue, the name, the report of changes and the changes that wait stay. */
  replace(events: readonly SessionEvent[], state: SessionState): void {
    const { queue, name, changeReport, pendingChanges } = this.current;
    this.current =
      state.queue === queue && state.name === name && state.changeReport === changeReport && state.pendingChanges === pendingChanges
        ? state
        : {
            ...state,
            queue,
            ...(name !== undefined && { name }),
            ...(changeReport && { changeReport }),
            ...(pendingChanges && { pendingChanges }),
          };
    this.tell(events, true, false);
  }

  onEvents(listener: EventsListener): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private tell(events: readonly SessionEvent[], whole: boolean, continues: boolean): void {
    const firstSeq = this.count;
    this.count += events.length;
    for (const listener of [...this.listeners]) {
      listener(firstSeq, events, whole, continues);
    }
  }
}
