/** Shortens a failing sequence: leaves out steps while it still fails by the same rule. */
import { play } from './play';
import type { ModelSession } from './session';
import type { Failure, Sequence, Step } from './steps';
import type { World } from './world';

/** The number of sequences played to shorten one. */
const MAX_PLAYED = 120;

/** Plays a recorded sequence. */
export async function replay(
  world: World,
  { kind, seed, steps }: Sequence,
  begin?: (world: World) => ModelSession,
): Promise<Failure | undefined> {
  await world.reset(kind);
  return (await play(world, kind, seed, steps, begin)).failure;
}

export async function shrink(world: World, failure: Failure, begin?: (world: World) => ModelSession): Promise<Failure> {
  let shortest = failure;
  let played = 0;
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    played++;
    const found = await replay(world, { ...shortest.sequence, steps }, begin);
    if (found?.rule !== failure.rule) {
      return false;
    }
    shortest = found;
    return true;
  };
  for (let isShorter = true; isShorter && played < MAX_PLAYED; ) {
    isShorter = false;
    for (let index = shortest.sequence.steps.length - 1; index >= 0 && played < MAX_PLAYED; index--) {
      const { steps } = shortest.sequence;
      if (index < steps.length && (await attempt(steps.filter((_, each) => each !== index)))) {
        isShorter = true;
      }
    }
  }
  return shortest;
}
