/** Escape sequences in a complete text. Pure. */
import { begin, ESC, GROUND, isAgain, nextSequence, plainControlSequenceEnd, skip, stateOf, step, STRING, STRING_ESCAPE } from './machine';

/** `CSI prefix parameters intermediates final` */
export interface ControlSequence {
  /** `?` of private modes, or one of `<=>`; usually ''. */
  readonly prefix: string;
  readonly parameters: string;
  readonly intermediates: string;
  readonly final: string;
}

/** Controls that may occur in a sequence without ending it. */
const INNER = /[\x00-\x06\x08-\x17\x19\x1c-\x1f\x7f]|\x07(?!$)/g;
const INNER_ONE = new RegExp(INNER.source);
const CR = 0x0d;
const LF = 0x0a;

/**
 * Returns the end of the sequence that begins at `at`; undefined when the text ends before it.
 * @param inLine a line end ends any sequence except DCS, SOS, PM and APC. A title without an end then loses its line, and not all that follows
 */
export function sequenceEnd(text: string, at: number, inLine = false): number | undefined {
  const plainEnd = plainControlSequenceEnd(text, at);
  if (plainEnd > 0) {
    return plainEnd;
  }
  let state = begin(text.charCodeAt(at));
  let index = at + 1;
  while (state !== GROUND) {
    index = skip(state, text, index, inLine);
    if (index >= text.length) {
      return state === STRING_ESCAPE ? text.length - 1 : undefined;
    }
    const unit = text.charCodeAt(index);
    if (inLine && (unit === LF || unit === CR) && state < STRING) {
      return index;
    }
    const stepped = step(state, unit);
    if (isAgain(stepped)) {
      return state === STRING_ESCAPE ? index - 1 : index;
    }
    state = stateOf(stepped);
    index++;
  }
  return index;
}

/** Visits each complete sequence of `text`, until `visit` returns true. Returns whether it did. */
export function someSequence(text: string, visit: (start: number, end: number) => boolean): boolean {
  for (let at = nextSequence(text, 0); at < text.length; ) {
    const end = sequenceEnd(text, at);
    if (end === undefined) {
      return false;
    }
    if (visit(at, end)) {
      return true;
    }
    at = nextSequence(text, Math.max(end, at + 1));
  }
  return false;
}

/** Returns `text` without its sequences. Other control characters stay. A sequence without an end is removed up to the end of its line. */
export function withoutSequences(text: string): string {
  let next = nextSequence(text, 0);
  if (next === text.length) {
    return text;
  }
  let plain = '';
  let at = 0;
  while (next < text.length) {
    plain += text.slice(at, next);
    at = sequenceEnd(text, next, true) ?? text.length;
    next = nextSequence(text, at);
  }
  return plain + text.slice(at);
}

/** Parses a whole control sequence; undefined for another sequence. Controls in it are ignored; see {@link innerControls}. */
export function controlSequence(raw: string): ControlSequence | undefined {
  let at = bodyOf(raw, 0x5b, 0x9b);
  if (at === 0) {
    return undefined;
  }
  for (let index = at; index < raw.length; index++) {
    if (raw.charCodeAt(index) < 0x20 || raw.charCodeAt(index) === 0x7f) {
      return controlSequence(withoutInner(raw));
    }
  }
  const last = raw.length - 1;
  const first = raw.charCodeAt(at);
  const prefix = first >= 0x3c && first <= 0x3f ? raw[at++]! : '';
  let end = at;
  while (end < last && raw.charCodeAt(end) >= 0x30) {
    end++;
  }
  return { prefix, parameters: raw.slice(at, end), intermediates: raw.slice(end, last), final: raw[last]! };
}

/** Parses a sequence `ESC intermediates final`; undefined for longer sequences. */
export function escapeSequence(raw: string): Pick<ControlSequence, 'intermediates' | 'final'> | undefined {
  const bare = INNER_ONE.test(raw) ? withoutInner(raw) : raw;
  const last = bare.length - 1;
  return bare.charCodeAt(0) === ESC && (last === 1 || (last > 1 && isIntermediate(bare.charCodeAt(1))))
    ? { intermediates: bare.slice(1, last), final: bare[last]! }
    : undefined;
}

/** Returns where the body of a sequence with this introducer begins, after ESC or as a C1 control; 0 for another sequence. */
function bodyOf(raw: string, afterEscape: number, control: number): number {
  const first = raw.charCodeAt(0);
  if (first === control) {
    return 1;
  }
  let at = 1;
  while (raw.charCodeAt(at) < 0x20) {
    at++;
  }
  return first === ESC && raw.charCodeAt(at) === afterEscape ? at + 1 : 0;
}

function isIntermediate(unit: number): boolean {
  return unit >= 0x20 && unit < 0x30;
}

/** Removes the controls from a sequence, except for one that may end it. */
export function withoutInner(raw: string): string {
  return INNER_ONE.test(raw) ? raw.replace(INNER, '') : raw;
}

/** Returns the controls in a sequence, which a terminal executes before it. In a string they have no effect. */
export function innerControls(raw: string): number[] {
  return INNER_ONE.test(raw) ? Array.from(raw.matchAll(INNER), ([control]) => control.charCodeAt(0)) : [];
}
