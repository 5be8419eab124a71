import type { posix } from 'node:path';
import type { PathSystem } from '../../src/util/realPath';

/** A disk in memory that records the requested paths. */
export interface Volume extends PathSystem {
  readonly asked: string[];
  /** Replaces a folder with another one of the same name. */
  replace(name: string): void;
  readonly links: Map<string, string>;
}

/**
 * A volume in memory. `folded`: names are found in any case, and a real path keeps the requested case. `links`: the whole paths of symlinks
 * and their absolute targets.
 */
export function volume(
  path: typeof posix,
  entries: readonly string[],
  folded: boolean,
  links: Readonly<Record<string, string>> = {},
): Volume {
  const key = (name: string) => (folded ? name.toLowerCase() : name);
  const known = new Map(entries.map((entry, index) => [key(entry), BigInt(index + 1)]));
  const led = new Map(Object.entries(links).map(([from, to]) => [key(from), to]));
  const asked: string[] = [];
  const missing = (): never => {
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  };
  const follow = (name: string): string => {
    const whole = path.normalize(name);
    for (const [from, to] of led) {
      if (key(whole) === from || key(whole).startsWith(from + path.sep)) {
        return follow(path.join(to, whole.slice(from.length)));
      }
    }
    return whole;
  };
  const inodeAt = async (name: string) => ({ dev: 1n, ino: known.get(key(follow(name))) ?? missing() });
  const noted =
    <T>(answer: (name: string) => Promise<T>) =>
    (name: string): Promise<T> => {
      asked.push(name);
      return answer(name);
    };
  return {
    path,
    asked,
    links: led,
    replace: (name) => void known.set(key(name), BigInt(known.size + 1000)),
    inodeOf: noted(inodeAt),
    linkOf: noted(async (name) => led.get(key(path.normalize(name))) ?? inodeAt(name).then(() => null)),
    realpath: noted((name) => inodeAt(name).then(() => follow(name))),
  };
}
