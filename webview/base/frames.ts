/** Runs `callback` in the next frame, or soon when the hidden page has no frames. */
export function beforePaint(callback: () => void): void {
  let done = false;
  const once = () => {
    if (done) {
      return;
    }
    done = true;
    callback();
  };
  requestAnimationFrame(once);
  setTimeout(once, 100);
}

/** Calls `callback` once the changes of the current frame are painted: a task that is queued in a frame runs after its paint. */
export function afterPaint(callback: () => void): void {
  setTimeout(callback, 0);
}
