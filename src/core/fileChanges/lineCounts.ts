/** How many lines a change adds and removes, without saying which: the length of the shortest edit is all that is looked for, in bounded time. */

/** What may still be spent; shared by the counts that belong together. */
export interface CountBudget {
  /** UTF-16 units of text that are looked at. */
  units: number;
  /** Steps of the search. */
  steps: number;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Undefined when the budget does not suffice. What was spent is taken from it. */
export function lineCounts(oldText: string, newText: string, budget: CountBudget): LineCounts | undefined {
  if (oldText === newText) {
    return { added: 0, removed: 0 };
  }
  budget.units -= oldText.length + newText.length;
  if (budget.units < 0) {
    return undefined;
  }
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
  }
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  // A line that the other side does not have is no part of what they share: after a rewrite little is left to look through.
  const numbers = new Map<string, number>();
  removed.forEach((line) => numbers.set(line, numbers.get(line) ?? numbers.size));
  const right = added.flatMap((line) => numbers.get(line) ?? []);
  const shared = new Set(right);
  const left = removed.map((line) => numbers.get(line)!).filter((line) => shared.has(line));
  const distance = editDistance(left, right, budget);
  if (distance === undefined) {
    return undefined;
  }
  const common = (left.length + right.length - distance) / 2;
  return { added: added.length - common, removed: removed.length - common };
}

/** Lines without their ends, whatever they are, as in the difference that is shown: an end of line at the end of a text begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}

/** Insertions and deletions of the shortest edit (Myers, "An O(ND) difference algorithm"), of which only the number is kept. */
function editDistance(left: readonly number[], right: readonly number[], budget: CountBudget): number | undefined {
  const most = left.length + right.length;
  const reached = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = reached.get(diagonal + 1) ?? -1;
      const across = reached.get(diagonal - 1) ?? -1;
      let x = diagonal === -edits || (diagonal !== edits && across < down) ? down : across + 1;
      const start = x;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) {
        x++;
      }
      reached.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) {
        return edits;
      }
      budget.steps -= 1 + x - start;
      if (budget.steps < 0) {
        return undefined;
      }
    }
  }
  return most;
}
