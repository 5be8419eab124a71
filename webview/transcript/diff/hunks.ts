/** The difference of two texts, for looking at. A chunk of its own, loaded with the first diff. */
import { matchesOf } from './sequence';
import { type Part, wordsOf } from './words';

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  /** 0-based, in the text that has the line: the old one of a removed line, else the new one. */
  readonly index: number;
  readonly parts: readonly Part[];
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
  /** The texts are a passage of a file, as many agents give it: where in the file it stands is not in them. */
  readonly passage: boolean;
}

/** Lines before and after a change that are shown with it. */
const CONTEXT = 3;
/** Blocks of changed lines whose words are compared. */
const MAX_BLOCKS = 500;

interface Block {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

export function diffOf(oldText: string, newText: string): FileDiff {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const blocks = blocksOf(before, after);
  let compared = 0;
  const changed = (block: Block): DiffLine[] => {
    const removed = before.slice(block.from, block.to);
    const added = after.slice(block.newFrom, block.newTo);
    const words = removed.length > 0 && added.length > 0 && compared++ < MAX_BLOCKS ? wordsOf(removed, added) : undefined;
    const line = (sign: '+' | '-', text: string, index: number, parts: readonly Part[] | undefined): DiffLine => ({
      sign,
      index,
      parts: parts ?? [{ text, changed: false }],
    });
    return [
      ...removed.map((text, at) => line('-', text, block.from + at, words?.removed[at])),
      ...added.map((text, at) => line('+', text, block.newFrom + at, words?.added[at])),
    ];
  };
  const same = (from: number, to: number): DiffLine[] =>
    after.slice(Math.max(0, from), to).map((text, at) => ({ sign: ' ', index: Math.max(0, from) + at, parts: [{ text, changed: false }] }));
  const hunks: { lines: DiffLine[] }[] = [];
  let end = -Infinity;
  blocks.forEach((block, at) => {
    const near = block.newFrom - end <= 2 * CONTEXT;
    if (!near) {
      hunks.push({ lines: [] });
    }
    const { lines } = hunks.at(-1)!;
    push(lines, same(near ? end : block.newFrom - CONTEXT, block.newFrom));
    push(lines, changed(block));
    end = block.newTo;
    const next = blocks[at + 1];
    if (!next || next.newFrom - end > 2 * CONTEXT) {
      push(lines, same(end, Math.min(after.length, end + CONTEXT)));
    }
  });
  return {
    added: blocks.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
    removed: blocks.reduce((sum, { from, to }) => sum + to - from, 0),
    hunks,
    passage: oldText !== '' && !oldText.endsWith('\n'),
  };
}

function blocksOf(before: readonly string[], after: readonly string[]): readonly Block[] {
  const matches = matchesOf(before, after);
  const blocks: Block[] = [];
  let newFrom = 0;
  let from = 0;
  for (let index = 0; index <= before.length; index++) {
    const place = index === before.length ? after.length : matches[index]!;
    if (place < 0) {
      continue;
    }
    if (from < index || newFrom < place) {
      blocks.push({ from, to: index, newFrom, newTo: place });
    }
    from = index + 1;
    newFrom = place + 1;
  }
  return blocks;
}

/** However many: spread into a call they would be too many for it. */
function push(lines: DiffLine[], more: readonly DiffLine[]): void {
  for (const line of more) {
    lines.push(line);
  }
}

/** An end of line at the end of a text begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}
