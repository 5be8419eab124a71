/** Work in slices, so that a long loop never holds the extension host. */

/** ms of work between two turns of the event loop. */
const SLICE_MS = 8;
/** Steps between two looks at the clock. */
const STEPS = 64;

/** Yields to the event loop when the running slice has used its time. One per loop. */
export class Pace {
  private steps = 0;
  private begin = performance.now();

  /** Call once per item. Resolves at once unless the slice is used up. */
  step(): Promise<void> | undefined {
    if (++this.steps % STEPS !== 0 || performance.now() - this.begin < SLICE_MS) {
      return undefined;
    }
    return this.rest();
  }

  /** Like {@link step}, for items that take longer, such as the hash of a file. */
  heavyStep(): Promise<void> | undefined {
    return performance.now() - this.begin < SLICE_MS ? undefined : this.rest();
  }

  private async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.begin = performance.now();
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
