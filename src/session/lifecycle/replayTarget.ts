/**
 * What an agent tells while it brings a session back, collected aside until it is whole: nobody sees it grow, nothing is shown twice, and when it
 * breaks off what was there before still is.
 */
import type { SessionEvent, SessionHappening } from '../../core/model/event';
import type { Clock } from '../../core/model/ports';
import { reduce } from '../../core/reduce/reduce';
import { EMPTY_STATE, isAbsent, type Entry, type SessionState } from '../../core/model/state';

export class Replay {
  readonly events: SessionEvent[] = [];
  private folded: SessionState = EMPTY_STATE;
  private readonly known: number;
  /** Of `events`, those that are on the screen, too. */
  private readonly seen = new Set<SessionEvent>();

  /** `prologue`: what the conversation begins with, known before it is told. `onTold` is called after each update. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    prologue: readonly SessionHappening[],
    private readonly onTold: () => void = () => undefined,
  ) {
    this.add(prologue);
    this.known = this.events.length;
  }

  get seq(): number {
    return this.events.length;
  }

  /** The conversation that these events are. */
  get state(): SessionState {
    return this.folded;
  }

  /** What the agent has told, and nobody has seen: without the prologue and what was mirrored. */
  get told(): readonly SessionEvent[] {
    return this.events.slice(this.known).filter((event) => !this.seen.has(event));
  }

  /** How much that is. */
  get count(): number {
    return this.events.length - this.known;
  }

  append(...happenings: readonly SessionHappening[]): void {
    this.add(happenings);
    this.onTold();
  }

  /** What also happened on the screen: a question to the user cannot wait until all is told. */
  mirror(...happenings: readonly SessionHappening[]): void {
    this.add(happenings).forEach((event) => this.seen.add(event));
  }

  private add(happenings: readonly SessionHappening[]): SessionEvent[] {
    const at = this.clock.now();
    const events = happenings.map((happening) => ({ ...happening, at }) as SessionEvent);
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
export function isToldAgain(state: SessionState): boolean {
  return has(state, (entry) => entry.kind === 'message' && entry.role === 'user');
}

function has({ entries }: SessionState, is: (entry: Entry) => boolean): boolean {
  for (const slot of entries) {
    if (!isAbsent(slot) && is(slot)) {
      return true;
    }
  }
  return false;
}
