/**
 * Which items of two sequences are the same, in order. Exact for what differs little; for what differs much it is quick, and may see more change than
 * there is: lines that stand once in both are anchors, and between two anchors that still differ too much all is taken as replaced.
 */

/** Edits up to which a difference is searched for exactly, and that between two anchors. Its cost is the square of it. */
const EXACT = 300;
const EXACT_BETWEEN = 60;

/** For each item of `before` the index of its counterpart in `after`, or -1. The counterparts ascend. `edits`: up to how many it is exact. */
export function matchesOf(before: readonly string[], after: readonly string[], edits = EXACT): Int32Array {
  const ids = new Map<string, number>();
  const idOf = (item: string): number => {
    const known = ids.get(item);
    if (known !== undefined) return known;
    ids.set(item, ids.size);
    return ids.size - 1;
  };
  const [one, other] = [Int32Array.from(before, idOf), Int32Array.from(after, idOf)];
  const matches = new Int32Array(before.length).fill(-1);
  match(one, other, ids.size, edits, matches);
  return matches;
}

function match(one: Int32Array, other: Int32Array, kinds: number, edits: number, matches: Int32Array): void {
  let [from, to, otherFrom, otherTo] = [0, one.length, 0, other.length];
  while (from < to && otherFrom < otherTo && one[from] === other[otherFrom]) matches[from++] = otherFrom++;
  while (from < to && otherFrom < otherTo && one[to - 1] === other[otherTo - 1]) matches[--to] = --otherTo;
  if (from === to || otherFrom === otherTo) return;
  // What stands on one side only cannot match: without it most differences are small, and a rewritten file is hardly any.
  const counts = [new Int32Array(kinds), new Int32Array(kinds)] as const;
  for (let at = from; at < to; at++) counts[0][one[at]!]!++;
  for (let at = otherFrom; at < otherTo; at++) counts[1][other[at]!]!++;
  const places = indexes(from, to).filter((at) => counts[1][one[at]!]! > 0);
  const otherPlaces = indexes(otherFrom, otherTo).filter((at) => counts[0][other[at]!]! > 0);
  if (exact(one, places, other, otherPlaces, edits, matches)) return;
  const once = (item: number): boolean => counts[0][item] === 1 && counts[1][item] === 1;
  const wherein = new Map(otherPlaces.filter((at) => once(other[at]!)).map((at) => [other[at]!, at]));
  const anchors = ascending(places.filter((at) => once(one[at]!)).map((at) => [at, wherein.get(one[at]!)!]));
  if (anchors.length === 0) return;
  let [start, otherStart] = [0, 0];
  for (const [at, otherAt] of [...anchors, [to, otherTo] as const]) {
    const [end, otherEnd] = [firstAtLeast(places, at, start), firstAtLeast(otherPlaces, otherAt, otherStart)];
    exact(one, places.slice(start, end), other, otherPlaces.slice(otherStart, otherEnd), EXACT_BETWEEN, matches);
    if (at < to) matches[at] = otherAt;
    [start, otherStart] = [end + 1, otherEnd + 1];
  }
}

/** Myers' search for the fewest edits that make the items at `places` those at `otherPlaces`. False, and nothing done, when there are too many. */
function exact(one: Int32Array, places: readonly number[], other: Int32Array, otherPlaces: readonly number[], edits: number, matches: Int32Array): boolean {
  const [length, otherLength] = [places.length, otherPlaces.length];
  const most = Math.min(edits, length + otherLength);
  if (Math.abs(length - otherLength) > most) return false;
  const reach = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let round = 0; round <= most; round++) {
    rounds.push(reach.slice(most - round + 1, most + round + 2));
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      const slot = most + 1 + diagonal;
      const down = diagonal === -round || (diagonal !== round && reach[slot - 1]! < reach[slot + 1]!);
      let x = down ? reach[slot + 1]! : reach[slot - 1]! + 1;
      while (x < length && x - diagonal < otherLength && one[places[x]!] === other[otherPlaces[x - diagonal]!]) x++;
      reach[slot] = x;
      if (x >= length && x - diagonal >= otherLength) {
        trace(rounds, places, otherPlaces, matches);
        return true;
      }
    }
  }
  return false;
}

/** Goes back through the rounds of {@link exact} and notes the matches on the way. `rounds[n]` holds the diagonals -n to n as round n found them. */
function trace(rounds: readonly Int32Array[], places: readonly number[], otherPlaces: readonly number[], matches: Int32Array): void {
  let [x, y] = [places.length, otherPlaces.length];
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const round = rounds[edits]!;
    const at = (diagonal: number): number => round[edits + diagonal] ?? 0;
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const before = edits === 0 ? 0 : down ? at(diagonal + 1) : at(diagonal - 1) + 1;
    while (x > before && y > 0) matches[places[--x]!] = otherPlaces[--y]!;
    if (edits === 0) return;
    if (down) y--;
    else x--;
  }
}

/** The longest run of pairs whose second numbers ascend; the first ones do already. */
function ascending(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, value], index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1]!;
    tails[low] = index;
  });
  const chosen: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) chosen.push(pairs[at]!);
  return chosen.reverse();
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** The index of the first of ascending `numbers` that is `least` or more, from `start` on. */
function firstAtLeast(numbers: readonly number[], least: number, start: number): number {
  let at = start;
  while (at < numbers.length && numbers[at]! < least) at++;
  return at;
}
