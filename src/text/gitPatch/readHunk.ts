/** Reads the lines of a patch, and its hunks. Pure. */

/** A hunk as the passage of the old file and the passage that replaces it. */
export interface PatchHunk {
  /** The line (1-based) at which each passage begins. */
  readonly oldStart: number;
  readonly newStart: number;
  /** The passages with the line end of their last line, unless the file has none there. */
  readonly oldText: string;
  readonly newText: string;
}

/** A position in the lines of a patch. */
export class PatchLines {
  private readonly lines: readonly string[];
  private index = 0;

  constructor(text: string) {
    const lines = text.split('\n');
    // The line end of the last line begins no further line.
    this.lines = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }

  get isAtEnd(): boolean {
    return this.index >= this.lines.length;
  }

  get current(): string {
    return this.lines[this.index] ?? '';
  }

  /** Returns the current line as a line of a header, which ends in CRLF where the whole patch does. */
  header(): string {
    const { current } = this;
    return current.endsWith('\r') ? current.slice(0, -1) : current;
  }

  next(): void {
    this.index++;
  }
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Returns the hunk that begins at the current line; undefined when its lines do not have the numbers in its header. */
export function readHunk(lines: PatchLines): PatchHunk | undefined {
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] = HUNK.exec(lines.current) ?? [];
  if (oldStart === undefined || newStart === undefined) {
    return undefined;
  }
  lines.next();
  const sides = { old: [] as string[], new: [] as string[] };
  let left = { old: Number(oldCount), new: Number(newCount) };
  let last: readonly ('old' | 'new')[] = [];
  for (; !lines.isAtEnd; lines.next()) {
    const line = lines.current;
    if (line.startsWith('\\')) {
      last.forEach((side) => sides[side].push(sides[side].pop()?.slice(0, -1) ?? ''));
      continue;
    }
    if (left.old === 0 && left.new === 0) {
      break;
    }
    // Some programs remove the space of an empty line.
    const touched = line === '' || line === '\r' ? BOTH : SIDES[line[0]!];
    if (!touched) {
      return undefined;
    }
    const text = `${line === '\r' ? line : line.slice(1)}\n`;
    touched.forEach((side) => sides[side].push(text));
    left = { old: left.old - Number(touched.includes('old')), new: left.new - Number(touched.includes('new')) };
    last = touched;
  }
  const isWhole = left.old === 0 && left.new === 0 && !/^[ +-]/.test(lines.current.replace(/^--- /, ''));
  return isWhole
    ? {
        oldStart: startOf(oldStart, oldCount),
        newStart: startOf(newStart, newCount),
        oldText: sides.old.join(''),
        newText: sides.new.join(''),
      }
    : undefined;
}

const BOTH: readonly ('old' | 'new')[] = ['old', 'new'];

const SIDES: Readonly<Record<string, readonly ('old' | 'new')[]>> = { ' ': BOTH, '-': ['old'], '+': ['new'] };

/** Returns the first line of a passage. An empty passage names the line before it. */
function startOf(start: string, count: string): number {
  return Number(start) + (Number(count) === 0 ? 1 : 0);
}
