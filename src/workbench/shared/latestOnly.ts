/** What takes a while to read and may be another meanwhile. Pure. */

/** What `current` leads to once nothing newer is on its way: of two readings the one that began first may end last. */
export async function latestOnly<T>(current: () => Promise<T>): Promise<T> {
  for (;;) {
    const reading = current();
    const value = await reading;
    if (current() === reading) {
      return value;
    }
  }
}
