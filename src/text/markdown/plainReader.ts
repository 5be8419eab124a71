/** Whole markdown texts as plain text: long ones in portions, and of one that grows only what has come. */
import { BlockLexer } from './parse/blocks';
import type { Links } from './parse/runLexer';
import { plainText } from './reader';

/** UTF-16 units that are lexed at once. */
const PORTION = 32 * 1024;
/** What lexing a unit costs, when looking for something in it costs 1. */
const COST = 2;

export class PlainReader {
  private lexer = new BlockLexer();
  /** What the closed blocks of the lexer come to, and how many those are. */
  private closed = '';
  private read = 0;
  private generation = 0;
  private source = '';

  /**
   * The words of `markdown`: those that the page shows once nothing more is expected. Costs what `markdown` has beyond the text before, when it
   * continues that; else what all of it costs. Yields what was spent, so that whoever runs it can pause.
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

  /** Blocks that refer to a link defined later are lexed twice at the most, and never all at once. */
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
