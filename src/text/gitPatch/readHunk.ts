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
  private start = 0;
  /** The offset of the line feed, or the end of the text. */
  private end: number;

  constructor(private readonly text: string) {
    this.end = this.endFrom(0);
  }

  get isAtEnd(): boolean {
    return this.start >= this.text.length;
  }

  get current(): string {
    return this.text.slice(this.start, this.end);
  }

  /** The first character of the line; '' for an empty line. */
  get sign(): string {
    return this.start < this.end ? this.text[this.start]! : '';
  }

  /** Returns the line without its first character, with its line feed. */
  content(): string {
    // A slice of the whole text is faster than a new text for each line.
    return this.end < this.text.length ? this.text.slice(this.start + 1, this.end + 1) : `${this.text.slice(this.start + 1)}\n`;
  }

  /** Returns the current line as a line of a header, which ends in CRLF where the whole patch does. */
  header(): string {
    const { current } = this;
    return current.endsWith('\r') ? current.slice(0, -1) : current;
  }

  next(): void {
    this.start = this.end + 1;
    this.end = this.endFrom(this.start);
  }

  private endFrom(start: number): number {
    const end = this.text.indexOf('\n', start);
    return end < 0 ? this.text.length : end;
  }
}

/** The first characters of the lines in a hunk. */
const SIGNS: ReadonlySet<string> = new Set([' ', '-', '+']);

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Returns the hunk that begins at the current line; undefined when its lines do not have the numbers in its header. */
export function readHunk(lines: PatchLines): PatchHunk | undefined {
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] = HUNK.exec(lines.current) ?? [];
  if (oldStart === undefined || newStart === undefined) {
    return undefined;
  }
  lines.next();
  let oldText = '';
  let newText = '';
  let oldLeft = Number(oldCount);
  let newLeft = Number(newCount);
  let last = '';
  for (; !lines.isAtEnd; lines.next()) {
    const { sign: first } = lines;
    if (first === '\\') {
      oldText = last === '+' ? oldText : oldText.slice(0, -1);
      newText = last === '-' ? newText : newText.slice(0, -1);
      continue;
    }
    if (oldLeft === 0 && newLeft === 0) {
      break;
    }
    // Some programs remove the space of an empty line.
    const isEmpty = first === '' || (first === '\r' && lines.current === '\r');
    const sign = isEmpty ? ' ' : first;
    if (!SIGNS.has(sign)) {
      return undefined;
    }
    const text = isEmpty ? `${first}\n` : lines.content();
    if (sign !== '+') {
      oldText += text;
      oldLeft--;
    }
    if (sign !== '-') {
      newText += text;
      newLeft--;
    }
    last = sign;
  }
  const isLonger = SIGNS.has(lines.sign) && !lines.current.startsWith('--- ');
  const isWhole = oldLeft === 0 && newLeft === 0 && !isLonger;
  return isWhole
    ? {
        oldStart: startOf(oldStart, oldCount),
        newStart: startOf(newStart, newCount),
        oldText,
        newText,
      }
    : undefined;
}

/** Returns the first line of a passage. An empty passage names the line before it. */
function startOf(start: string, count: string): number {
  return Number(start) + (Number(count) === 0 ? 1 : 0);
}
