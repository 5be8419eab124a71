/**
 * The lexer of marked with the limits that a conversation needs: an open construct ends with its run, and nesting is limited. Each level of a quote,
 * a list or emphasis is a call of the lexer, several calls of the page, and a nested box. A thousand signs on a line would overflow the stack, or
 * take minutes. Deeper levels are shown as written. Long text is read in stretches (see `bounds`).
 */
import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from 'marked';
import { LexBudget, START } from './lexBudget';
import { cutBefore, MAX_NESTED, MAX_PART, MAX_STRETCH, picturesIn, stretchEnd } from './bounds';
import { groupTags } from './tags';
import { type SplitParagraphToken, splitParagraph, plainPiece } from './splitParagraph';

/** The most levels of blocks, and of inline elements. More would not be distinguishable. */
const MAX_DEPTH = 50;

/** Link definitions, by label. */
export type Links = Record<string, { href: string | null; title: string | null | undefined }>;

export class RunLexer extends Lexer {
  private blockDepth = 0;
  private depth = 0;
  private allowance: LexBudget | undefined;
  /** UTF-16 units of the document after the end of the current block. */
  private beyond = 0;

  /** Link definitions that take precedence over the document's, by label. */
  definitions: Links | undefined;

  /** @param left see `allowance` */
  constructor(
    options: MarkedOptions,
    private readonly left = START,
  ) {
    const { extensions } = options;
    const begin = (source: string, tokens: Token[]) => this.begin(source, tokens);
    const part = (source: string) => splitParagraph(this, source, Math.min(MAX_PART, this.within(source).length));
    super({
      ...options,
      extensions: { renderers: {}, childTokens: {}, ...extensions, block: [begin, ...(extensions?.block ?? []), part] },
    });
  }

  /** The allowance that the last document spent. */
  get spent(): number {
    return this.allowance?.spent ?? 0;
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.blockDepth === 0) {
      return this.document(source, tokens, lastParagraphClipped);
    }
    if (this.blockDepth === MAX_DEPTH || source.length * this.blockDepth ** 2 > MAX_NESTED) {
      return asText(source, tokens);
    }
    this.blockDepth++;
    try {
      return super.blockTokens(source, tokens, lastParagraphClipped);
    } finally {
      this.blockDepth--;
    }
  }

  /** Returns the text that a block at the start of `source` may use. */
  within(source: string): string {
    return this.blockDepth === 1 && this.beyond > 0 && source.length > this.beyond ? source.slice(0, source.length - this.beyond) : source;
  }

  private document(source: string, tokens: Token[], lastParagraphClipped?: boolean): Token[] {
    this.length = source.length;
    this.allowance = new LexBudget(source, this.left);
    this.blockDepth++;
    try {
      return super.blockTokens(source, tokens, lastParagraphClipped);
    } finally {
      this.blockDepth--;
      this.allowance.next(source.length, tokens.at(-1));
      // Inline text is read after all blocks.
      Object.assign(this.tokens.links, this.definitions);
    }
  }

  private length = 0;

  /** Called before each block: determines where it must end, or returns text to show as written because no allowance is left. */
  private begin(source: string, tokens: Token[]): SplitParagraphToken | undefined {
    if (this.blockDepth !== 1 || !this.allowance) {
      return undefined;
    }
    const start = this.length - source.length;
    this.allowance.next(start, tokens.at(-1));
    const end = this.allowance.end();
    if (end === start) {
      return plainPiece(source, this.allowance.pause);
    }
    this.beyond = end === Infinity ? 0 : this.length - end;
    return undefined;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.depth === MAX_DEPTH) {
      return asText(source, tokens);
    }
    if (this.depth > 0) {
      this.deeper(source, tokens);
      groupTags(tokens);
      return tokens;
    }
    // HTML is text here, so an `<a>` without its end does not prevent links in a later block.
    this.state.inLink = this.state.inRawBlock = false;
    let start = 0;
    for (const [from, to] of picturesIn(source)) {
      if (to - from <= MAX_STRETCH / 4) {
        continue;
      }
      this.inStretches(source.slice(start, from), tokens);
      this.deeper(source.slice(from, to), tokens);
      start = to;
    }
    this.inStretches(start === 0 ? source : source.slice(start), tokens);
    // Grouped last, because a tag may have its end in another stretch.
    groupTags(tokens);
    return tokens;
  }

  /** Lexes inline text as a whole. */
  protected stretch(source: string, tokens: Token[]): Token[] {
    return super.inlineTokens(source, tokens);
  }

  private deeper(source: string, tokens: Token[]): Token[] {
    this.depth++;
    try {
      return this.stretch(source, tokens);
    } finally {
      this.depth--;
    }
  }

  private inStretches(source: string, tokens: Token[]): void {
    for (let start = 0; start < source.length; ) {
      const end = stretchEnd(source, start);
      if (end === source.length) {
        this.deeper(start === 0 ? source : source.slice(start), tokens);
        start = end;
      } else {
        start += this.some(source.slice(start, end), tokens);
      }
    }
  }

  /**
   * Adds the tokens of about the first three quarters of `source`, because a construct in the last quarter may end behind it. Returns their length.
   */
  private some(source: string, tokens: Token[]): number {
    let tag: { inLink: boolean; inRawBlock: boolean } = { ...this.state };
    const found = this.deeper(source, []);
    const wanted = Math.floor((source.length * 3) / 4);
    let at = 0;
    for (const token of found) {
      const end = at + token.raw.length;
      if (end >= wanted) {
        const cut = token.type === 'text' ? cutBefore(source, at, wanted) : end < source.length || at === 0 ? end : at;
        // The state after the last tag that is kept.
        if (cut === end && token.type === 'html') {
          tag = token as Tokens.Tag;
        }
        this.state.inLink = tag.inLink;
        this.state.inRawBlock = tag.inRawBlock;
        if (cut === end) {
          tokens.push(token);
        } else if (cut > at) {
          this.part(token, source.slice(at, cut), tokens);
        }
        return cut;
      }
      tokens.push(token);
      if (token.type === 'html') {
        tag = token as Tokens.Tag;
      }
      at = end;
    }
    return at;
  }

  /** Adds the beginning of a text token that was cut. */
  private part(token: Token, raw: string, tokens: Token[]): void {
    if ((token as Tokens.Text).text === token.raw) {
      tokens.push({ ...token, raw, text: raw } as Tokens.Text);
    } else {
      this.deeper(raw, tokens);
    }
  }
}

function asText(source: string, tokens: Token[]): Token[] {
  if (source !== '') {
    tokens.push({ type: 'text', raw: source, text: source, escaped: false });
  }
  return tokens;
}
