/** Returns a function that runs `run` in a microtask, once for all calls until then. */
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
