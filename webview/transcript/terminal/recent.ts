/** The end of an output that is long, where it can be had alone: a page of a conversation may hold many terminals, each read only to its last lines. */

/** UTF-16 units that are read whole. */
const SMALL = 16 * 1024;
/** What goes up, or away from the screen: what stands above is changed by what comes later. */
const MOVES = /(?:\x1b\[|\x9b)(?:[0-;]*[ABEFHJLMSTdefrsu]|\?[\d;]*[hl])|\x1b[78DEMc]|[\x84\x85\x8d]/;
const HARMLESS = /(?:\x1b\[|\x9b)\?(?:25|1|7|12|1004|2004|2026)[hl]/g;
const SGR = /(?:\x1b\[|\x9b)[\d;:]*m/g;

/** The last `count` lines, with the colours that are set before them; `cut`: they are not all. */
export function recentOutput(output: string, count: number): { text: string; cut: boolean } {
  if (output.length <= SMALL || MOVES.test(output.replace(HARMLESS, ''))) {
    return { text: output, cut: false };
  }
  let at = output.length;
  for (let seen = 0; seen <= count; seen++) {
    at = output.lastIndexOf('\n', at - 1);
    if (at <= 0) {
      return { text: output, cut: false };
    }
  }
  const before = output.slice(0, at + 1);
  const set = before.slice(Math.max(0, before.lastIndexOf('\x1b[0m'), before.lastIndexOf('\x1b[m'))).match(SGR);
  return { text: (set?.join('') ?? '') + output.slice(at + 1), cut: true };
}
