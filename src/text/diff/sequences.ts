/**
 * Finds the items that two sequences have in common, in order: the longest such list (Myers, "An O(ND) difference algorithm"). Sequences that differ
 * by more than a number of edits, or take too many steps, count as replaced between their common beginning and their common end.
 */

/** The most steps of one search, which take a few milliseconds. Texts that repeat the same few lines need them without many edits. */
const MAX_STEPS = 4_000_000;
/** The most items of both sequences that are compared, between the common beginning and the common end. */
const MAX_ITEMS = 100_000;

/**
 * Returns for each item of `before` the index of its counterpart in `after`, or -1. The counterparts ascend.
 * @param edits the most edits of a difference that is searched for. The cost is its square; items that occur on one side alone do not count
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
  if (to - from + otherTo - otherFrom > MAX_ITEMS) {
    return matches;
  }
  const numbers = new Map<string, number>();
  const numbered = (items: readonly string[], start: number, end: number): Int32Array => {
    const result = new Int32Array(end - start);
    for (let at = start; at < end; at++) {
      const item = items[at]!;
      let number = numbers.get(item);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(item, number);
      }
      result[at - start] = number;
    }
    return result;
  };
  const found = matchNumbers(numbered(before, from, to), numbered(after, otherFrom, otherTo), edits);
  found.forEach((place, index) => place >= 0 && (matches[from + index] = otherFrom + place));
  return matches;
}

/** Works like {@link matchesOf}, for items that are numbers from 0 to the count of all items, exclusive. */
export function matchNumbers(before: Int32Array, after: Int32Array, edits: number): Int32Array {
  const matches = new Int32Array(before.length).fill(-1);
  let [from, to, otherFrom, otherTo] = [0, before.length, 0, after.length];
  while (from < to && otherFrom < otherTo && before[from] === after[otherFrom]) {
    matches[from++] = otherFrom++;
  }
  while (from < to && otherFrom < otherTo && before[to - 1] === after[otherTo - 1]) {
    matches[--to] = --otherTo;
  }
  // Items that occur on one side alone cannot match. Without them most searches are short, even for a rewritten file.
  const places = shared(before, from, to, after, otherFrom, otherTo);
  const otherPlaces = shared(after, otherFrom, otherTo, before, from, to);
  if (places.length === 0 || otherPlaces.length === 0) {
    return matches;
  }
  const common = longestCommon(
    places.map((at) => before[at]!),
    otherPlaces.map((at) => after[at]!),
    edits,
  );
  for (let index = 0; index < common.length; index += 2) {
    matches[places[common[index]!]!] = otherPlaces[common[index + 1]!]!;
  }
  return matches;
}

/** Returns the indexes from `from` to `to`, exclusive, of items that the other sequence has in its range. */
function shared(items: Int32Array, from: number, to: number, others: Int32Array, otherFrom: number, otherTo: number): Int32Array {
  const isThere = new Uint8Array(items.length + others.length);
  for (let at = otherFrom; at < otherTo; at++) {
    isThere[others[at]!] = 1;
  }
  const places = new Int32Array(to - from);
  let count = 0;
  for (let at = from; at < to; at++) {
    if (isThere[items[at]!] === 1) {
      places[count++] = at;
    }
  }
  return places.subarray(0, count);
}

/** Returns pairs of indexes, one after the other and descending; empty beyond the limits. */
function longestCommon(left: Int32Array, right: Int32Array, edits: number): number[] {
  const most = Math.min(edits, left.length + right.length);
  // Farthest index in `left` by diagonal (index in `left` minus index in `right`), -1 where a diagonal is not reached.
  const farthest = new Int32Array(2 * most + 3).fill(-1);
  const zero = most + 1;
  const history: Int32Array[] = [];
  let steps = MAX_STEPS;
  for (let edit = 0; edit <= most && steps > 0; edit++) {
    const high = Math.min(edit, left.length - ((left.length + edit) % 2));
    for (let diagonal = -Math.min(edit, right.length - ((right.length + edit) % 2)); diagonal <= high; diagonal += 2) {
      const start = edit === 0 ? 0 : startOn(farthest[zero + diagonal - 1]!, farthest[zero + diagonal + 1]!, diagonal, left, right);
      let at = start;
      while (at >= 0 && at < left.length && at - diagonal < right.length && left[at] === right[at - diagonal]) {
        at++;
      }
      steps -= 1 + at - start;
      farthest[zero + diagonal] = at;
      if (at === left.length && at - diagonal === right.length) {
        return walkBack(history, left, right);
      }
    }
    history.push(farthest.slice(zero - edit, zero + edit + 1));
  }
  return [];
}

/**
 * Returns where a diagonal is entered: by removing an item of `left`, or by adding one of `right` if that gets farther. -1 where neither is possible.
 */
function startOn(below: number, above: number, diagonal: number, left: Int32Array, right: Int32Array): number {
  const removed = below >= 0 && below < left.length ? below + 1 : -1;
  const added = above >= 0 && above - diagonal <= right.length ? above : -1;
  return added >= removed ? added : removed;
}

/** @param history of each number of edits the farthest places on the diagonals that it can reach */
function walkBack(history: readonly Int32Array[], left: Int32Array, right: Int32Array): number[] {
  const pairs: number[] = [];
  let [at, other] = [left.length, right.length];
  for (let edit = history.length; edit >= 0; edit--) {
    const diagonal = at - other;
    const places = history[edit - 1];
    // Diagonal d is at index d + edit - 1.
    const [below, above] = [places?.[diagonal + edit - 2] ?? -1, places?.[diagonal + edit] ?? -1];
    const start = places ? startOn(below, above, diagonal, left, right) : 0;
    while (at > start) {
      pairs.push(--at, --other);
    }
    if (start === above && !(below >= 0 && below < left.length && below + 1 > above)) {
      other--;
    } else {
      at--;
    }
  }
  return pairs;
}
