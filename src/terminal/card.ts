/** The output that a card gets: a limited amount per interval, so that a flood costs the window little. Omitted output is always reported. */
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { withoutCoveredFrames } from './frames';
import { ByteRing } from './ring';
import { completeLength, startOfCharacter } from './utf8';

/** The time in ms between two emitted texts. */
const INTERVAL_MS = 30;
/** The number of bytes kept from the start and, below, from the end of the output of one interval. */
const HEAD_LIMIT = 16 * 1024;
const TAIL_LIMIT = 16 * 1024;
/** The distance in bytes from a cut within which a line end is searched for. A cut there keeps lines and escape sequences whole. */
const LINE_SEARCH = 4096;

const LF = 0x0a;

/** Decodes and combines output. `emit` gets the text, and the number of bytes omitted directly before it. */
export class CardFeed {
  private readonly clock: Clock;
  private readonly emit: (text: string, skipped: number) => void;
  private readonly head = new ByteRing(HEAD_LIMIT);
  private readonly tail = new ByteRing(TAIL_LIMIT);
  private decoder = newDecoder();
  private timer: Disposable | undefined;

  constructor(clock: Clock, emit: (text: string, skipped: number) => void) {
    this.clock = clock;
    this.emit = emit;
  }

  push(output: Uint8Array): void {
    const chunk = withoutCoveredFrames(output);
    const service = HEAD_LIMIT - this.head.total;
    if (service > 0) {
      this.head.push(chunk.subarray(0, service));
    }
    if (chunk.length > service) {
      this.tail.push(chunk.subarray(Math.max(0, service)));
    }
    this.timer ??= this.clock.after(INTERVAL_MS, () => this.flush());
  }

  /** Emits the pending output. @param final true at the end: an incomplete character is emitted as it is */
  flush(final = false): void {
    this.timer?.dispose();
    this.timer = undefined;
    let head = this.head.bytes();
    let tail = this.tail.bytes();
    const total = this.head.total + this.tail.total;
    const cut = this.tail.truncated;
    this.head.clear();
    this.tail.clear();
    if (cut) {
      const lastLine = head.lastIndexOf(LF);
      head = head.subarray(0, lastLine >= head.length - LINE_SEARCH ? lastLine + 1 : completeLength(head));
      const nextLine = tail.indexOf(LF);
      tail = tail.subarray(nextLine >= 0 && nextLine < LINE_SEARCH ? nextLine + 1 : startOfCharacter(tail, 0));
      this.say(this.decoder.decode(head), 0);
      this.decoder = newDecoder();
      this.say(this.decoder.decode(tail, { stream: !final }), total - head.length - tail.length);
    } else {
      this.say(this.decoder.decode(head, { stream: true }) + this.decoder.decode(tail, { stream: !final }), 0);
    }
  }

  private say(text: string, skipped: number): void {
    if (text !== '' || skipped > 0) {
      this.emit(text, skipped);
    }
  }
}

function newDecoder() {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
