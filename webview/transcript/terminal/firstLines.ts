/** How much of a long text is shown at first. */

/** The first `count` lines of `text`; lines after them are never looked at. */
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
