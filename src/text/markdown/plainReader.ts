/** Converts whole markdown texts to plain text: long ones in portions, and only the new part of growing ones. */
import { BlockLexer } from './parse/blocks';
import type { Links } from './parse/runLexer';
import { plainText } from './reader';

/** UTF-16 units that are lexed at once. */
const PORTION = 32 * 1024;
/** The cost of lexing a unit, when searching a unit costs 1. */
const COST = 2;

export class PlainReader {
  private lexer = new BlockLexer();
  /** The text of the lexer's closed blocks, and the number of those blocks. */
  private closed = '';
  private read = 0;
  private generation = 0;
  private source = '';

  /**
   * Returns the words of `markdown` that the page shows once the text is complete. Costs only the new part when `markdown` continues the earlier
   * text; otherwise all of it. Yields the cost, so that the caller can pause.
   */
  *update(markdown: string): Generator<number, string> {
    if (!markdown.startsWith(this.source)) {
      this.start(new BlockLexer());
      this.source = '';
    }
    const added = markdown.length - this.source.length;
    this.source = markdown;
    if (added <= PORTION) {
      this.lexer.update(markdown, true);
      yield added * COST;
    }
    if (added > PORTION || this.lexer.missing) {
      yield* this.inPortions(markdown);
    }
    return this.words();
  }

  /** Lexes in portions. Blocks that refer to a link defined later are lexed twice at most, and never all at once. */
  private *inPortions(markdown: string): Generator<number> {
    yield* this.lexed(markdown, NONE);
    const { missing } = this.lexer;
    if (missing) {
      yield* this.lexed(markdown, missing);
    }
  }

  private *lexed(markdown: string, definitions: Links): Generator<number> {
    this.start(new BlockLexer(definitions));
    for (let end = PORTION; end < markdown.length; end += PORTION) {
      this.lexer.update(markdown.slice(0, end));
      yield PORTION * COST;
    }
    this.lexer.update(markdown, true);
    yield PORTION * COST;
  }

  private start(lexer: BlockLexer): void {
    this.lexer = lexer;
    this.closed = '';
    this.read = 0;
    this.generation = 0;
  }

  private words(): string {
    const { closed, open, generation } = this.lexer;
    if (generation !== this.generation) {
      this.generation = generation;
      this.closed = '';
      this.read = 0;
    }
    if (this.read < closed.length) {
      this.closed += plainText(closed.slice(this.read));
      this.read = closed.length;
    }
    return this.closed + plainText(open);
  }
}

const NONE: Links = Object.create(null) as Links;
