/** The difference of two texts, for looking at. A chunk of its own: it brings the `diff` library and is loaded with the first diff. */
import { diffWordsWithSpace, structuredPatch } from 'diff';

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  /** 0-based, in the text that has the line: the old one of a removed line, else the new one. */
  readonly index: number;
  /** 1-based; absent where nobody knows it. */
  readonly oldLine?: number;
  readonly newLine?: number;
  /** `changed`: the part of the line that differs from its counterpart */
  readonly parts: readonly { readonly text: string; readonly changed: boolean }[];
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

/** ms and edits after which a difference is given up as too large to show. */
const TIMEOUT = 150;
const MAX_EDITS = 20_000;
/** Pairs of lines and units per line up to which words are compared. */
const MAX_PAIRS = 60;
const MAX_LINE = 400;

/** Undefined when the texts differ too much to compare in reasonable time. */
export function diffOf(oldText: string, newText: string): FileDiff | undefined {
  const patch = structuredPatch('a', 'b', lf(oldText), lf(newText), '', '', { context: 3, timeout: TIMEOUT, maxEditLength: MAX_EDITS });
  if (!patch) return undefined;
  // Many agents give the replaced passage alone. Where it stands in the file is not said: no number is better than a wrong one.
  const passage = oldText !== '' && !oldText.endsWith('\n');
  let added = 0;
  let removed = 0;
  const hunks = patch.hunks.map((hunk) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    // A side without lines is said to start before its first.
    let oldIndex = Math.max(0, hunk.oldStart - 1);
    let newIndex = Math.max(0, hunk.newStart - 1);
    const lines: DiffLine[] = [];
    for (const line of hunk.lines) {
      const sign = line[0] as DiffLine['sign'] | '\\';
      if (sign === '\\') continue; // "No newline at end of file"
      const parts = [{ text: line.slice(1), changed: false }];
      if (sign === '+') {
        added++;
        lines.push({ sign, index: newIndex++, newLine: newLine++, parts });
      } else if (sign === '-') {
        removed++;
        lines.push({ sign, index: oldIndex++, oldLine: oldLine++, parts });
      } else {
        oldIndex++;
        lines.push({ sign, index: newIndex++, oldLine: oldLine++, newLine: newLine++, parts });
      }
    }
    return { lines: withWords(passage ? lines.map(({ sign, index, parts }) => ({ sign, index, parts })) : lines) };
  });
  return { added, removed, hunks };
}

/** Marks the changed words where as many lines were removed as were added in their place. */
function withWords(lines: readonly DiffLine[]): readonly DiffLine[] {
  const result = lines.slice();
  for (let start = 0; start < result.length; start++) {
    if (result[start]!.sign !== '-') continue;
    let middle = start;
    while (result[middle]?.sign === '-') middle++;
    let end = middle;
    while (result[end]?.sign === '+') end++;
    const count = middle - start;
    if (count === end - middle && count <= MAX_PAIRS) {
      for (let pair = 0; pair < count; pair++) {
        const marked = markWords(result[start + pair]!, result[middle + pair]!);
        if (marked) [result[start + pair], result[middle + pair]] = marked;
      }
    }
    start = end - 1;
  }
  return result;
}

function markWords(removed: DiffLine, added: DiffLine): [DiffLine, DiffLine] | undefined {
  const before = removed.parts[0]!.text;
  const after = added.parts[0]!.text;
  if (before.length > MAX_LINE || after.length > MAX_LINE) return undefined;
  const pieces = diffWordsWithSpace(before, after);
  const common = pieces.reduce((sum, piece) => sum + (piece.added || piece.removed ? 0 : piece.value.trim().length), 0);
  // Marks all over a line that is simply another line only make it harder to read.
  if (common < Math.max(before.trim().length, after.trim().length) / 3) return undefined;
  const side = (drop: 'added' | 'removed') => pieces.filter((piece) => !piece[drop]).map((piece) => ({ text: piece.value, changed: Boolean(piece.added || piece.removed) }));
  return [
    { ...removed, parts: side('added') },
    { ...added, parts: side('removed') },
  ];
}

function lf(text: string): string {
  return text.replace(/\r\n/g, '\n');
}
