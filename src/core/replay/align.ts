/**
 * Matches a replay that has more than the record, or contradicts it. Texts that occur once on both sides are fixed points, as in a patience diff. The
 * same is done again between two fixed points. Repeated texts are matched in order, from the end that matches more of them.
 */
import type { Role } from '../model/event';
import { lowerBound } from './knownTexts';
import type { Piece, RecordedMessages, Run, Segment } from './messages';

/** Levels of fixed points between fixed points. */
const MAX_DEPTH = 20;
/** The cost of a segment that matches no recorded message. A matching one costs 1. */
const UNKNOWN_COST = 1000;

/** Splits the run into recorded texts, wherever they are recorded, with as little rest as possible. A part without a match ends with its message. */
export function segmentsOf({ role, text, messages }: Run, record: RecordedMessages): Segment[] {
  const known = record.of(role);
  const best: ({ readonly cost: number; readonly from: number } | undefined)[] = [{ cost: 0, from: 0 }];
  const improve = (offset: number, cost: number, from: number): void => {
    if (!best[offset] || cost < best[offset].cost) {
      best[offset] = { cost, from };
    }
  };
  let end = 0;
  for (const message of messages) {
    const start = end;
    end += message.text.length;
    for (let offset = start; offset < end; offset++) {
      const here = best[offset];
      if (here) {
        known.prefixesOf(text.slice(offset)).forEach((found) => improve(offset + found.length, here.cost + 1, offset));
        improve(end, here.cost + UNKNOWN_COST, offset);
      }
    }
  }
  const segments: Segment[] = [];
  for (let offset = text.length; offset > 0; offset = best[offset]!.from) {
    segments.push({ from: best[offset]!.from, to: offset, index: undefined });
  }
  return segments.reverse();
}

/** Gives the pieces their entries in the record, in ascending order. */
export function align(pieces: readonly Piece[], record: RecordedMessages): void {
  const positions = new Map<string, number[]>();
  pieces.forEach((piece, at) => {
    const key = keyOf(piece);
    const same = positions.get(key) ?? [];
    positions.set(key, same);
    same.push(at);
  });
  const last = record.all[record.all.length - 1]?.index ?? -1;
  alignRange(pieces, { record, positions }, [0, pieces.length], [0, last + 1], 0);
}

/** Letters that a text needs so that its occurrence in the record is no coincidence. */
const MIN_DISTINCT = 16;

/** Removes the pieces that the record has elsewhere: a replay in another order adds nothing, and moves nothing. */
export function withoutMoved(pieces: readonly Piece[], record: RecordedMessages): Piece[] {
  const matched = new Set(pieces.map(({ index }) => index));
  return pieces.filter(({ role, text, index }) => {
    const texts = record.of(role);
    return index !== undefined || text.length < MIN_DISTINCT || texts.count(text, 0, Infinity) !== 1 || matched.has(texts.next(text, 0));
  });
}

interface Known {
  readonly record: RecordedMessages;
  /** The positions of the pieces, by key, ascending. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

type Range = readonly [from: number, end: number];

function keyOf({ role, text }: { readonly role: Role; readonly text: string }): string {
  return `${role} ${text}`;
}

function alignRange(pieces: readonly Piece[], known: Known, [from, end]: Range, [low, high]: Range, depth: number): void {
  if (from >= end || low >= high) {
    return;
  }
  const fixed = depth < MAX_DEPTH ? fixedPoints(pieces, known, [from, end], [low, high]) : [];
  if (fixed.length === 0) {
    matchInOrder(pieces, known.record, [from, end], [low, high]);
    return;
  }
  let [at, least] = [from, low];
  for (const [piece, index] of fixed) {
    pieces[piece]!.index = index;
    alignRange(pieces, known, [at, piece], [least, index], depth + 1);
    [at, least] = [piece + 1, index + 1];
  }
  alignRange(pieces, known, [at, end], [least, high], depth + 1);
}

/** Returns the pieces whose text occurs once on both sides: as many as keep their order. */
function fixedPoints(
  pieces: readonly Piece[],
  { record, positions }: Known,
  [from, end]: Range,
  [low, high]: Range,
): (readonly [piece: number, index: number])[] {
  const once: (readonly [number, number])[] = [];
  for (let at = from; at < end; at++) {
    const piece = pieces[at]!;
    const texts = record.of(piece.role);
    const same = positions.get(keyOf(piece))!;
    if (lowerBound(same, end) - lowerBound(same, from) === 1 && texts.count(piece.text, low, high) === 1) {
      once.push([at, texts.next(piece.text, low)!]);
    }
  }
  return longestAscending(once);
}

/** Returns the longest subsequence whose second numbers ascend. */
function longestAscending(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** By length: the smallest second number that such a subsequence ends with, and the pair's position. */
  const ends: number[] = [];
  const atEnd: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, value], at) => {
    const length = lowerBound(ends, value);
    ends[length] = value;
    atEnd[length] = at;
    before[at] = length > 0 ? atEnd[length - 1]! : -1;
  });
  const result: (readonly [number, number])[] = [];
  for (let at = atEnd[atEnd.length - 1] ?? -1; at >= 0; at = before[at]!) {
    result.push(pairs[at]!);
  }
  return result.reverse();
}

/**
 * Matches each piece with the first text that fits, from the beginning or from the end. Replays are mostly the end of a conversation, so the end wins
 * a tie.
 */
function matchInOrder(pieces: readonly Piece[], record: RecordedMessages, [from, end]: Range, [low, high]: Range): void {
  const forward: (readonly [number, number])[] = [];
  let least = low;
  for (let at = from; at < end; at++) {
    const { role, text } = pieces[at]!;
    const index = record.of(role).next(text, least);
    if (index !== undefined && index < high) {
      forward.push([at, index]);
      least = index + 1;
    }
  }
  const backward: (readonly [number, number])[] = [];
  let most = high;
  for (let at = end - 1; at >= from; at--) {
    const { role, text } = pieces[at]!;
    const index = record.of(role).previous(text, most);
    if (index !== undefined && index >= low) {
      backward.push([at, index]);
      most = index;
    }
  }
  (forward.length > backward.length ? forward : backward).forEach(([at, index]) => (pieces[at]!.index = index));
}
