/**
 * Returns a function that runs `load` when it is first called, and then always returns the same promise. After a failure the next call tries again: an
 * update of the extension deletes the files of the running version.
 */
export function lazy<T>(load: () => T | Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    if (!loading) {
      const started = Promise.resolve(load());
      loading = started;
      started.catch(() => (loading = undefined));
    }
    return loading;
  };
}
