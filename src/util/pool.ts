/** Runs `work` for each of `items`, at most `limit` at the same time. */
export async function inPool<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  let index = 0;
  const one = async (): Promise<void> => {
    while (index < items.length) {
      await work(items[index++]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, one));
}

/** Returns the results of `work` for each of `items`, in their order. At most `limit` run at the same time. */
export async function mapInPool<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  await inPool([...items.entries()], limit, async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
}
