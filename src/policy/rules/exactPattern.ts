/**
 * Patterns of paths for permissions. They look like those of `acpHost.protectedPaths`, but names are compared exactly: a permission must not cover a
 * file whose name only looks alike.
 */
import { matchesName } from '../protection/pathPattern';

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
      } else if (at < path.length && matchesName(name, path[at]!)) {
        next.add(at + 1);
      }
    }
    ends = next;
  }
  return ends.size > 0;
}
