/**
 * The order of messages that arrive on several event streams. The protocol defines it within one stream only. A message that follows from another
 * stream's waits until that stream is quiet. The answer to `session/load` follows the replay, which is on the session's stream. A session that has
 * announced a subagent waits for the first messages of the subagent's stream.
 */
import type { Clock } from '../../../core/platform/clock';

/** ms without a message after which a stream has probably delivered what the server had for it. */
const QUIET_MS = 30;
/** The same after many messages: their server has had enough to do to pause in between. */
const MAX_QUIET_MS = 250;
const MESSAGES_PER_MS = 20;
/** Messages a second that are a replay. An agent at work sends fewer. */
const REPLAY_RATE = 200;
/** ms between two looks at the rate. */
const RATE_MS = 1000;
/** Messages of all streams that wait, and their UTF-16 units. A server that sends more meanwhile loses the order, but nothing else. */
const MAX_WAITING = 10_000;
const MAX_WAITING_SIZE = 32 * 1024 * 1024;

/** A message, or the wait for another stream. */
type Item = { readonly deliver: () => void; readonly size: number } | Wait;

interface Wait {
  readonly stream: string;
  readonly maxMs: number;
  /** ms for a stream that is as fast as a replay. */
  readonly longestMs: number;
  /** The end of the wait as it is known now, and what was known of the other stream when that was decided. */
  state?: { readonly began: number; readonly until: number; readonly at: number; readonly count: number };
}

interface Stream {
  /** The messages since the stream was asked for. */
  count: number;
  readonly items: Item[];
  /** The time of the newest message, or of the stream's beginning. Undefined until it has begun. */
  at: number | undefined;
  isGone: boolean;
  isScheduled: boolean;
}

export class StreamOrder {
  private readonly streams = new Map<string, Stream>();
  private waiting = 0;
  private waitingSize = 0;

  constructor(private readonly clock: Clock) {}

  /** The stream is asked for, so its messages are still to come. */
  expected(stream: string): void {
    const target = this.of(stream);
    target.at = undefined;
    target.count = 0;
    target.isGone = false;
  }

  /** The stream has begun, so its first message may arrive. */
  begun(stream: string): void {
    const target = this.of(stream);
    target.at = this.clock.now();
    target.isGone = false;
  }

  /** The stream will have no messages. */
  gone(stream: string): void {
    this.of(stream).isGone = true;
  }

  /** Calls `deliver` after the earlier messages of the stream, and at once if none of them waits. @param size of the message, in UTF-16 units */
  add(stream: string, deliver: () => void, size = 0): void {
    const target = this.of(stream);
    target.at = this.clock.now();
    target.count++;
    target.items.push({ deliver, size });
    this.waiting++;
    this.waitingSize += size;
    this.drain(target);
    if (this.waiting > MAX_WAITING || this.waitingSize > MAX_WAITING_SIZE) {
      this.flush();
    }
  }

  /**
   * Lets later messages of `stream` wait until the other stream has begun and is quiet, for `maxMs` at most. @param longestMs for another stream that is
   * as fast as a replay
   */
  wait(stream: string, other: string, maxMs: number, longestMs = maxMs): void {
    if (other !== stream) {
      this.of(stream).items.push({ stream: other, maxMs, longestMs });
    }
  }

  /** Delivers everything that waits. */
  flush(): void {
    for (const { items } of this.streams.values()) {
      for (const item of items.splice(0)) {
        this.pass(item);
      }
    }
  }

  private of(name: string): Stream {
    const known = this.streams.get(name);
    if (known) {
      return known;
    }
    const stream: Stream = { items: [], count: 0, at: undefined, isGone: false, isScheduled: false };
    this.streams.set(name, stream);
    return stream;
  }

  private drain(stream: Stream): void {
    for (let item = stream.items[0]; item !== undefined; item = stream.items[0]) {
      if ('stream' in item && !this.isSettled(item)) {
        this.checkLater(stream);
        return;
      }
      stream.items.shift();
      this.pass(item);
    }
  }

  private pass(item: Item): void {
    if ('deliver' in item) {
      this.waiting--;
      this.waitingSize -= item.size;
      item.deliver();
    }
  }

  private isSettled(item: Wait): boolean {
    const now = this.clock.now();
    const other = this.of(item.stream);
    const state = (item.state ??= { began: now, until: now + item.maxMs, at: now, count: other.count });
    let { until } = state;
    if (now >= until && now < state.began + item.longestMs) {
      const isReplay = (other.count - state.count) * 1000 >= REPLAY_RATE * (now - state.at);
      until = isReplay ? now + RATE_MS : now;
      item.state = { began: state.began, until, at: now, count: other.count };
    }
    const { at, items, isGone, count } = other;
    const quietMs = Math.min(MAX_QUIET_MS, QUIET_MS + count / MESSAGES_PER_MS);
    return isGone || now >= until || (at !== undefined && items.length === 0 && now - at >= quietMs);
  }

  private checkLater(stream: Stream): void {
    if (!stream.isScheduled) {
      stream.isScheduled = true;
      // Messages that arrived while the process was busy are read between the two timers.
      this.clock.after(QUIET_MS, () =>
        this.clock.after(0, () => {
          stream.isScheduled = false;
          this.drain(stream);
        }),
      );
    }
  }
}
