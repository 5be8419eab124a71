/** Plays many sequences, several in parallel, because each waits for the file system's clock. */
import { rmSync } from 'node:fs';
import { Generator, kindOf } from './generate';
import { play } from './play';
import { randomOf } from './random';
import { shrink } from './shrink';
import type { Failure, Kind } from './steps';
import { World } from './world';
import { templatesFolder } from './worldKinds';

export interface ManyOptions {
  readonly seed: number;
  readonly from: number;
  /** The number after the last sequence. */
  readonly to: number;
  readonly kinds?: readonly Kind[] | undefined;
  /** False: failing sequences are not shortened. */
  readonly shrinks?: boolean;
  /** The number of failures after which no more sequences start. */
  readonly mostFailures?: number;
  /** Reports a failure as soon as it is shortened. */
  failed?(failure: Failure): void;
}

export interface ManyPlayed {
  readonly sequences: number;
  /** The undos and restores that were compared, and how many of them had to be exact. */
  readonly actions: number;
  readonly exact: number;
  readonly failures: readonly Failure[];
}

/** The number of sequences in parallel. */
const AT_ONCE = 8;

export async function playMany({
  seed,
  from,
  to,
  kinds,
  mostFailures = Infinity,
  shrinks = true,
  failed,
}: ManyOptions): Promise<ManyPlayed> {
  const failures: Failure[] = [];
  let [sequences, actions, exact, next] = [0, 0, 0, from];
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, to - from) }, async () => {
      const world = World.begin();
      while (next < to && failures.length < mostFailures) {
        const own = sequenceSeed(seed, next++);
        const random = randomOf(own);
        const kind = kindOf(random, kinds);
        await world.reset(kind);
        const played = await play(world, kind, own, new Generator(random, kind, world));
        sequences++;
        actions += played.actions;
        exact += played.exact;
        if (played.failure) {
          const shortest = shrinks ? await shrink(world, played.failure) : played.failure;
          failures.push(shortest);
          failed?.(shortest);
        }
      }
      await world.dispose();
    }),
  );
  return { sequences, actions, exact, failures };
}

/** Removes the folders from which sequences were copied. */
export function disposeTemplates(): void {
  const folder = templatesFolder();
  if (folder !== undefined) {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sequenceSeed(seed: number, index: number): number {
  return (Math.imul(seed, 0x9e3779b1) + index) >>> 0;
}
