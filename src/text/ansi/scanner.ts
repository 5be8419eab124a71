/** Splits a program's output, which may be cut anywhere, into text, control characters and escape sequences. Pure. */
import { begin, GROUND, isAgain, isEnd, nextSequence, plainControlSequenceEnd, skip, stateOf, step, STRING_ESCAPE } from './machine';

/** The most UTF-16 units of a sequence that are buffered until it ends. */
const MAX_HELD = 64 * 1024;

/**
 * The part of a sequence that is reported. `whole`: all of it. `broken`: interrupted by CAN or by the next sequence. A sequence of more than 64 K
 * UTF-16 units comes in parts: its beginning, more of it, and its end.
 */
export type Extent = 'whole' | 'broken' | 'begun' | 'more' | 'ended';

export interface AnsiEvents {
  /** Reports the text between sequences, never empty. It may have control characters: C0, DEL, and C1 that begin no sequence. */
  text(text: string): void;
  /** Reports a sequence as it came, including control characters in it. */
  sequence(raw: string, extent: Extent): void;
}

export class AnsiScanner {
  private state = GROUND;
  /** The beginning of a sequence that has not ended. When it is long, only an ESC that may begin its end. */
  private held = '';
  /** True while the current sequence exceeds the buffer. */
  private isLong = false;

  /** Reports everything that `added` completes to `events`. The incomplete rest is buffered for the next call. */
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
        this.emit(input.slice(start, end), state === STRING_ESCAPE ? 'whole' : 'broken', events);
        start = end;
      } else {
        at++;
        if (stateOf(stepped) === GROUND) {
          this.emit(input.slice(start, at), isEnd(stepped) ? 'whole' : 'broken', events);
        }
      }
      state = stateOf(stepped);
    }
    this.state = state;
    if (state !== GROUND) {
      this.hold(input.slice(start), events);
    }
  }

  /** Discards the state, because the next output does not continue this one. */
  reset(): void {
    this.state = GROUND;
    this.held = '';
    this.isLong = false;
  }

  private emit(raw: string, extent: 'whole' | 'broken', events: AnsiEvents): void {
    events.sequence(raw, this.isLong ? 'ended' : extent);
    this.isLong = false;
  }

  private hold(raw: string, events: AnsiEvents): void {
    if (!this.isLong && raw.length <= MAX_HELD) {
      this.held = raw;
      return;
    }
    // The last character may begin the end of the sequence.
    const kept = this.state === STRING_ESCAPE ? raw.length - 1 : raw.length;
    if (kept > 0) {
      events.sequence(raw.slice(0, kept), this.isLong ? 'more' : 'begun');
    }
    this.isLong = true;
    this.held = raw.slice(kept);
  }
}
