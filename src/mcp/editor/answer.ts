/** The text of an answer, bounded for the model. Pure. */
import type { ToolAnswer } from './tool';

/** Bytes in UTF-8. */
export const MAX_ANSWER = 20 * 1024;

/** Bytes of the rows of a page. The rest of an answer is for its first line and its remarks. */
const MAX_PAGE = MAX_ANSWER - 2048;

/** Returns how many of the rows fit in an answer, so that the next page begins at the first one that does not. At least one: a longer row is cut. */
export function fitting(rows: readonly string[], limit = MAX_PAGE): number {
  let size = 0;
  const end = rows.findIndex((row) => (size += Buffer.byteLength(row) + 1) > limit);
  return end < 0 ? rows.length : Math.max(1, end);
}

/** Returns the text of an answer with its remarks, in at most {@link MAX_ANSWER} bytes. The remarks are never cut. */
export function answerText({ text, nextCursor }: ToolAnswer, timeout: number | undefined): string {
  const remarks = [
    ...(nextCursor === undefined ? [] : [`There is more: call the tool again with "cursor": ${JSON.stringify(nextCursor)}.`]),
    ...(timeout === undefined
      ? []
      : [`timedOut: true. The tool stopped after ${timeout / 1000} seconds, so the answer may be incomplete. Ask for less, or try again.`]),
  ];
  const end = remarks.map((remark) => `\n\n${remark}`).join('');
  // Some readers of JSON refuse half of a surrogate pair.
  return (bounded(text.toWellFormed(), MAX_ANSWER - Buffer.byteLength(end)) + end).trimStart();
}

/** Returns the text, cut after a whole line where one ends near the limit. @param limit bytes */
export function bounded(text: string, limit: number): string {
  const size = Buffer.byteLength(text);
  if (size <= limit) {
    return text;
  }
  const note = (left: number): string => `\n\n[The answer was cut here: ${left} more bytes. Ask for less, or for the next part.]`;
  const bytes = Buffer.from(text);
  let end = Math.max(0, limit - Buffer.byteLength(note(size)));
  // The middle of a character is no place for a cut.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) {
    end--;
  }
  const line = bytes.lastIndexOf('\n', end);
  const cut = line > end / 2 ? line : end;
  return bytes.subarray(0, cut).toString() + note(size - cut);
}
