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
