/** Divides work into slices, so that a long loop never blocks the extension host. */

/** ms of work between two turns of the event loop. */
const SLICE_MS = 8;
/** Steps between two checks of the clock. */
const STEPS = 64;

/** The start of the running slice, by `performance.now`. All loops share it, since one loop often continues where another has ended. */
let begin = 0;
/** Loops that wait for a slice. */
let resting: (() => void)[] = [];
let isScheduled = false;

/** Yields to the event loop when the running slice has used its time. One per loop. */
export class Pace {
  private steps = 0;

  /** Call once per item. Resolves at once unless the slice is used up. */
  step(): Promise<void> | undefined {
    if (++this.steps % STEPS !== 0 || performance.now() - begin < SLICE_MS) {
      return undefined;
    }
    return rest();
  }

  /** Like {@link step}, for items that take longer, such as the hash of a file. */
  heavyStep(): Promise<void> | undefined {
    return performance.now() - begin < SLICE_MS ? undefined : rest();
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => {
    resting.push(resolve);
    if (!isScheduled) {
      isScheduled = true;
      setImmediate(() => void resume());
    }
  });
}

/** Continues the resting loops in order, as long as the slice has time. */
async function resume(): Promise<void> {
  begin = performance.now();
  const loops = resting;
  resting = [];
  let count = 0;
  while (count < loops.length && performance.now() - begin < SLICE_MS) {
    loops[count++]!();
    // The loop works before the next check of the time.
    await Promise.resolve();
  }
  resting = [...loops.slice(count), ...resting];
  isScheduled = resting.length > 0;
  if (isScheduled) {
    setImmediate(() => void resume());
  }
}

/** Adds a value to the list of its key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) {
    list.push(value);
  } else {
    lists.set(key, [value]);
  }
}
