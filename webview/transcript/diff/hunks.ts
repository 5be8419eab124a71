/** Computes the difference of two texts for display. A chunk of its own, loaded with the first diff. */
import { diffLines, LINE_EDITS, type LineChange, linesOf } from '../../../src/text/diff/lines';
import { type WordSpan, wordsOf } from '../../../src/text/diff/wordDiff';

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  /** 0-based, in the text that has the line: the old text for a removed line, otherwise the new one. */
  readonly index: number;
  readonly parts: readonly WordSpan[];
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

/** Lines shown before and after a change. */
const CONTEXT = 3;
/** The most blocks of changed lines whose words are compared. */
const MAX_BLOCKS = 500;

export function diffOf(oldText: string, newText: string): FileDiff {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const blocks = diffLines(before, after, LINE_EDITS.shown);
  let compared = 0;
  const changed = (block: LineChange): DiffLine[] => {
    const removed = before.slice(block.oldStart, block.oldEnd);
    const added = after.slice(block.newStart, block.newEnd);
    const words = removed.length > 0 && added.length > 0 && compared++ < MAX_BLOCKS ? wordsOf(removed, added) : undefined;
    const line = (sign: '+' | '-', text: string, index: number, parts: readonly WordSpan[] | undefined): DiffLine => ({
      sign,
      index,
      parts: parts ?? [{ text, changed: false }],
    });
    return [
      ...removed.map((text, at) => line('-', text, block.oldStart + at, words?.removed[at])),
      ...added.map((text, at) => line('+', text, block.newStart + at, words?.added[at])),
    ];
  };
  const same = (from: number, to: number): DiffLine[] =>
    after.slice(Math.max(0, from), to).map((text, at) => ({ sign: ' ', index: Math.max(0, from) + at, parts: [{ text, changed: false }] }));
  const hunks: { lines: DiffLine[] }[] = [];
  let end = -Infinity;
  blocks.forEach((block, at) => {
    const near = block.newStart - end <= 2 * CONTEXT;
    if (!near) {
      hunks.push({ lines: [] });
    }
    const { lines } = hunks.at(-1)!;
    push(lines, same(near ? end : block.newStart - CONTEXT, block.newStart));
    push(lines, changed(block));
    end = block.newEnd;
    const next = blocks[at + 1];
    if (!next || next.newStart - end > 2 * CONTEXT) {
      push(lines, same(end, Math.min(after.length, end + CONTEXT)));
    }
  });
  return {
    added: blocks.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    removed: blocks.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
    hunks,
  };
}

/** Appends any number of lines. Spreading them into one call would exceed the limit for arguments. */
function push(lines: DiffLine[], more: readonly DiffLine[]): void {
  for (const line of more) {
    lines.push(line);
  }
}
