/**
 * Converts a program's output to plain text: no escape sequences, LF line ends. Works on bytes, because output arrives cut anywhere. No UTF-8
 * character contains the bytes of a sequence, so characters pass unchanged, whole or in pieces. Pure.
 */
import { begin, CSI, ESC, GROUND, isAgain, stateOf, step, STRING, STRING_ESCAPE } from './machine';

const CR = 0x0d;
const LF = 0x0a;
/** The first byte of U+0080..U+00BF: C1 controls, among them the one-character forms of CSI and OSC, are U+0080..U+009F. */
const C2 = 0xc2;

/** The unit for bytes of a character that is not a C1 control. */
const TEXT = 0xa0;

/** 1 for bytes with a special meaning between sequences. All others are copied. */
const SPECIAL = new Uint8Array(256);
for (let byte = 0; byte < 0x20; byte++) {
  SPECIAL[byte] = 1;
}
SPECIAL[0x7f] = 1;
SPECIAL[C2] = 1;
// Tab, LF, vertical tab and form feed are text.
SPECIAL[0x09] = SPECIAL[LF] = SPECIAL[0x0b] = SPECIAL[0x0c] = 0;

/** Bytes of the buffer that is reused between calls. */
const SCRATCH = 8192;

/** Runs shorter than this are copied faster by a loop than by a call. */
const SHORT_RUN = 48;

/** Bytes in place of cursor moves, for a caller that keeps rows. Plain output has no such controls. Each is followed by a count plus 0x80. */
export const MOVES_UP = 0x01;
export const MOVES_DOWN = 0x02;
/** Erases everything below the cursor. */
export const ERASES_BELOW = 0x03;
/** Erases the whole row of the cursor, with a count of 2, or the part to the right of it, with a count of 1. */
export const ERASES_ROW = 0x04;
/** The most rows of one move. */
const MAX_ROWS = 127;
/** The most bytes of a sequence that are read for its parameter. */
const MAX_PARAMETER = 8;

/**
 * A streaming filter. CRLF (with any number of CR) becomes LF. A CR alone also becomes LF once text follows on its line, so a progress bar becomes
 * one line per step. Other control characters are removed. A line end breaks off a sequence, so that a damaged one loses only its line.
 */
export class ByteStripper {
  private state = GROUND;
  /** A CR was read. The next byte decides its meaning. */
  private pendingCr = false;
  private atLineStart = true;
  /** C2 was read. With the next byte it may be a C1 control. */
  private heldC2 = false;
  private scratch = new Uint8Array(0);
  /** The parameter of the control sequence that is being read. */
  private parameter = '';
  /** True when the last chunk moved the cursor between rows. */
  hasMoves = false;

  /**
   * @param frames a CR alone stays a CR, in place of the LF. Moves between rows become {@link MOVES_UP}, {@link MOVES_DOWN}, {@link ERASES_BELOW} and
   * {@link ERASES_ROW}. The caller can then drop the text that was overwritten.
   */
  constructor(private readonly frames = false) {}

  /** Returns the plain bytes of `chunk`, at most two more than it has. Valid until the next call. */
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

  /** Writes the line end for a CR before `byte`, now that text follows. */
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

  /** Reads the special byte at `index`, between sequences. Returns the index to continue at. */
  private special(chunk: Uint8Array, index: number): number {
    const byte = chunk[index]!;
    if (byte === CR) {
      this.pendingCr = true;
    } else if (byte === C2) {
      this.heldC2 = true;
    } else if (byte === ESC) {
      if (chunk[index + 1] === 0x5b) {
        // Nearly all sequences have this form and are complete.
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

  /** Reads one unit of a sequence. Returns false when the unit must be read again in the new state. */
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

/** True for the last byte of a sequence that moves the cursor up or down (A, B, E, F) or erases (J, K). */
function isMove(final: number): boolean {
  return final === 0x41 || final === 0x42 || final === 0x45 || final === 0x46 || final === 0x4a || final === 0x4b;
}

/** Returns the move with its count; undefined for other and unknown sequences. @param isAtStart a carriage return came before it */
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
