/** Calls `run` once, in a microtask, however often it is called meanwhile. */
export function batched(run: () => void): () => void {
  let waiting = false;
  return () => {
    if (!waiting) {
      waiting = true;
      queueMicrotask(() => {
        waiting = false;
        run();
      });
    }
  };
}
