/**
 * Terminal output as plain text: no escape sequences, LF line ends. Works on bytes, because output arrives cut anywhere and every
 * sequence is made of bytes that no UTF-8 character contains; so characters pass through untouched, whole or in pieces.
 */

const ESC = 0x1b;
const BEL = 0x07;
const CR = 0x0d;
const LF = 0x0a;
const CAN = 0x18;
const SUB = 0x1a;
/** The first byte of U+0080..U+00BF: C1 controls, among them the one-character forms of CSI and OSC, are U+0080..U+009F. */
const C2 = 0xc2;

const enum State {
  Ground,
  /** After C2. */
  C1,
  /** After ESC. */
  Escape,
  /** After ESC and an intermediate byte, as in `ESC ( B`. */
  EscapeIntermediate,
  Csi,
  /** Operating system command: titles, links. Ends with BEL or ST; a line end gives up, so that a broken one costs one line. */
  Osc,
  /** DCS, SOS, PM, APC: ends with ST. */
  Text,
  /** After ESC inside OSC or the other strings: `\` makes it ST. */
  StringEscape,
}

/** 1 for bytes that need a look in {@link State.Ground}; everything else is copied. */
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

/**
 * A streaming filter. CRLF (with any number of CR) becomes LF, and so does a CR alone once something follows it on its line: a
 * progress bar becomes one line per step. Other control characters are left out.
 */
export class PlainText {
  private state = State.Ground;
  /** A CR was read; what it means depends on what comes. */
  private pendingCr = false;
  private atLineStart = true;
  /** C2 was read, and what follows shows that it is text. */
  private heldC2 = false;
  private scratch = new Uint8Array(0);

  /** The plain bytes of `chunk`, at most two more than it holds. Valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    if (chunk.length <= SCRATCH && this.scratch.length === 0) {
      this.scratch = new Uint8Array(SCRATCH + 2);
    }
    const out = chunk.length <= SCRATCH ? this.scratch : new Uint8Array(chunk.length + 2);
    const end = chunk.length;
    let length = 0;
    let index = 0;
    while (index < end) {
      if (this.state !== State.Ground) {
        if (this.step(chunk[index]!)) {
          index++;
        }
        if (this.heldC2) {
          this.heldC2 = false;
          length = this.beginText(C2, out, length);
          out[length++] = C2;
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
        out[length++] = LF;
      }
    }
    this.atLineStart = byte === LF;
    return length;
  }

  /** The special byte at `index`, in the ground state; where to go on. */
  private special(chunk: Uint8Array, index: number): number {
    const byte = chunk[index]!;
    if (byte === CR) {
      this.pendingCr = true;
    } else if (byte === C2) {
      this.state = State.C1;
    } else if (byte === ESC) {
      if (chunk[index + 1] === 0x5b) {
        // Nearly all sequences are these, and whole.
        let at = index + 2;
        while (at < chunk.length && chunk[at]! >= 0x20 && chunk[at]! <= 0x3f) {
          at++;
        }
        if (at < chunk.length && chunk[at]! >= 0x40 && chunk[at]! <= 0x7e) {
          return at + 1;
        }
      }
      this.state = State.Escape;
    }
    return index + 1;
  }

  /** One byte outside the ground state. False: the byte is to be read again, in the state that is now set. */
  private step(byte: number): boolean {
    switch (this.state) {
      case State.C1:
        if (byte >= 0x80 && byte <= 0x9f) {
          this.state = afterEscape(byte - 0x40);
          return true;
        }
        this.state = State.Ground;
        this.heldC2 = true;
        return false;
      case State.Escape:
        if (byte >= 0x20 && byte <= 0x2f) {
          this.state = State.EscapeIntermediate;
          return true;
        }
        if (byte >= 0x30 && byte <= 0x7e) {
          this.state = afterEscape(byte);
          return true;
        }
        return this.abandon(byte);
      case State.EscapeIntermediate:
        if (byte >= 0x20 && byte <= 0x2f) {
          return true;
        }
        if (byte >= 0x30 && byte <= 0x7e) {
          this.state = State.Ground;
          return true;
        }
        return this.abandon(byte);
      case State.Csi:
        if (byte >= 0x40 && byte <= 0x7e) {
          this.state = State.Ground;
          return true;
        }
        return byte >= 0x20 && byte <= 0x3f ? true : this.abandon(byte);
      case State.Osc:
        if (byte === BEL) {
          this.state = State.Ground;
          return true;
        }
        if (byte === LF || byte === CR) {
          return this.abandon(byte);
        }
        return this.insideString(byte);
      case State.Text:
        return this.insideString(byte);
      case State.StringEscape:
        if (byte === 0x5c) {
          this.state = State.Ground;
          return true;
        }
        // Any other sequence ends the string and begins.
        this.state = State.Escape;
        return false;
      default:
        return this.abandon(byte);
    }
  }

  private insideString(byte: number): boolean {
    if (byte === ESC) {
      this.state = State.StringEscape;
    } else if (byte === CAN || byte === SUB) {
      this.state = State.Ground;
    }
    return true;
  }

  private abandon(byte: number): boolean {
    this.state = State.Ground;
    // ESC starts anew, CAN and SUB are dropped there, a line end is kept, anything else is text.
    return byte === CAN || byte === SUB;
  }
}

function afterEscape(byte: number): State {
  switch (byte) {
    case 0x5b: // [
      return State.Csi;
    case 0x5d: // ]
      return State.Osc;
    case 0x50: // P: DCS
    case 0x58: // X: SOS
    case 0x5e: // ^: PM
    case 0x5f: // _: APC
      return State.Text;
    default:
      return State.Ground;
  }
}
