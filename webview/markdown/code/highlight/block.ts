/** One block of code on its way to its colours: how much of its text the worker has, and the tokens that came back. */
import type { Language } from './languages';
import type { LineTokens } from './messages';

/** UTF-16 units that the worker gets at once: some milliseconds of work. */
const PIECE = 4096;
/** UTF-16 units of a block that are coloured; what follows stays plain. */
const MAX_BLOCK = 200 * 1024;
/** UTF-16 units at the end of a text by which its continuation is known. */
const SEAM = 64;

/** What a block asks of its highlighter. */
export interface BlockOwner {
  /** Numbers are never used again: an answer to an earlier one is known by it. */
  number(): number;
  /** The worker need not keep it. */
  drop(id: number): void;
  /** Something is to do. */
  next(): void;
  /** The tokens of a text that was coloured to its end a while ago. */
  recall(language: Language, text: string): readonly LineTokens[] | undefined;
}

export class ColouredBlock {
  id: number;
  /** Of the lines from the first on, as far as they are known. Each keeps its identity until it has others. */
  readonly lines: LineTokens[] = [];
  /** No more is asked of the worker. */
  plain = false;
  text = '';
  /** UTF-16 units that the worker has, and whether the answer to the last of them is still to come. */
  private sent = 0;
  private waits = false;
  /** UTF-16 units whose tokens are here although this worker never had them. */
  private known = 0;
  private wanted = 0;

  /** `onLines` hears which lines have other tokens than before: from the first to before the second. */
  constructor(
    readonly language: Language,
    private readonly owner: BlockOwner,
    private readonly onLines: (from: number, to: number) => void,
  ) {
    this.id = owner.number();
  }

  /** The text so far; usually the one before and some more. */
  update(text: string): void {
    // The seam is enough to tell: comparing all of it each time would cost its square.
    const seam = Math.max(0, this.text.length - SEAM);
    const continues = text.length >= this.text.length && text.startsWith(this.text.slice(seam), seam);
    this.text = text;
    if (!continues) {
      this.restart();
    }
    if (this.sent === 0 && this.lines.length === 0) {
      this.recall();
    }
    this.owner.next();
  }

  /** Somebody looks at the lines before this one. */
  want(lines: number): void {
    if (lines <= this.wanted) {
      return;
    }
    this.wanted = lines;
    this.owner.next();
  }

  get wantsMore(): boolean {
    const length = Math.min(this.text.length, MAX_BLOCK);
    return !this.plain && this.sent < length && this.known < length && this.wanted > 0 && this.lines.length <= this.wanted;
  }

  /** All of it has its colours. */
  get isWhole(): boolean {
    return !this.waits && Math.max(this.sent, this.known) === this.text.length;
  }

  /** The next piece for the worker. Ends with a line where it can, because a line in two pieces is tokenised twice. */
  take(): string {
    const start = this.sent;
    const end = Math.min(start + PIECE, this.text.length, MAX_BLOCK);
    const lineEnd = end < this.text.length ? this.text.lastIndexOf('\n', end - 1) + 1 : end;
    this.sent = lineEnd > start ? lineEnd : end;
    this.waits = true;
    return this.text.slice(start, this.sent);
  }

  receive(from: number, lines: readonly LineTokens[]): void {
    this.waits = false;
    if (lines.length === 0) {
      return;
    }
    lines.forEach((tokens, index) => (this.lines[from + index] = tokens));
    this.onLines(from, from + lines.length);
  }

  /** From the beginning, and plain until then. */
  restart(): void {
    const count = this.lines.length;
    this.lines.length = 0;
    this.again();
    this.known = 0;
    if (count > 0) {
      this.onLines(0, count);
    }
  }

  /** The worker that had it is gone. What is there stays until it comes again. */
  again(): void {
    if (this.isWhole) {
      this.known = this.text.length;
    }
    this.owner.drop(this.id);
    this.id = this.owner.number();
    this.sent = 0;
    this.waits = false;
  }

  private recall(): void {
    const lines = this.owner.recall(this.language, this.text);
    if (!lines) {
      return;
    }
    this.known = this.text.length;
    this.receive(0, lines);
  }
}
