/**
 * Buffers the agent's updates until it has answered `session/load` or `session/resume`. The conversation does not change before the replay is
 * complete, or when it fails.
 */
import type { SessionEvent, EventInput } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import { reduce } from '../../core/reduce/reduce';
import { ownerOf, subagentsIn } from '../../core/subagents/subagentTree';
import { EMPTY_STATE, isAbsent, type SessionState, type Slot } from '../../core/model/state';

export class ReplayTarget {
  readonly events: SessionEvent[] = [];
  private reduced: SessionState = EMPTY_STATE;
  private readonly initialCount: number;
  /** The events that are also shown already. */
  private readonly mirrored = new Set<SessionEvent>();

  /** `initialEvents`: the beginning of the conversation, known before the replay. `onUpdate` is called after each update. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    initialEvents: readonly EventInput[],
    private readonly onUpdate: () => void = () => undefined,
  ) {
    this.add(initialEvents);
    this.initialCount = this.events.length;
  }

  get seq(): number {
    return this.events.length;
  }

  /** The reduced state of the events. */
  get state(): SessionState {
    return this.reduced;
  }

  /** The agent's updates that are not shown yet: without the initial and the mirrored events. */
  get unmirrored(): readonly SessionEvent[] {
    return this.events.slice(this.initialCount).filter((event) => !this.mirrored.has(event));
  }

  /** The number of events after the initial ones. */
  get count(): number {
    return this.events.length - this.initialCount;
  }

  append(...unstamped: readonly EventInput[]): void {
    this.add(unstamped);
    this.onUpdate();
  }

  /** Adds events that are also shown immediately, because a question to the user cannot wait for the end of the replay. */
  mirror(...unstamped: readonly EventInput[]): void {
    this.add(unstamped).forEach((event) => this.mirrored.add(event));
  }

  private add(unstamped: readonly EventInput[]): SessionEvent[] {
    const at = this.clock.now();
    const events = unstamped.map((event) => ({ ...event, at }) as SessionEvent);
    for (const event of events) {
      this.events.push(event);
      this.reduced = reduce(this.reduced, event);
    }
    return events;
  }
}

/** True when the conversation has messages, tool calls or compactions; notices alone do not count. */
export function isSpoken(state: SessionState): boolean {
  return has(state, ({ kind }) => kind === 'message' || kind === 'tool_call' || kind === 'compaction');
}

/** True when the state has messages of the user: agents send those only when they replay a conversation. */
export function isReplayed(state: SessionState): boolean {
  for (const slot of state.entries) {
    if (slot.kind === 'message' && !isAbsent(slot) && slot.role === 'user') {
      return true;
    }
  }
  return false;
}

/** True when the record has entries that the replay does not have. An entry that cannot be read counts, too. */
export function hasMore(record: SessionState, replay: SessionState): boolean {
  const isMissing = ({ entryId }: Head): boolean => replay.entries.indexOf(entryId) < 0 && ownerOf(replay, entryId) === undefined;
  return has(record, isMissing) || subagentsIn(record).some(({ conversation }) => has(conversation, isMissing));
}

type Head = Pick<Slot, 'entryId' | 'kind'>;

function has({ entries }: SessionState, is: (head: Head) => boolean): boolean {
  for (const head of entries.heads()) {
    if (is(head)) {
      return true;
    }
  }
  return false;
}
