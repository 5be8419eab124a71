/** Drops the frames of a progress line that the next frame covers, so that a fast one neither fills the card nor makes a hole in its output. */

const CR = 0x0d;
const LF = 0x0a;

/**
 * `chunk` without the frames that leave nothing on the screen: text after a carriage return that the text after the next one covers. Frames at the
 * edges of the chunk stay, and so do frames with escape sequences or characters whose width is not certain.
 */
export function withoutCoveredFrames(chunk: Uint8Array): Uint8Array {
  let first = chunk.indexOf(CR);
  let second = first < 0 ? -1 : chunk.indexOf(CR, first + 1);
  if (second < 0) {
    return chunk;
  }
  const out = new Uint8Array(chunk.length);
  let length = 0;
  let copied = 0;
  let columns = columnsOf(chunk, first + 1, second);
  while (second >= 0) {
    const end = endOfFrame(chunk, second + 1);
    const next = columnsOf(chunk, second + 1, end);
    if (end < chunk.length && columns >= 0 && next >= columns) {
      out.set(chunk.subarray(copied, first), length);
      length += first - copied;
      copied = second;
    }
    first = second;
    columns = next;
    second = chunk.indexOf(CR, first + 1);
    if (second !== end) {
      columns = second < 0 ? -1 : columnsOf(chunk, first + 1, second);
    }
  }
  out.set(chunk.subarray(copied), length);
  return out.subarray(0, length + chunk.length - copied);
}

function endOfFrame(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== CR && chunk[at] !== LF) {
    at++;
  }
  return at;
}

/** The columns of a text in the terminal; -1 when they are not certain. */
function columnsOf(chunk: Uint8Array, from: number, to: number): number {
  let columns = 0;
  for (let at = from; at < to; at++) {
    const byte = chunk[at]!;
    if (byte >= 0x20 && byte < 0x7f) {
      columns++;
    } else if (byte === 0xe2 && at + 2 < to) {
      // Blocks, lines and Braille, which bars are made of: three bytes, one column.
      columns++;
      at += 2;
    } else {
      return -1;
    }
  }
  return columns;
}
