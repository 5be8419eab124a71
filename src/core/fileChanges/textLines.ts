/** Numbers the lines of two texts, equal lines with equal numbers, without a string for each line. Takes time linear in the texts. Pure. */

/** The line ends that count as equal. `exact`: only equal ones. `unified`: CRLF and LF, but not a missing end. `ignored`: all. */
export type LineEnds = 'exact' | 'unified' | 'ignored';

/** Two texts. Only the lines between a common beginning and a common end have numbers. */
export interface NumberedLines {
  /** Equal lines before `before[0]`, in both texts. */
  readonly head: number;
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** Offsets at which the numbered lines begin, and the offset at which the last of them ends. */
  readonly beforeStarts: Int32Array;
  readonly afterStarts: Int32Array;
}

interface Part {
  readonly text: string;
  readonly starts: Int32Array;
  readonly hashes: Int32Array;
}

/** Comparisons of lines, on average, up to which a text is numbered. A text made of lines with equal hashes would take the square of its lines. */
const MAX_PROBES = 8;
const SEED = 0x2c1b3c6d;

/** @param maxLines of both texts together that may be numbered. Undefined when there are more, or when the numbering takes too long */
export function numberLines(before: string, after: string, ends: LineEnds, maxLines: number): NumberedLines | undefined {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const [old, now] = [startsIn(before, head, before.length - tail, maxLines), startsIn(after, head, after.length - tail, maxLines)];
  if (!old || !now || old.length + now.length - 2 > maxLines) {
    return undefined;
  }
  const parts = [partOf(before, old, ends), partOf(after, now, ends)] as const;
  const numbers = numbersOf(parts, ends);
  return (
    numbers && {
      head: countFeeds(before, head),
      before: numbers.subarray(0, old.length - 1),
      after: numbers.subarray(old.length - 1),
      beforeStarts: old,
      afterStarts: now,
    }
  );
}

/** Returns the number of line feeds before an offset. */
function countFeeds(text: string, end: number): number {
  let count = 0;
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < end; feed = text.indexOf('\n', feed + 1)) {
    count++;
  }
  return count;
}

/** Returns the length in UTF-16 units of the lines with which both texts begin. */
function commonHead(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) {
    at++;
  }
  return at === 0 ? 0 : before.lastIndexOf('\n', at - 1) + 1;
}

/** Returns the length in UTF-16 units of the lines with which both texts end. */
function commonTail(before: string, after: string, head: number): number {
  const most = Math.min(before.length, after.length) - head;
  let count = 0;
  while (count < most && before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)) {
    count++;
  }
  const feed = before.indexOf('\n', before.length - count);
  return count === 0 || feed < 0 ? 0 : before.length - 1 - feed;
}

function startsIn(text: string, from: number, to: number, most: number): Int32Array | undefined {
  const starts: number[] = [from];
  for (let feed = text.indexOf('\n', from); feed >= 0 && feed < to; feed = text.indexOf('\n', feed + 1)) {
    starts.push(feed + 1);
    if (starts.length > most + 1) {
      return undefined;
    }
  }
  if (starts.at(-1)! < to) {
    starts.push(to);
  }
  return Int32Array.from(starts);
}

function partOf(text: string, starts: Int32Array, ends: LineEnds): Part {
  const hashes = new Int32Array(starts.length - 1);
  for (let line = 0; line < hashes.length; line++) {
    const end = contentEnd(text, starts, line, ends);
    let hash = SEED;
    for (let at = starts[line]!; at < end; at++) {
      hash = (Math.imul(hash, MULTIPLIER) + text.charCodeAt(at)) | 0;
    }
    hash = Math.imul(hash ^ (hash >>> 15), MULTIPLIER);
    hashes[line] = hash ^ (hash >>> 13);
  }
  return { text, starts, hashes };
}

const MULTIPLIER = 0x01000193;

/** Returns the end of a line's part that is compared letter by letter. */
function contentEnd(text: string, starts: Int32Array, line: number, ends: LineEnds): number {
  const end = starts[line + 1]!;
  if (ends === 'exact' || end === starts[line] || text.charCodeAt(end - 1) !== LF) {
    return end;
  }
  return end - 1 > starts[line]! && text.charCodeAt(end - 2) === CR ? end - 2 : end - 1;
}

const LF = 10;
const CR = 13;

function numbersOf(parts: readonly [Part, Part], ends: LineEnds): Int32Array | undefined {
  const offset = parts[0].hashes.length;
  const count = offset + parts[1].hashes.length;
  const mask = (1 << (33 - Math.clz32(count + 1))) - 1;
  const slots = new Int32Array(mask + 1).fill(-1);
  // The first line of each number.
  const first = new Int32Array(count);
  const numbers = new Int32Array(count);
  let [kinds, probes] = [0, count * MAX_PROBES];
  for (let index = 0; index < count; index++) {
    const part = index < offset ? parts[0] : parts[1];
    const line = index < offset ? index : index - offset;
    let slot = part.hashes[line]! & mask;
    let number = slots[slot]!;
    while (number >= 0) {
      const other = first[number]!;
      if (other < offset ? isSame(part, line, parts[0], other, ends) : isSame(part, line, parts[1], other - offset, ends)) {
        break;
      }
      if (--probes < 0) {
        return undefined;
      }
      slot = (slot + 1) & mask;
      number = slots[slot]!;
    }
    if (number < 0) {
      number = kinds++;
      slots[slot] = number;
      first[number] = index;
    }
    numbers[index] = number;
  }
  return numbers;
}

function isSame(one: Part, line: number, other: Part, otherLine: number, ends: LineEnds): boolean {
  if (one.hashes[line] !== other.hashes[otherLine]) {
    return false;
  }
  const [end, otherEnd] = [contentEnd(one.text, one.starts, line, ends), contentEnd(other.text, other.starts, otherLine, ends)];
  const [start, otherStart] = [one.starts[line]!, other.starts[otherLine]!];
  if (end - start !== otherEnd - otherStart) {
    return false;
  }
  // The line end is not compared letter by letter, but it must exist in both lines or in neither.
  if (ends === 'unified' && (end === one.starts[line + 1]) !== (otherEnd === other.starts[otherLine + 1])) {
    return false;
  }
  return one.text.slice(start, end) === other.text.slice(otherStart, otherEnd);
}
