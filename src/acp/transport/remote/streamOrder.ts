/**
 * The order of messages that arrive on several event streams. The protocol defines it within one stream only. A message that follows from another
 * stream's waits until that stream is quiet. The answer to `session/load` follows the replay, which is on the session's stream. A session that has
 * announced a subagent waits for the first messages of the subagent's stream.
 */
import type { Clock } from '../../../core/platform/clock';

/** ms without a message after which a stream has probably delivered what the server had for it. */
const QUIET_MS = 30;

/** A message, or the wait for another stream. */
type Item = (() => void) | { readonly stream: string; readonly maxMs: number; until?: number };

interface Stream {
  readonly items: Item[];
  /** The time of the newest message, or of the stream's beginning. Undefined until it has begun. */
  at: number | undefined;
  isGone: boolean;
  isScheduled: boolean;
}

export class StreamOrder {
  private readonly streams = new Map<string, Stream>();

  constructor(private readonly clock: Clock) {}

  /** The stream is asked for, so its messages are still to come. */
  expected(stream: string): void {
    const target = this.of(stream);
    target.at = undefined;
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

  /** Calls `deliver` after the earlier messages of the stream, and at once if none of them waits. */
  add(stream: string, deliver: () => void): void {
    const target = this.of(stream);
    target.at = this.clock.now();
    target.items.push(deliver);
    this.drain(target);
  }

  /** Lets later messages of `stream` wait until the other stream has begun and is quiet, for `maxMs` at most. */
  wait(stream: string, other: string, maxMs: number): void {
    if (other !== stream) {
      this.of(stream).items.push({ stream: other, maxMs });
    }
  }

  /** Delivers everything that waits. */
  flush(): void {
    for (const { items } of this.streams.values()) {
      for (const item of items.splice(0)) {
        if (typeof item === 'function') {
          item();
        }
      }
    }
  }

  private of(name: string): Stream {
    const known = this.streams.get(name);
    if (known) {
      return known;
    }
    const stream: Stream = { items: [], at: undefined, isGone: false, isScheduled: false };
    this.streams.set(name, stream);
    return stream;
  }

  private drain(stream: Stream): void {
    for (let item = stream.items[0]; item !== undefined; item = stream.items[0]) {
      if (typeof item !== 'function' && !this.isSettled(item)) {
        this.checkLater(stream);
        return;
      }
      stream.items.shift();
      if (typeof item === 'function') {
        item();
      }
    }
  }

  private isSettled(item: Exclude<Item, () => void>): boolean {
    const now = this.clock.now();
    item.until ??= now + item.maxMs;
    const { at, items, isGone } = this.of(item.stream);
    return isGone || now >= item.until || (at !== undefined && items.length === 0 && now - at >= QUIET_MS);
  }

  private checkLater(stream: Stream): void {
    if (!stream.isScheduled) {
      stream.isScheduled = true;
      this.clock.after(QUIET_MS, () => {
        stream.isScheduled = false;
        this.drain(stream);
      });
    }
  }
}
