/**
 * Patterns of paths for permissions. They look like those of `acpHost.protectedPaths`, but names are compared exactly: a permission must not cover a
 * file whose name only looks alike.
 */

export interface ExactPattern {
  readonly anchored: boolean;
  readonly names: readonly string[];
}

export function exactPattern(text: string): ExactPattern {
  const parts = text.trim().split(/[\\/]+/);
  const anchored = parts[0] === '' && parts.length > 1;
  const names = parts.filter((name) => name !== '' && name !== '.');
  while (!anchored && names[0] === '**') {
    names.shift();
  }
  while (names.at(-1) === '**') {
    names.pop();
  }
  return { anchored, names };
}

/** True when the pattern matches the path or a folder above it. @param path the names below a root, without `..` */
export function matchesExactly({ anchored, names }: ExactPattern, path: readonly string[]): boolean {
  if (names.length === 0) {
    return anchored;
  }
  // The positions in the path that the names so far may end at.
  let ends = new Set(anchored ? [0] : path.map((_, at) => at));
  for (const name of names) {
    const next = new Set<number>();
    for (const at of ends) {
      if (name === '**') {
        for (let skip = at; skip <= path.length; skip++) {
          next.add(skip);
        }
      } else if (at < path.length && isNamed(name, path[at]!)) {
        next.add(at + 1);
      }
    }
    ends = next;
  }
  return ends.size > 0;
}

/** Matches `*` and `?` without backtracking beyond the last `*`, because names come from the agent. */
function isNamed(pattern: string, name: string): boolean {
  let [at, star, from] = [0, -1, 0];
  for (let index = 0; index < name.length; ) {
    if (at < pattern.length && pattern[at] !== '*' && (pattern[at] === '?' || pattern[at] === name[index])) {
      at++;
      index++;
    } else if (pattern[at] === '*') {
      star = at++;
      from = index;
    } else if (star >= 0) {
      at = star + 1;
      index = ++from;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
