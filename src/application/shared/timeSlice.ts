/** Splits long work into short slices, so that other work in the extension host can run. */

/** The time in ms after which other work can run. */
const SLICE_MS = 10;

/** Yields the items of `source` unchanged. `check` is called between two slices, and throws to stop. */
export async function* inTimeSlices<T>(source: Iterable<T> | AsyncIterable<T>, check: () => void = () => undefined): AsyncIterable<T> {
  let since = performance.now();
  for await (const item of source) {
    yield item;
    if (performance.now() - since > SLICE_MS) {
      check();
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
  }
}

/** Joins the pieces of a text. Resolves to undefined when it has more than `max` UTF-16 units. */
export async function gathered(pieces: AsyncIterable<string>, max: number): Promise<string | undefined> {
  const all: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > max) {
      return undefined;
    }
    all.push(piece);
  }
  return all.join('');
}
