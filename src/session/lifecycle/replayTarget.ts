/**
 * A buffer for the updates of an agent until it has answered `session/load` or `session/resume`. Nothing of it is shown before the replay is complete, and
 * nothing is changed when it breaks off.
 */
import type { SessionEvent, UnstampedEvent } from '../../core/model/event';
import type { Clock } from '../../core/model/ports';
import { reduce } from '../../core/reduce/reduce';
import { EMPTY_STATE, isAbsent, type Entry, type SessionState } from '../../core/model/state';

export class ReplayTarget {
  readonly events: SessionEvent[] = [];
  private folded: SessionState = EMPTY_STATE;
  private readonly initialCount: number;
  /** Of `events`, those that are on the screen, too. */
  private readonly mirrored = new Set<SessionEvent>();

  /** `initialEvents`: what the conversation begins with, known before the replay. `onUpdate` is called after each update. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    initialEvents: readonly UnstampedEvent[],
    private readonly onUpdate: () => void = () => undefined,
  ) {
    this.add(initialEvents);
    this.initialCount = this.events.length;
  }

  get seq(): number {
    return this.events.length;
  }

  /** The conversation that these events are. */
  get state(): SessionState {
    return this.folded;
  }

  /** The agent's updates, which nobody has seen: without the initial events and what was mirrored. */
  get unmirrored(): readonly SessionEvent[] {
    return this.events.slice(this.initialCount).filter((event) => !this.mirrored.has(event));
  }

  /** How many events came since the initial ones. */
  get count(): number {
    return this.events.length - this.initialCount;
  }

  append(...unstamped: readonly UnstampedEvent[]): void {
    this.add(unstamped);
    this.onUpdate();
  }

  /** What also happened on the screen: a question to the user cannot wait until all is told. */
  mirror(...unstamped: readonly UnstampedEvent[]): void {
    this.add(unstamped).forEach((event) => this.mirrored.add(event));
  }

  private add(unstamped: readonly UnstampedEvent[]): SessionEvent[] {
    const at = this.clock.now();
    const events = unstamped.map((event) => ({ ...event, at }) as SessionEvent);
    for (const event of events) {
      this.events.push(event);
      this.folded = reduce(this.folded, event);
    }
    return events;
  }
}

/** True when something was said or done: a conversation that consists of notices alone is none. */
export function isSpoken(state: SessionState): boolean {
  return has(state, ({ kind }) => kind === 'message' || kind === 'tool_call' || kind === 'compaction');
}

/** True when the user's own messages are in it, which no agent sends unless it tells a conversation again. */
export function isReplayed(state: SessionState): boolean {
  return has(state, (entry) => entry.kind === 'message' && entry.role === 'user');
}

/** True when the record has entries besides the questions to the user that the replay has, too. */
export function hasMore(record: SessionState, replay: SessionState): boolean {
  return has(record, ({ entryId }) => replay.entries.indexOf(entryId) < 0);
}

function has({ entries }: SessionState, is: (entry: Entry) => boolean): boolean {
  for (const slot of entries) {
    if (!isAbsent(slot) && is(slot)) {
      return true;
    }
  }
  return false;
}
