/** Drops frames of a progress line that the next frame covers, so that a fast one neither fills the card nor causes omissions in its output. */

const CR = 0x0d;
const LF = 0x0a;
const ESC = 0x1b;
/** Ends the colors that a dropped frame may have begun or ended. */
const RESET = Buffer.from('\x1b[m');

/** A frame, the text between two carriage returns. */
interface Frame {
  /** The number of terminal columns; -1 when it is uncertain. */
  readonly columns: number;
  /** True when the frame erases the line or its rest, so that it covers every frame before it. */
  readonly erases: boolean;
  /** True when the frame contains colors. */
  readonly colored: boolean;
  /** True when the frame contains only text, colors and erasing of its own line: nothing of it remains once it is covered, and colors end with it. */
  readonly plain: boolean;
}

/**
 * Returns `chunk` without the frames that leave nothing on the screen: text after a carriage return that the text after the next one covers, or
 * that the next one erases. Frames at the edges of the chunk stay. So do frames with other escape sequences, or with characters of uncertain
 * width.
 */
export function withoutCoveredFrames(chunk: Uint8Array): Uint8Array {
  let first = chunk.indexOf(CR);
  let second = first < 0 ? -1 : chunk.indexOf(CR, first + 1);
  if (second < 0) {
    return chunk;
  }
  const pieces: Uint8Array[] = [];
  let copied = 0;
  let isReset = true;
  let frame = frameOf(chunk, first + 1, second);
  while (second >= 0) {
    const end = endOfFrame(chunk, second + 1);
    const next = frameOf(chunk, second + 1, end);
    // A remaining frame may depend on the erasing of a dropped one.
    const isCovered = next.erases || (!frame.erases && frame.columns >= 0 && next.columns >= frame.columns);
    if (end < chunk.length && frame.plain && isCovered) {
      if (copied < first) {
        pieces.push(chunk.subarray(copied, first));
        isReset = true;
      }
      if (frame.colored && isReset) {
        pieces.push(RESET);
        isReset = false;
      }
      copied = second;
    }
    first = second;
    frame = next;
    second = chunk.indexOf(CR, first + 1);
    if (second !== end) {
      frame = second < 0 ? frame : frameOf(chunk, first + 1, second);
    }
  }
  return copied === 0 && pieces.length === 0 ? chunk : Buffer.concat([...pieces, chunk.subarray(copied)]);
}

function endOfFrame(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== CR && chunk[at] !== LF) {
    at++;
  }
  return at;
}

function frameOf(chunk: Uint8Array, from: number, to: number): Frame {
  let columns = 0;
  let erases = false;
  let colored = false;
  let isColorOpen = false;
  let plain = true;
  let at = from;
  while (at < to && plain) {
    const byte = chunk[at]!;
    if (byte === ESC) {
      const end = sequenceEnd(chunk, at, to);
      const final = chunk[end - 1];
      const parameters = Buffer.from(chunk.subarray(at + 2, Math.max(at + 2, end - 1))).toString('latin1');
      if (end > 0 && final === 0x6d) {
        colored = true;
        isColorOpen = parameters !== '' && !/^0+$/.test(parameters);
      } else if (end > 0 && final === 0x4b && /^[02]?$/.test(parameters)) {
        erases = true;
      } else {
        plain = false;
      }
      at = end > 0 ? end : to;
      continue;
    }
    const width = widthAt(chunk, at, to);
    columns = columns < 0 || width === undefined ? -1 : columns + width;
    // A line feed or another control character moves the cursor.
    plain &&= byte >= 0x20 && byte !== 0x7f;
    at += byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  return { columns, erases, colored, plain: plain && !isColorOpen };
}

/** Returns the end of a control sequence that begins at `at`. Returns -1 for another escape sequence, or an incomplete one. */
function sequenceEnd(chunk: Uint8Array, at: number, to: number): number {
  if (chunk[at + 1] !== 0x5b) {
    return -1;
  }
  let end = at + 2;
  while (end < to && chunk[end]! >= 0x20 && chunk[end]! < 0x40) {
    end++;
  }
  return end < to ? end + 1 : -1;
}

/** Returns the number of columns of a character, or undefined when it is uncertain. */
function widthAt(chunk: Uint8Array, at: number, to: number): number | undefined {
  const byte = chunk[at]!;
  if (byte >= 0x20 && byte < 0x7f) {
    return 1;
  }
  if (at + 2 >= to) {
    return undefined;
  }
  // Block, line and Braille characters, which progress bars use, have one column; Chinese characters have two.
  return byte === 0xe2 ? 1 : byte >= 0xe4 && byte <= 0xe9 ? 2 : undefined;
}
