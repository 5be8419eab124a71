/** Limits how much of a long text is shown at first. */

/** Returns the first `count` lines of `text`, without scanning the lines after them. */
export function firstLines(text: string, count: number): { text: string; cut: boolean } {
  let at = -1;
  for (let seen = 0; seen < count; seen++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at === text.length - 1) {
      return { text, cut: false };
    }
  }
  return { text: text.slice(0, at), cut: true };
}
