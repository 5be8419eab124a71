/**
 * A state machine for the escape sequences of terminals: finds where each begins and ends (ECMA-48, as xterm reads it). The only grammar for
 * everything that reads a program's output. It reads one unit at a time: a UTF-16 unit, or a byte where C1 controls are decoded first. Pure.
 */

/** Between sequences: text, and single control characters. */
export const GROUND = 0;
/** After ESC. */
export const ESCAPE = 1;
/** After ESC and an intermediate, as in `ESC ( B`. */
export const INTERMEDIATE = 2;
/** In a control sequence: colours, cursor moves, modes. */
export const CSI = 3;
/** In an operating system command: titles, links, the clipboard. Ends with BEL or ST. */
export const OSC = 4;
/** In DCS, SOS, PM or APC, which end with ST. */
export const STRING = 5;
/** After ESC in a string: `\` completes ST, anything else begins another sequence. */
export const STRING_ESCAPE = 6;

export const ESC = 0x1b;
const BEL = 0x07;
const LF = 0x0a;
const CR = 0x0d;
const CAN = 0x18;
const SUB = 0x1a;
const DEL = 0x7f;
const ST = 0x9c;

/** Bits of the state in a result of {@link step}. The other bits say how the unit was used. */
const STATE_BITS = 7;
/** The unit belongs to the sequence, which continues. Also for a control inside a sequence. */
const KEEP = 0;
/** The unit ends the sequence. */
const END = 8;
/** The unit cancels the sequence. */
const CANCEL = 16;
/**
 * The sequence is broken off before the unit, which must be read again in the new state. After {@link STRING_ESCAPE} the string ended before the ESC.
 */
const AGAIN = 24;

export const stateOf = (stepped: number): number => stepped & STATE_BITS;
export const isEnd = (stepped: number): boolean => (stepped & ~STATE_BITS) === END;
export const isAgain = (stepped: number): boolean => (stepped & ~STATE_BITS) === AGAIN;

/** Returns the state after `unit` in {@link GROUND}. Text and single control characters do not change it. */
export function begin(unit: number): number {
  if (unit === ESC) {
    return ESCAPE;
  }
  return unit >= 0x80 && unit <= 0x9f ? afterEscape(unit - 0x40) : GROUND;
}

/** Reads one unit outside {@link GROUND}. */
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

/** The characters that begin a sequence in a text. */
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;
/** UTF-16 units. */
const NEAR = 48;

/** Returns the start of the next sequence in `text`, or the length of `text`. */
export function nextSequence(text: string, from: number): number {
  // A loop for the first units: a regular expression costs more than the few units that are usual between two sequences.
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
 * Returns the index of the first unit at or after `at` that {@link step} must read, and skips units that would not change the state.
 * @param inLine line ends must be read, too
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

/** Returns the end of the sequence at `at` if it is a plain `ESC [ … final`, as nearly all are; 0 for any other. */
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
    case 0x5b: // Introduces CSI.
      return CSI;
    case 0x5d: // Introduces OSC.
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
