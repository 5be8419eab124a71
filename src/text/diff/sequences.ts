/**
 * Which items of two sequences are the same, in order. Exact up to a number of edits; what differs more is taken as replaced, all of it, between
 * the common beginning and the common end.
 */
import { diffArrays } from 'diff';

/**
 * For each item of `before` the index of its counterpart in `after`, or -1. The counterparts ascend.
 * @param edits up to which a difference is searched for. Its cost is the square of it; items that one side alone has do not count
 */
export function matchesOf(before: readonly string[], after: readonly string[], edits: number): Int32Array {
  const matches = new Int32Array(before.length).fill(-1);
  let [from, to, otherFrom, otherTo] = [0, before.length, 0, after.length];
  while (from < to && otherFrom < otherTo && before[from] === after[otherFrom]) {
    matches[from++] = otherFrom++;
  }
  while (from < to && otherFrom < otherTo && before[to - 1] === after[otherTo - 1]) {
    matches[--to] = --otherTo;
  }
  // What stands on one side only cannot match: without it most differences are small, and a rewritten file is hardly any.
  const places = shared(before, from, to, new Set(after.slice(otherFrom, otherTo)));
  const otherPlaces = shared(after, otherFrom, otherTo, new Set(before.slice(from, to)));
  const changes = diffArrays(
    places.map((at) => before[at]!),
    otherPlaces.map((at) => after[at]!),
    { maxEditLength: edits },
  ) as ReturnType<typeof diffArrays<string>> | undefined;
  let [index, other] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (added) {
      other += count;
    } else if (removed) {
      index += count;
    } else {
      for (let left = count; left > 0; left--) {
        matches[places[index++]!] = otherPlaces[other++]!;
      }
    }
  }
  return matches;
}

/** The indexes from `from` to before `to` of items that are in `known`. */
function shared(items: readonly string[], from: number, to: number, known: ReadonlySet<string>): number[] {
  const places: number[] = [];
  for (let at = from; at < to; at++) {
    if (known.has(items[at]!)) {
      places.push(at);
    }
  }
  return places;
}
