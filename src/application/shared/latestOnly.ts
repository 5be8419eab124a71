/** Reading a value that may change while it is read. Pure. */

/** Resolves to the value of `current` once no newer reading is pending, because an earlier reading may end later. */
export async function latestOnly<T>(current: () => Promise<T>): Promise<T> {
  for (;;) {
    const reading = current();
    const value = await reading;
    if (current() === reading) {
      return value;
    }
  }
}
