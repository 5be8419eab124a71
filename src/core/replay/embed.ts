/**
 * Finds a replay in the record when it adds nothing: its messages are the record's in their order, and any may be left out. Where messages were
 * joined, cut or begin in their middle, the letters decide. Exact for whole messages: a smaller position in the record leaves more to choose from, so
 * the smallest one for each offset of a run is enough.
 */
import type { Role } from '../model/event';
import type { KnownTexts } from './knownTexts';
import type { RecordedMessages, Run, Segment } from './messages';

/** The match of the letters up to an offset. */
interface Reached {
  /** The least position in the record that the next message may have. */
  readonly cursor: number;
  readonly from: number;
  readonly index: number;
}

/** The most longer texts that are tried for a text that may have been cut. */
const MAX_CUT = 50;

/** Returns the segments of each run; undefined when the replay differs from the record. */
export function embed(runs: readonly Run[], record: RecordedMessages): readonly Segment[][] | undefined {
  const result: Segment[][] = [];
  /** The message of each role whose end was not replayed yet. */
  const open = new Map<Role, { readonly index: number; readonly rest: string }>();
  let cursor = 0;
  for (const [at, run] of runs.entries()) {
    const { role, text } = run;
    const begun = open.get(role);
    if (begun?.rest.startsWith(text)) {
      result.push([{ from: 0, to: text.length, index: begun.index }]);
      open.set(role, { index: begun.index, rest: begun.rest.slice(text.length) });
      continue;
    }
    const known = record.of(role);
    const reached: (Reached | undefined)[] = [{ cursor, from: 0, index: -1 }];
    if (begun && text.startsWith(begun.rest)) {
      reached[begun.rest.length] = { cursor, from: 0, index: begun.index };
    }
    advance(reached, text, known, record);
    if (!reached[text.length] && at === 0) {
      beginInside(reached, run, record);
      advance(reached, text, known, record);
    }
    let end = text.length;
    let cut: Segment | undefined;
    if (!reached[end]) {
      cut = cutOf(reached, text, known);
      if (!cut) {
        return undefined;
      }
      end = cut.from;
    }
    const segments = cut ? [cut] : [];
    cursor = cut ? cut.index! + 1 : reached[end]!.cursor;
    for (let offset = end; offset > 0; ) {
      const { from, index } = reached[offset]!;
      segments.push({ from, to: offset, index });
      offset = from;
    }
    open.delete(role);
    if (cut) {
      const whole = record.at(cut.index!)!.spellings.find((each) => each.startsWith(text.slice(cut.from)))!;
      open.set(role, { index: cut.index!, rest: whole.slice(cut.to - cut.from) });
    }
    result.push(segments.reverse());
  }
  return result;
}

/** Follows whole messages of the record from each reached offset. */
function advance(reached: (Reached | undefined)[], text: string, known: KnownTexts, record: RecordedMessages): void {
  for (let offset = 0; offset < text.length; offset++) {
    const here = reached[offset];
    if (!here) {
      continue;
    }
    for (const found of known.prefixesOf(text.slice(offset))) {
      const index = known.next(found, here.cursor);
      if (index !== undefined && record.at(index)) {
        reach(reached, offset + found.length, { cursor: index + 1, from: offset, index });
      }
    }
  }
}

/** Starts inside a recorded message, because the first message of a replay may begin there. */
function beginInside(reached: (Reached | undefined)[], { role, text }: Run, record: RecordedMessages): void {
  const border = bordersOf(text);
  for (const { index, entry, spellings } of record.all) {
    for (const whole of entry.role === role ? spellings : []) {
      if (whole.length > text.length && whole.includes(text)) {
        reach(reached, text.length, { cursor: index + 1, from: 0, index });
      }
      for (let length = overlap(whole, text, border); length > 0; length = border[length]!) {
        reach(reached, length, { cursor: index + 1, from: 0, index });
      }
    }
  }
}

function reach(reached: (Reached | undefined)[], offset: number, how: Reached): void {
  const before = reached[offset];
  if (!before || how.cursor < before.cursor) {
    reached[offset] = how;
  }
}

/** Returns the run's last letters as the beginning of a recorded message. */
function cutOf(reached: readonly (Reached | undefined)[], text: string, known: KnownTexts): Segment | undefined {
  for (let from = text.length - 1; from >= 0; from--) {
    const here = reached[from];
    if (!here) {
      continue;
    }
    const places = known.continuationsOf(text.slice(from), MAX_CUT).map((longer) => known.next(longer, here.cursor) ?? Infinity);
    const index = Math.min(...places, Infinity);
    if (index !== Infinity) {
      return { from, to: text.length, index };
    }
  }
  return undefined;
}

/** Returns, for each beginning of `text`, the length of the longest shorter beginning that it ends with (Knuth, Morris, Pratt). */
function bordersOf(text: string): readonly number[] {
  const borders = [0, 0];
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) {
      length = borders[length]!;
    }
    length += text[at] === text[length] ? 1 : 0;
    borders.push(length);
  }
  return borders;
}

/** Returns the length in letters of the longest proper ending of `whole` that `text` begins with. */
function overlap(whole: string, text: string, borders: readonly number[]): number {
  let length = 0;
  // An ending as long as `text` must leave a letter before it.
  for (let at = Math.max(1, whole.length - text.length); at < whole.length; at++) {
    while (length > 0 && (length === text.length || whole[at] !== text[length])) {
      length = borders[length]!;
    }
    length += whole[at] === text[length] ? 1 : 0;
  }
  return length;
}
