/** Counts the lines that a change adds and removes, by the length of the shortest edit, in bounded time. */
import { numberLines } from './textLines';

/** The remaining budget, shared by counts that belong together. */
export interface CountBudget {
  /** UTF-16 units of text. */
  units: number;
  /** Steps of the search. */
  steps: number;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Returns undefined when the budget does not suffice, or the texts differ in too many lines. Subtracts what it uses from the budget. */
export function lineCounts(oldText: string, newText: string, budget: CountBudget): LineCounts | undefined {
  if (oldText === newText) {
    return { added: 0, removed: 0 };
  }
  budget.units -= oldText.length + newText.length;
  if (budget.units < 0) {
    return undefined;
  }
  const lines = numberLines(oldText, newText, 'ignored', MAX_LINES);
  if (!lines) {
    return undefined;
  }
  const { before, after } = lines;
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
  }
  const removed = before.subarray(head, before.length - tail);
  const added = after.subarray(head, after.length - tail);
  // Lines that occur in one text alone cannot be common lines. After a rewrite, few lines are left to search.
  const left = shared(removed, added, before.length + after.length);
  const right = shared(added, removed, before.length + after.length);
  const distance = editDistance(left, right, budget);
  if (distance === undefined) {
    return undefined;
  }
  const common = (left.length + right.length - distance) / 2;
  return { added: added.length - common, removed: removed.length - common };
}

/** The most lines of both texts that are counted, between their common beginning and their common end. They take about 30 ms. */
const MAX_LINES = 200_000;

function shared(lines: Int32Array, others: Int32Array, kinds: number): Int32Array {
  const isThere = new Uint8Array(kinds);
  others.forEach((line) => (isThere[line] = 1));
  return lines.filter((line) => isThere[line] === 1);
}

/** Returns the number of insertions and deletions of the shortest edit (Myers, "An O(ND) difference algorithm"). */
function editDistance(left: Int32Array, right: Int32Array, budget: CountBudget): number | undefined {
  const most = left.length + right.length;
  // The steps of the budget allow no more edits than this.
  const bound = Math.min(most, Math.ceil(Math.sqrt(2 * Math.max(0, budget.steps))) + 2);
  const reached = new Int32Array(2 * bound + 5).fill(-1);
  const zero = bound + 2;
  reached[zero + 1] = 0;
  for (let edits = 0; edits <= bound; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = reached[zero + diagonal + 1]!;
      const across = reached[zero + diagonal - 1]!;
      let x = diagonal === -edits || (diagonal !== edits && across < down) ? down : across + 1;
      const start = x;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) {
        x++;
      }
      reached[zero + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) {
        return edits;
      }
      budget.steps -= 1 + x - start;
      if (budget.steps < 0) {
        return undefined;
      }
    }
  }
  return undefined;
}
