/**
 * A program's output as plain text: no escape sequences, LF line ends. Works on bytes, because output arrives cut anywhere and every sequence is
 * made of bytes that no UTF-8 character contains; so characters pass through untouched, whole or in pieces. Pure.
 */
import { begin, CSI, ESC, GROUND, isAgain, stateOf, step, STRING, STRING_ESCAPE } from './machine';

const CR = 0x0d;
const LF = 0x0a;
/** The first byte of U+0080..U+00BF: C1 controls, among them the one-character forms of CSI and OSC, are U+0080..U+009F. */
const C2 = 0xc2;

/** A unit for bytes of characters that are no C1 control. */
const TEXT = 0xa0;

/** 1 for bytes that need a look between sequences; everything else is copied. */
const SPECIAL = new Uint8Array(256);
for (let byte = 0; byte < 0x20; byte++) {
  SPECIAL[byte] = 1;
}
SPECIAL[0x7f] = 1;
SPECIAL[C2] = 1;
// Tab, LF, vertical tab and form feed are text.
SPECIAL[0x09] = SPECIAL[LF] = SPECIAL[0x0b] = SPECIAL[0x0c] = 0;

/** Bytes of memory kept from call to call. */
const SCRATCH = 8192;

/** Shorter runs are copied faster by hand than by a call. */
const SHORT_RUN = 48;

/** Bytes in place of moves of the cursor, for a caller that keeps rows. Plain output has no such controls. Each is followed by a count plus 0x80. */
export const MOVES_UP = 0x01;
export const MOVES_DOWN = 0x02;
/** Erases everything below the cursor. */
export const ERASES_BELOW = 0x03;
/** Erases the row of the cursor, with a count of 2, or what is right of the cursor, with a count of 1. */
export const ERASES_ROW = 0x04;
/** Rows of one move. */
const MAX_ROWS = 127;
/** Bytes of a sequence that is read for its parameter. */
const MAX_PARAMETER = 8;

/**
 * A streaming filter. CRLF (with any number of CR) becomes LF, and so does a CR alone once something follows it on its line: a
 * progress bar becomes one line per step. Other control characters are left out. A sequence that a line end stands in is broken off there, so that
 * a damaged one costs its line.
 */
export class ByteStripper {
  private state = GROUND;
  /** A CR was read; what it means depends on what comes. */
  private pendingCr = false;
  private atLineStart = true;
  /** C2 was read: with the next byte it may be a C1 control. */
  private heldC2 = false;
  private scratch = new Uint8Array(0);
  /** The parameter of the control sequence that is being read. */
  private parameter = '';
  /** True when the last chunk moved the cursor between rows. */
  hasMoves = false;

  /**
   * @param frames a CR alone stays a CR, in place of the LF. Moves between rows become {@link MOVES_UP}, {@link MOVES_DOWN},
   * {@link ERASES_BELOW} and {@link ERASES_ROW}. The caller can then drop the text that was overwritten.
   */
  constructor(private readonly frames = false) {}

  /** The plain bytes of `chunk`, at most two more than it holds. Valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    if (chunk.length <= SCRATCH && this.scratch.length === 0) {
      this.scratch = new Uint8Array(SCRATCH + 2);
    }
    const out = chunk.length <= SCRATCH ? this.scratch : new Uint8Array(chunk.length + 2);
    const end = chunk.length;
    let length = 0;
    let index = 0;
    this.hasMoves = false;
    while (index < end) {
      if (this.heldC2) {
        this.heldC2 = false;
        const byte = chunk[index]!;
        const isControl = byte >= 0x80 && byte <= 0x9f;
        if (this.takes(isControl ? byte : TEXT)) {
          index += isControl ? 1 : 0;
        } else {
          length = this.beginText(C2, out, length);
          out[length++] = C2;
        }
        continue;
      }
      if (this.state !== GROUND) {
        const byte = chunk[index]!;
        const isControlSequence = this.state === CSI;
        if (byte === C2) {
          this.heldC2 = true;
          index++;
        } else if (this.advance(byte < 0x80 ? byte : TEXT)) {
          index++;
          if (isControlSequence && this.frames) {
            length = this.readSequence(byte, out, length);
          }
        }
        continue;
      }
      const start = index;
      while (index < end && SPECIAL[chunk[index]!] === 0) {
        index++;
      }
      if (index > start) {
        length = this.beginText(chunk[start]!, out, length);
        if (index - start < SHORT_RUN) {
          for (let at = start; at < index; at++) {
            out[length++] = chunk[at]!;
          }
        } else {
          out.set(chunk.subarray(start, index), length);
          length += index - start;
        }
        this.atLineStart = out[length - 1] === LF;
      }
      if (index < end) {
        index = this.special(chunk, index);
      }
    }
    return out.subarray(0, length);
  }

  /** What a CR before `byte` turns into, now that text follows. */
  private beginText(byte: number, out: Uint8Array, at: number): number {
    let length = at;
    if (this.pendingCr) {
      this.pendingCr = false;
      if (byte !== LF && !this.atLineStart) {
        out[length++] = this.frames ? CR : LF;
      }
    }
    this.atLineStart = byte === LF;
    return length;
  }

  /** The special byte at `index`, between sequences; where to go on. */
  private special(chunk: Uint8Array, index: number): number {
    const byte = chunk[index]!;
    if (byte === CR) {
      this.pendingCr = true;
    } else if (byte === C2) {
      this.heldC2 = true;
    } else if (byte === ESC) {
      if (chunk[index + 1] === 0x5b) {
        // Nearly all sequences are these, and whole.
        let at = index + 2;
        while (at < chunk.length && chunk[at]! >= 0x20 && chunk[at]! <= 0x3f) {
          at++;
        }
        if (at < chunk.length && chunk[at]! >= 0x40 && chunk[at]! <= 0x7e && !(this.frames && isMove(chunk[at]!))) {
          return at + 1;
        }
      }
      this.state = begin(byte);
      this.parameter = '';
    }
    return index + 1;
  }

  /** Reads a byte of a control sequence. Returns the new length of `out`. */
  private readSequence(byte: number, out: Uint8Array, length: number): number {
    if (byte < 0x40) {
      this.parameter += this.parameter.length < MAX_PARAMETER ? String.fromCharCode(byte) : '';
      return length;
    }
    const { parameter } = this;
    this.parameter = '';
    const move = moveOf(byte, parameter, this.pendingCr);
    if (!move) {
      return length;
    }
    const [kind, count] = move;
    this.hasMoves = true;
    if (kind !== ERASES_ROW || count === 2) {
      this.pendingCr = false;
      this.atLineStart = true;
    }
    out[length] = kind;
    out[length + 1] = 0x80 + count;
    return length + 2;
  }

  /** True for a unit of a sequence, or one that begins a sequence or is a control; false for text. */
  private takes(unit: number): boolean {
    while (this.state !== GROUND) {
      if (this.advance(unit)) {
        return true;
      }
    }
    if (unit === TEXT) {
      return false;
    }
    this.state = begin(unit);
    this.parameter = '';
    return true;
  }

  /** One unit of a sequence. False: it is to be read again, in the state that is now set. */
  private advance(unit: number): boolean {
    if ((unit === LF || unit === CR) && this.state !== STRING && this.state !== STRING_ESCAPE) {
      this.state = GROUND;
      return false;
    }
    const stepped = step(this.state, unit);
    this.state = stateOf(stepped);
    return !isAgain(stepped);
  }
}

/** The last byte of a sequence that moves the cursor up or down (A, B, E, F) or erases (J, K). */
function isMove(final: number): boolean {
  return final === 0x41 || final === 0x42 || final === 0x45 || final === 0x46 || final === 0x4a || final === 0x4b;
}

/** The move, with its count; undefined for another sequence, and for one that this does not know. @param isAtStart a carriage return came before it */
function moveOf(final: number, parameter: string, isAtStart: boolean): readonly [kind: number, count: number] | undefined {
  if (!isMove(final) || !/^\d{0,3}$/.test(parameter)) {
    return undefined;
  }
  const value = Number(parameter);
  switch (final) {
    case 0x4a:
      return value === 0 ? [ERASES_BELOW, 1] : undefined;
    case 0x4b:
      return value === 2 || (value === 0 && isAtStart) ? [ERASES_ROW, 2] : value === 0 ? [ERASES_ROW, 1] : undefined;
    default:
      return [final === 0x41 || final === 0x46 ? MOVES_UP : MOVES_DOWN, Math.min(Math.max(value, 1), MAX_ROWS)];
  }
}
