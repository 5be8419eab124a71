/**
 * Patterns of path names, as `.gitignore` has them: at any depth, and all that lies below. Names are compared the way the most forgiving file
 * system would, because a path that some system takes for a protected one must count as one everywhere.
 */
import { withoutIgnorable } from '../../text/characters/characters';

/** One of `/`-separated names, with `*` and `?`; `**` stands for any number of names. */
export interface PathPattern {
  readonly text: string;
  /** Counts only directly below a root: the pattern began with `/`. */
  readonly anchored: boolean;
  readonly names: readonly string[];
}

/** Undefined for a text that names nothing. */
export function parsePattern(text: string): PathPattern | undefined {
  const parts = text.trim().split(/[\\/]+/);
  const anchored = parts[0] === '' && parts.length > 1;
  const names = parts.filter((name) => name !== '' && name !== '.').map((name) => (name === '**' ? name : folded(name)));
  // Below any folder, and with all that lies below: what every pattern means already.
  while (!anchored && names[0] === '**') {
    names.shift();
  }
  while (names.at(-1) === '**') {
    names.pop();
  }
  return names.length > 0 ? { text: text.trim(), anchored, names } : undefined;
}

/** The ways in which a system may read one name of a path. */
export function readingsOf(name: string): readonly string[] {
  const whole = folded(name);
  // Windows drops dots and spaces at the end, and what follows a colon is a stream of the same file.
  const bare = whole.replace(/:.*$/s, '').replace(/[. ]+$/, '');
  return bare === whole || bare === '' ? [whole] : [whole, bare];
}

/**
 * How many of the names, given by their readings, lead to what the pattern means; what comes after lies below it. The largest such number, and 0 when
 * it means none of them.
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

/** One spelling of all that file systems may take for the same: width and composition of characters, case, characters that are not seen. */
function folded(name: string): string {
  const seen = withoutIgnorable(name.normalize('NFKC'));
  return seen.toUpperCase().toLowerCase().normalize('NFKC');
}

function isNamed(pattern: string, name: string): boolean {
  return matches(pattern, name) || isShortNameOf(pattern, name);
}

/** Without backtracking over more than the last `*`: names are the agent's. */
function matches(pattern: string, name: string): boolean {
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

/** Windows' short names: `.git` is `GIT~1` too, or `GI7D29~1`. */
function isShortNameOf(pattern: string, name: string): boolean {
  const stem = /^\.*([^.*?]+)/.exec(pattern)?.[1]?.replaceAll(' ', '');
  const short = /^([^~.]{1,6})~\d+(?:\.|$)/.exec(name)?.[1];
  if (stem === undefined || short === undefined || !pattern.startsWith('.')) {
    return false;
  }
  return short === stem.slice(0, 6) || (short.length === 6 && short.startsWith(stem.slice(0, 2)) && /[\da-f]{4}$/.test(short));
}
