/** Formats the difference of two texts as a unified diff, for readers of plain text. Pure. */
import { diffTexts, type LineChange } from './lines';

/** The most lines of both texts that are compared. Beyond them the whole text is one change, and the diff is too long for its readers anyway. */
const MAX_LINES = 60_000;
/** Unchanged lines around a change. */
const AROUND = 3;
/** UTF-16 units after which a diff ends early: its only readers, reports to agents, leave longer ones out. */
export const MAX_UNIFIED_DIFF = 64 * 1024;

/**
 * Returns hunks with their `@@` lines, without the two lines that name the files. Empty when the lines are the same. A diff of more than
 * {@link MAX_UNIFIED_DIFF} units is cut off behind the line that exceeds them.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) {
    return '';
  }
  const [old, now] = [new Lines(before), new Lines(after)];
  const changes: readonly LineChange[] = diffTexts(before, after, 'ignored', MAX_LINES)?.changes ?? [
    { oldStart: 0, oldEnd: old.count, newStart: 0, newEnd: now.count },
  ];
  const lines: string[] = [];
  let units = 0;
  const push = (sign: string, text: Lines, from: number, to: number): void => {
    for (let at = from; at < to && units <= MAX_UNIFIED_DIFF; at++) {
      const line = text.at(at);
      lines.push(sign + line);
      units += line.length + 2;
    }
  };
  for (let index = 0; index < changes.length && units <= MAX_UNIFIED_DIFF; ) {
    const first = index;
    // Changes whose context lines meet are in one hunk.
    while (changes[index + 1] && changes[index + 1]!.oldStart - changes[index]!.oldEnd <= 2 * AROUND) {
      index++;
    }
    const group = changes.slice(first, ++index);
    const [from, to] = [group[0]!, group.at(-1)!];
    const lead = Math.min(AROUND, from.oldStart);
    const tail = Math.min(AROUND, old.count - to.oldEnd);
    const [oldCount, newCount] = [to.oldEnd + tail - (from.oldStart - lead), to.newEnd + tail - (from.newStart - lead)];
    lines.push(`@@ -${range(from.oldStart - lead, oldCount)} +${range(from.newStart - lead, newCount)} @@`);
    let at = from.oldStart - lead;
    for (const { oldStart, oldEnd, newStart, newEnd } of group) {
      push(' ', old, at, oldStart);
      push('-', old, oldStart, oldEnd);
      push('+', now, newStart, newEnd);
      at = oldEnd;
    }
    push(' ', old, at, at + tail);
  }
  return lines.join('\n');
}

/** The lines of a text without their ends. A line end at the end of the text begins no further line. */
class Lines {
  private readonly starts: number[] = [0];

  constructor(private readonly text: string) {
    for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) {
      this.starts.push(feed + 1);
    }
    if (this.starts.at(-1)! < text.length) {
      this.starts.push(text.length);
    }
  }

  get count(): number {
    return this.starts.length - 1;
  }

  at(index: number): string {
    return this.text.slice(this.starts[index], this.starts[index + 1]).replace(/\r?\n$/, '');
  }
}

/** Returns a range of a hunk's header. Lines count from 1; an empty range names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}
