import type { Eol, Lines } from '../util/text';
import type { TextEdit } from './buffers';

/** A replacement of the lines `[start, end)`. */
interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Reduces edits of whole lines to the characters that differ, so that the user's cursors, selections and markers keep their positions. `edits` are
 * sorted and not adjacent.
 */
export function minimizeEdits(edits: readonly LineEdit[], text: string, lines: Lines, eol: Eol): TextEdit[] {
  const minimal: TextEdit[] = [];
  for (const { start, end, lines: wanted } of edits) {
    if (wanted.length === end - start) {
      for (const [index, line] of wanted.entries()) {
        const from = lines.starts[start + index]!;
        push(minimal, text, from, from + lines.texts[start + index]!.length, line);
      }
    } else {
      const { from, to, replacement } = wholeLines(start, end, wanted, lines, eol);
      push(minimal, text, from, to, replacement);
    }
  }
  return minimal;
}

/** Applies `edits`, which are sorted and refer to `text`. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: inserted } of edits) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

function wholeLines(start: number, end: number, wanted: readonly string[], { texts, starts, length }: Lines, eol: Eol) {
  const count = texts.length;
  if (end < count) {
    return { from: starts[start]!, to: starts[end]!, replacement: wanted.map((line) => line + eol).join('') };
  }
  // The last line has no line ending of its own. Lines inserted after it bring theirs; lines removed at the end take the previous one with them.
  if (start === count) {
    return { from: length, to: length, replacement: wanted.map((line) => eol + line).join('') };
  }
  if (wanted.length > 0 || start === 0) {
    return { from: starts[start]!, to: length, replacement: wanted.join(eol) };
  }
  return { from: starts[start - 1]! + texts[start - 1]!.length, to: length, replacement: '' };
}

function push(edits: TextEdit[], text: string, from: number, to: number, replacement: string): void {
  const old = text.slice(from, to);
  if (old === replacement) {
    return;
  }
  const shorter = Math.min(old.length, replacement.length);
  let head = 0;
  while (head < shorter && old[head] === replacement[head]) {
    head++;
  }
  while (head > 0 && (splits(old, head) || splits(replacement, head))) {
    head--;
  }
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === replacement[replacement.length - 1 - tail]) {
    tail++;
  }
  while (tail > 0 && (splits(old, old.length - tail) || splits(replacement, replacement.length - tail))) {
    tail--;
  }
  edits.push({ start: from + head, end: to - tail, text: replacement.slice(head, replacement.length - tail) });
}

/** True when `at` is inside a `\r\n` or between the halves of a character outside the BMP. */
function splits(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) {
    return false;
  }
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (before === 13 && after === 10) || (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff);
}
