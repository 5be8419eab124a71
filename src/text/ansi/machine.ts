/**
 * Escape sequences of terminals, one unit at a time: where each begins and ends (ECMA-48, as xterm reads it). The one grammar of everything that
 * looks into a program's output. A unit is a UTF-16 unit, or a byte where C1 controls are put together first. Pure.
 */

/** Between sequences: text, and controls that stand alone. */
export const GROUND = 0;
/** After ESC. */
export const ESCAPE = 1;
/** After ESC and an intermediate, as in `ESC ( B`. */
export const INTERMEDIATE = 2;
/** Control sequence: colours, moves of the cursor, modes. */
export const CSI = 3;
/** Operating system command: titles, links, the clipboard. Ends with BEL or ST. */
export const OSC = 4;
/** DCS, SOS, PM and APC: end with ST. */
export const STRING = 5;
/** After ESC in a string: `\` makes it ST, anything else begins another sequence. */
export const STRING_ESCAPE = 6;

export const ESC = 0x1b;
const BEL = 0x07;
const LF = 0x0a;
const CR = 0x0d;
const CAN = 0x18;
const SUB = 0x1a;
const DEL = 0x7f;
const ST = 0x9c;

/** What {@link step} says of its unit: the state's bits, then what became of the unit. */
const STATE_BITS = 7;
/** It belongs to the sequence, which goes on (a control inside a sequence, too). */
const KEEP = 0;
/** It is the sequence's last. */
const END = 8;
/** The sequence was cancelled by it. */
const CANCEL = 16;
/** The sequence was broken off before it; it is to be read again, in the new state. After {@link STRING_ESCAPE} the string ended before the ESC. */
const AGAIN = 24;

export const stateOf = (stepped: number): number => stepped & STATE_BITS;
export const isEnd = (stepped: number): boolean => (stepped & ~STATE_BITS) === END;
export const isAgain = (stepped: number): boolean => (stepped & ~STATE_BITS) === AGAIN;

/** The state that `unit` leads to in {@link GROUND}: that one again for text and for a control that stands alone. */
export function begin(unit: number): number {
  if (unit === ESC) {
    return ESCAPE;
  }
  return unit >= 0x80 && unit <= 0x9f ? afterEscape(unit - 0x40) : GROUND;
}

/** One unit outside {@link GROUND}. */
export function step(state: number, unit: number): number {
  switch (state) {
    case OSC:
      return unit === BEL ? GROUND | END : inString(OSC, unit);
    case STRING:
      return inString(STRING, unit);
    case STRING_ESCAPE:
      return unit === 0x5c ? GROUND | END : ESCAPE | AGAIN;
  }
  if (unit < 0x20 || unit === DEL) {
    return unit === ESC ? GROUND | AGAIN : unit === CAN || unit === SUB ? GROUND | CANCEL : state | KEEP;
  }
  if (unit > DEL) {
    return unit === ST ? GROUND | CANCEL : GROUND | AGAIN;
  }
  if (state === CSI) {
    return unit >= 0x40 ? GROUND | END : CSI | KEEP;
  }
  if (unit < 0x30) {
    return INTERMEDIATE | KEEP;
  }
  const next = state === ESCAPE ? afterEscape(unit) : GROUND;
  return next === GROUND ? GROUND | END : next | KEEP;
}

/** What begins a sequence in a text. */
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;
/** UTF-16 units. */
const NEAR = 48;

/** Where the next sequence begins in `text`; its length when none does. */
export function nextSequence(text: string, from: number): number {
  // By hand at first: a match of an expression costs more than the few units that mostly stand between two sequences.
  const near = Math.min(text.length, from + NEAR);
  for (let at = from; at < near; at++) {
    const unit = text.charCodeAt(at);
    if (unit === ESC || (unit >= 0x90 && unit <= 0x9f && begin(unit) !== GROUND)) {
      return at;
    }
  }
  INTRODUCER.lastIndex = near;
  return near === text.length ? near : (INTRODUCER.exec(text)?.index ?? text.length);
}

/**
 * The first unit from `at` on that {@link step} must see: what it would only keep is passed over.
 * @param inLine it must see line ends, too
 */
export function skip(state: number, text: string, at: number, inLine = false): number {
  const { length } = text;
  let index = at;
  if (state === CSI) {
    for (; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit < 0x20 || unit >= 0x40) {
        break;
      }
    }
  } else if (state === OSC || state === STRING) {
    for (; index < length; index++) {
      const unit = text.charCodeAt(index);
      const ends = unit < 0x20 ? unit === BEL || unit === CAN || unit === SUB || unit === ESC : unit >= 0x80 && unit <= 0x9f;
      if (ends || (inLine && (unit === LF || unit === CR))) {
        break;
      }
    }
  }
  return index;
}

/** Where the sequence at `at` ends when it is a whole `ESC [ … final` with nothing between, as nearly all are; 0 for any other. */
export function plainControlSequenceEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== 0x5b) {
    return 0;
  }
  let index = at + 2;
  let unit = text.charCodeAt(index);
  while (unit >= 0x20 && unit < 0x40) {
    unit = text.charCodeAt(++index);
  }
  return unit >= 0x40 && unit < DEL ? index + 1 : 0;
}

function inString(state: number, unit: number): number {
  if (unit === ESC) {
    return STRING_ESCAPE | KEEP;
  }
  if (unit === CAN || unit === SUB) {
    return GROUND | CANCEL;
  }
  return unit === ST ? GROUND | END : unit >= 0x80 && unit <= 0x9f ? GROUND | AGAIN : state | KEEP;
}

function afterEscape(unit: number): number {
  switch (unit) {
    case 0x5b: // [
      return CSI;
    case 0x5d: // ]
      return OSC;
    case 0x50: // P: DCS
    case 0x58: // X: SOS
    case 0x5e: // ^: PM
    case 0x5f: // _: APC
      return STRING;
    default:
      return GROUND;
  }
}
