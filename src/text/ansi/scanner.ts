/** A program's output, cut anywhere, as text, control characters and escape sequences. Pure. */
import { begin, GROUND, isAgain, isEnd, nextSequence, plainControlSequenceEnd, skip, stateOf, step, STRING_ESCAPE } from './machine';

/** UTF-16 units of a sequence that is held until its end is there. */
const MAX_HELD = 64 * 1024;

/**
 * Of a sequence: it came whole; it was broken off, by CAN or by what stands behind it; or it is longer than 64 K UTF-16 units, and this is its
 * beginning, what goes on, or its end.
 */
export type Extent = 'whole' | 'broken' | 'begun' | 'more' | 'ended';

export interface AnsiEvents {
  /** What stands between sequences, never empty. There may be control characters in it: C0, DEL, and C1 that begin nothing longer. */
  text(text: string): void;
  /** As it came, with the control characters that stood in it. */
  sequence(raw: string, extent: Extent): void;
}

export class AnsiScanner {
  private state = GROUND;
  /** The beginning of a sequence whose end is still to come; of a long one only the ESC that may begin its end. */
  private held = '';
  /** What is being read is longer than is held. */
  private isLong = false;

  /** Tells `events` what `added` completes. What it begins waits for the next call. */
  push(added: string, events: AnsiEvents): void {
    const input = this.held + added;
    let at = this.held.length;
    let start = 0;
    this.held = '';
    const { length } = input;
    let { state } = this;
    while (at < length) {
      if (state === GROUND) {
        start = nextSequence(input, at);
        if (start > at) {
          events.text(input.slice(at, start));
        }
        const end = plainControlSequenceEnd(input, start);
        if (end > 0) {
          events.sequence(input.slice(start, end), 'whole');
          at = end;
        } else if (start < length) {
          state = begin(input.charCodeAt(start));
          at = start + 1;
        } else {
          at = length;
        }
        continue;
      }
      at = skip(state, input, at);
      if (at >= length) {
        break;
      }
      const stepped = step(state, input.charCodeAt(at));
      if (isAgain(stepped)) {
        // The ESC that ended a string has begun the next sequence.
        const end = state === STRING_ESCAPE ? at - 1 : at;
        this.tell(input.slice(start, end), state === STRING_ESCAPE ? 'whole' : 'broken', events);
        start = end;
      } else {
        at++;
        if (stateOf(stepped) === GROUND) {
          this.tell(input.slice(start, at), isEnd(stepped) ? 'whole' : 'broken', events);
        }
      }
      state = stateOf(stepped);
    }
    this.state = state;
    if (state !== GROUND) {
      this.hold(input.slice(start), events);
    }
  }

  /** What comes next does not go on where this ended. */
  reset(): void {
    this.state = GROUND;
    this.held = '';
    this.isLong = false;
  }

  private tell(raw: string, extent: 'whole' | 'broken', events: AnsiEvents): void {
    events.sequence(raw, this.isLong ? 'ended' : extent);
    this.isLong = false;
  }

  private hold(raw: string, events: AnsiEvents): void {
    if (!this.isLong && raw.length <= MAX_HELD) {
      this.held = raw;
      return;
    }
    // The last character may begin the end.
    const kept = this.state === STRING_ESCAPE ? raw.length - 1 : raw.length;
    if (kept > 0) {
      events.sequence(raw.slice(0, kept), this.isLong ? 'more' : 'begun');
    }
    this.isLong = true;
    this.held = raw.slice(kept);
  }
}
