/** The difference between the problems of a file before and after an edit. Pure. */
import type { Problem } from './language';

export interface ProblemChanges {
  readonly added: readonly Problem[];
  readonly removed: readonly Problem[];
  readonly unchanged: number;
}

/**
 * Compares problems by their texts. An edit moves lines, so equal problems are the same ones wherever they are. Several equal ones are paired by the
 * nearest lines.
 */
export function problemChanges(before: readonly Problem[], after: readonly Problem[]): ProblemChanges {
  const earlier = grouped(before);
  const added: Problem[] = [];
  const removed: Problem[] = [];
  let unchanged = 0;
  for (const [key, present] of grouped(after)) {
    const old = earlier.get(key) ?? [];
    earlier.delete(key);
    const pairs = Math.min(old.length, present.length);
    unchanged += pairs;
    if (present.length > old.length) {
      added.push(...unpaired(present, old));
    } else {
      removed.push(...unpaired(old, present));
    }
  }
  for (const gone of earlier.values()) {
    removed.push(...gone);
  }
  return { added: added.sort(byLine), removed: removed.sort(byLine), unchanged };
}

/** Returns the problems of the longer list that have no partner in the shorter one. Lists of one key are short, or their order decides. */
function unpaired(longer: readonly Problem[], shorter: readonly Problem[]): Problem[] {
  const left = [...longer].sort(byLine);
  const others = [...shorter].sort(byLine);
  if (left.length * others.length > 10_000) {
    return left.slice(others.length);
  }
  for (const other of others) {
    let nearest = 0;
    for (let index = 1; index < left.length; index++) {
      if (distance(left[index]!, other) < distance(left[nearest]!, other)) {
        nearest = index;
      }
    }
    left.splice(nearest, 1);
  }
  return left;
}

function distance(a: Problem, b: Problem): number {
  return Math.abs(a.range.start.line - b.range.start.line);
}

function grouped(problems: readonly Problem[]): Map<string, Problem[]> {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = problemKey(problem);
    const group = groups.get(key);
    if (group) {
      group.push(problem);
    } else {
      groups.set(key, [problem]);
    }
  }
  return groups;
}

/** Identifies a problem wherever its line is. */
export function problemKey({ severity, source, code, message }: Problem): string {
  return JSON.stringify([severity, source, code, message]);
}

function byLine(a: Problem, b: Problem): number {
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character;
}
