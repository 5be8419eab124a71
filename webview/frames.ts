/** At the next frame; soon, when there are no frames because nobody looks. */
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
