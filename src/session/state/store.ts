/** The only place that changes a session's state. Adds the time to events, reduces them and notifies listeners. */
import type { SessionEvent, EventInput } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { reduce } from '../../core/reduce/reduce';
import { withSubagentEntries } from '../../core/reduce/subagents';
import { EMPTY_STATE, type SessionState, withEntries } from '../../core/model/state';

/**
 * `whole`: any entry of the conversation may have changed, so that listeners read the state again. Earlier events are no longer part of it, unless
 * `continues` is set: the new events then follow them.
 */
export type EventsListener = (firstSeq: number, events: readonly SessionEvent[], whole: boolean, continues: boolean) => void;

/** The fields of the state that are not part of the conversation. */
const KEPT = [
  'queue',
  'continuation',
  'account',
  'name',
  'changeReport',
  'pendingChanges',
  'runningChanges',
  'permissionMode',
  'unasked',
  'sharing',
] as const;

export class SessionStore {
  private current: SessionState = EMPTY_STATE;
  private count = 0;
  private readonly listeners = new Set<EventsListener>();

  constructor(private readonly clock: Clock) {}

  get state(): SessionState {
    return this.current;
  }

  /** The number of events, which is also the sequence number of the next one. */
  get seq(): number {
    return this.count;
  }

  /** Adds the time to the events, reduces them in order and notifies the listeners once. The caller must not use the event objects afterwards. */
  append(...events: readonly EventInput[]): void {
    if (events.length === 0) {
      return;
    }
    const at = this.clock.now();
    // The time is set in place: copying each event, in its many shapes, costs as much as decoding and reducing it (benchmark `wire`).
    for (const event of events) {
      (event as { at?: number }).at = at;
      this.current = reduce(this.current, event as SessionEvent);
    }
    this.emit(events as readonly SessionEvent[], false, true);
  }

  /** Reduces recorded events, which have their own times. */
  restore(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.current = reduce(this.current, event);
    }
    this.emit(events, false, true);
  }

  /** Adds a replay to the conversation: events with their own times that may correct and move entries anywhere (`core/replay/layOver.ts`). */
  layOver(events: readonly SessionEvent[]): void {
    this.current = events.reduce(reduce, this.current);
    this.emit(events, true, true);
  }

  /** Takes over a journal's reduced state, before there are listeners. `next`: the sequence number of the next event. */
  adopt(state: SessionState, next: number): void {
    this.current = state;
    this.count = next;
  }

  /** Replaces the conversation by these events. `state`: their reduced state. The fields in {@link KEPT} stay. */
  replace(events: readonly SessionEvent[], state: SessionState): void {
    const { current } = this;
    this.current = KEPT.every((name) => state[name] === current[name])
      ? state
      : { ...state, ...Object.fromEntries(KEPT.flatMap((name) => (current[name] === undefined ? [] : [[name, current[name]]]))) };
    this.emit(events, true, false);
  }

  /**
   * Takes a list of the same entries, of which some are swapped out or read back.
   * @param subagentId of the conversation; absent for the session's own
   */
  replaceEntries(entries: SessionState['entries'], subagentId?: string): void {
    if (subagentId !== undefined) {
      this.current = withSubagentEntries(this.current, subagentId, entries);
    } else if (entries !== this.current.entries) {
      this.current = withEntries(this.current, entries);
    }
  }

  onEvents(listener: EventsListener): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private emit(events: readonly SessionEvent[], whole: boolean, continues: boolean): void {
    const firstSeq = this.count;
    this.count += events.length;
    for (const listener of [...this.listeners]) {
      listener(firstSeq, events, whole, continues);
    }
  }
}
