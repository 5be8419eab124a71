/** The highlighting state of one block of code: the length of the text that the worker has, and the tokens that it returned. */
import type { Language } from './languages';
import type { LineTokens } from './messages';

/** UTF-16 units that the worker gets at once: some milliseconds of work. */
const PIECE = 4096;
/** UTF-16 units of a block that are highlighted; the rest stays plain. */
const MAX_BLOCK = 200 * 1024;
/** UTF-16 units at the end of a text that are compared to recognize its continuation. */
const SEAM = 64;

/** The functions that a block calls on its highlighter. */
export interface BlockOwner {
  /** Returns a new number. Numbers are never reused, so the answer to an earlier request is recognized. */
  number(): number;
  /** Lets the worker forget this block. */
  drop(id: number): void;
  /** Reports that a block has text to highlight. */
  next(): void;
  /** Returns cached tokens of a completely highlighted text. */
  recall(language: Language, text: string): readonly LineTokens[] | undefined;
}

export class ColouredBlock {
  id: number;
  /** The tokens of the known lines, from the first on. An array keeps its identity until its line's tokens change. */
  readonly lines: LineTokens[] = [];
  /** True when the worker is not used and the text stays plain. */
  plain = false;
  text = '';
  /** UTF-16 units that the worker has received, and whether its last answer is pending. */
  private sent = 0;
  private waits = false;
  /** UTF-16 units whose tokens are known although the present worker has not received them. */
  private known = 0;
  private wanted = 0;

  /** @param onLines called with the range of lines whose tokens have changed: from the first to before the second */
  constructor(
    readonly language: Language,
    private readonly owner: BlockOwner,
    private readonly onLines: (from: number, to: number) => void,
  ) {
    this.id = owner.number();
  }

  /** Takes the whole current text, which usually extends the previous one. */
  update(text: string): void {
    // Comparing the seam is enough. Comparing the whole text each time would take quadratic time.
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

  /** The lines before this one are near the screen. */
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

  /** True when the whole text is highlighted. */
  get isWhole(): boolean {
    return !this.waits && Math.max(this.sent, this.known) === this.text.length;
  }

  /** Returns the next piece for the worker. It ends with a line if possible, because a line in two pieces is tokenized twice. */
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

  /** Starts again from the beginning, with plain text until then. */
  restart(): void {
    const count = this.lines.length;
    this.lines.length = 0;
    this.resend();
    this.known = 0;
    if (count > 0) {
      this.onLines(0, count);
    }
  }

  /** The block's worker has ended. The tokens stay until new ones arrive. */
  resend(): void {
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
