/** Edits of a text by ranges, as language servers return them. Pure. */
import type { RangeEdit } from './language';

/**
 * Applies edits that refer to the same text. Insertions at one place keep their order.
 * @throws an Error when edits overlap
 */
export function applyRangeEdits(text: string, edits: readonly RangeEdit[]): string {
  const starts = lineStarts(text);
  const offsetAt = ({ line, character }: RangeEdit['range']['start']): number => {
    const start = starts[line];
    return start === undefined ? text.length : Math.min(start + character, lineEnd(text, starts, line));
  };
  let result = '';
  let at = 0;
  for (const { range, newText } of inOrder(edits)) {
    const [start, end] = [offsetAt(range.start), offsetAt(range.end)];
    if (start < at || end < start) {
      throw new Error('The edits overlap.');
    }
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}

/** Returns the lines of the new text, from 0, at which edits begin. */
export function changedLines(edits: readonly RangeEdit[]): readonly number[] {
  let delta = 0;
  const lines = inOrder(edits).map(({ range, newText }) => {
    const line = range.start.line + delta;
    delta += newText.split(/\r\n|\n|\r/).length - 1 - (range.end.line - range.start.line);
    return line;
  });
  return [...new Set(lines)];
}

function inOrder(edits: readonly RangeEdit[]): readonly RangeEdit[] {
  return edits.toSorted(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character);
}

/** The offset of each line, as VS Code cuts them: at `\r\n`, `\n` and a `\r` alone. */
function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length)];
}

function lineEnd(text: string, starts: readonly number[], line: number): number {
  const next = starts[line + 1];
  if (next === undefined) {
    return text.length;
  }
  return text[next - 1] === '\n' && text[next - 2] === '\r' && next - 2 >= starts[line]! ? next - 2 : next - 1;
}
