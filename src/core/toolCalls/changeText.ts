/**
 * Formats a file's change as the lines of a diff, for display. The diff is not minimal: it covers everything from the first to the last changed line.
 */
import type { FileChange } from '../model/content';

/** Unchanged lines shown around a change. */
const AROUND = 3;
/** Lines of one change that are shown. */
const MAX_LINES = 2000;

/** Returns the lines of the diff; undefined when the agent sent no text of it. `left` counts the lines that are not shown. */
export function changeLines({ oldText, newText, line = 1 }: FileChange): { readonly text: string; readonly left: number } | undefined {
  if ((oldText ?? newText) === undefined) {
    return undefined;
  }
  const before = linesOf(oldText ?? '');
  const after = linesOf(newText ?? '');
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  if (start === before.length && start === after.length) {
    return { text: '', left: 0 };
  }
  const first = Math.max(0, start - AROUND);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const tail = before.slice(before.length - end, before.length - end + AROUND);
  const lines = [
    `@@ -${before.length === 0 ? 0 : first + line},${start - first + removed.length + tail.length} +${after.length === 0 ? 0 : first + line},${start - first + added.length + tail.length} @@`,
    ...before.slice(first, start).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ];
  return { text: lines.slice(0, MAX_LINES).join('\n'), left: Math.max(0, lines.length - MAX_LINES) };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}
