/**
 * Patterns of path names, like those of `.gitignore`: they match at any depth, and everything below. Names are compared like on the most lenient
 * file system, because a path that any system resolves to a protected file must be protected everywhere.
 */
import { withoutIgnorable } from '../../text/characters/characters';

/** A pattern of `/`-separated names with `*` and `?`. `**` matches any number of names. */
export interface PathPattern {
  readonly text: string;
  /** True when the pattern began with `/`: it matches only directly below a root. */
  readonly anchored: boolean;
  readonly names: readonly string[];
}

/** Returns undefined for a text without a name. */
export function parsePattern(text: string): PathPattern | undefined {
  const parts = text.trim().split(/[\\/]+/);
  const anchored = parts[0] === '' && parts.length > 1;
  const names = parts.filter((name) => name !== '' && name !== '.').map((name) => (name === '**' ? name : folded(name)));
  // Every pattern matches below any folder and everything below already, so outer `**` are dropped.
  while (!anchored && names[0] === '**') {
    names.shift();
  }
  while (names.at(-1) === '**') {
    names.pop();
  }
  return names.length > 0 ? { text: text.trim(), anchored, names } : undefined;
}

/** Returns the names that a file system may read one name of a path as. */
export function readingsOf(name: string): readonly string[] {
  const whole = folded(name);
  // Windows drops trailing dots and spaces, and the text after a colon names a stream of the same file.
  const bare = whole.replace(/:.*$/s, '').replace(/[. ]+$/, '');
  return bare === whole || bare === '' ? [whole] : [whole, bare];
}

/**
 * Returns the number of leading names, given by their readings, that end at a match of the pattern; the rest is below the match. Returns the
 * largest such number, or 0 when nothing matches.
 */
export function reachOf({ names, anchored }: PathPattern, path: readonly (readonly string[])[]): number {
  const ends = (at: number, next: number): number => {
    const name = names[next];
    if (name === undefined) {
      return at;
    }
    if (name === '**') {
      let end = 0;
      for (let skip = path.length; skip >= at && end === 0; skip--) {
        end = ends(skip, next + 1);
      }
      return end;
    }
    return path[at]?.some((reading) => isNamed(name, reading)) ? ends(at + 1, next + 1) : 0;
  };
  for (let start = anchored ? 0 : path.length - 1; start >= 0; start--) {
    const end = ends(start, 0);
    if (end > 0) {
      return end;
    }
  }
  return 0;
}

/**
 * Returns one spelling for all names that file systems may treat as equal: folds width, composition and case of characters, and drops invisible
 * ones.
 */
function folded(name: string): string {
  const seen = withoutIgnorable(name.normalize('NFKC'));
  return seen.toUpperCase().toLowerCase().normalize('NFKC');
}

function isNamed(pattern: string, name: string): boolean {
  return matchesName(pattern, name) || isShortNameOf(pattern, name);
}

/** Matches `*` and `?` without backtracking beyond the last `*`, because names come from the agent. */
export function matchesName(pattern: string, name: string): boolean {
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

/** True for a short name on Windows: `.git` may also be `GIT~1` or `GI7D29~1`. */
function isShortNameOf(pattern: string, name: string): boolean {
  const stem = /^\.*([^.*?]+)/.exec(pattern)?.[1]?.replaceAll(' ', '');
  const short = /^([^~.]{1,6})~\d+(?:\.|$)/.exec(name)?.[1];
  if (stem === undefined || short === undefined || !pattern.startsWith('.')) {
    return false;
  }
  return short === stem.slice(0, 6) || (short.length === 6 && short.startsWith(stem.slice(0, 2)) && /[\da-f]{4}$/.test(short));
}
