/** A seeded source of random numbers, so that a failing sequence can be repeated. */

/** Returns an integer from 0 to `below` - 1. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)]!;
}

/** Picks a key by its weight. */
export function weighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const entries = Object.entries<number>(weights) as [K, number][];
  let at = random(entries.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [key, weight] of entries) {
    at -= weight;
    if (at < 0) {
      return key;
    }
  }
  return entries[0]![0];
}
