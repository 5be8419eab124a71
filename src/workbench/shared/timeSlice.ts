/** Long work in short slices: whoever else has something to do in the extension host gets their turn. */

/** ms that are worked before everybody else gets their turn. */
const SLICE_MS = 10;

/** The items of `source` as they are. `check` is called between two slices; it throws when nobody wants the rest. */
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

/** All of a text that comes in pieces; undefined when it has more than `max` UTF-16 units. */
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
