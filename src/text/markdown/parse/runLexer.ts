/**
 * The lexer of marked as a conversation needs it: what one run leaves open ends with it, and markdown is only so deep. Each level of a quote, a list
 * or an emphasis is a call of the lexer, several of the page, and a box in a box: a thousand signs in a line would overflow the stack, or take
 * minutes. What lies deeper is shown as it was written. What is long is read in stretches (see `bounds`).
 */
import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from 'marked';
import { Allowance, START } from './allowance';
import { cutBefore, MAX_NESTED, MAX_PART, MAX_STRETCH, picturesIn, stretchEnd } from './bounds';
import { groupTags } from './tags';
import { type PartToken, partOf, plainPart } from './part';

/** Levels of blocks, and of what is in a line; nobody could tell more of them apart. */
const MAX_DEPTH = 50;

/** Definitions of links, by label. */
export type Links = Record<string, { href: string | null; title: string | null | undefined }>;

export class RunLexer extends Lexer {
  private blockDepth = 0;
  private depth = 0;
  private allowance: Allowance | undefined;
  /** UTF-16 units of the document that come after the place where the block has to end that is lexed now. */
  private beyond = 0;

  /** Definitions of links that count whatever the document says, by label. */
  definitions: Links | undefined;

  /** @param left see `allowance` */
  constructor(
    options: MarkedOptions,
    private readonly left = START,
  ) {
    const { extensions } = options;
    const begin = (source: string, tokens: Token[]) => this.begin(source, tokens);
    const part = (source: string) => partOf(this, source, Math.min(MAX_PART, this.within(source).length));
    super({
      ...options,
      extensions: { renderers: {}, childTokens: {}, ...extensions, block: [begin, ...(extensions?.block ?? []), part] },
    });
  }

  /** What the last document spent of its allowance. */
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

  /** What a block that begins with `source` may be made of. */
  within(source: string): string {
    return this.blockDepth === 1 && this.beyond > 0 && source.length > this.beyond ? source.slice(0, source.length - this.beyond) : source;
  }

  private document(source: string, tokens: Token[], lastParagraphClipped?: boolean): Token[] {
    this.length = source.length;
    this.allowance = new Allowance(source, this.left);
    this.blockDepth++;
    try {
      return super.blockTokens(source, tokens, lastParagraphClipped);
    } finally {
      this.blockDepth--;
      this.allowance.next(source.length, tokens.at(-1));
      // What is in lines is read after all blocks.
      Object.assign(this.tokens.links, this.definitions);
    }
  }

  private length = 0;

  /** Before each block: where it has to end, or what is shown as it is since there is nothing left. */
  private begin(source: string, tokens: Token[]): PartToken | undefined {
    if (this.blockDepth !== 1 || !this.allowance) {
      return undefined;
    }
    const start = this.length - source.length;
    this.allowance.next(start, tokens.at(-1));
    const end = this.allowance.end();
    if (end === start) {
      return plainPart(source, this.allowance.pause);
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
    // HTML is text here, so that an `<a>` without its end keeps no address of a later block from being a link.
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
    // Only now: a tag may have its end in another stretch.
    groupTags(tokens);
    return tokens;
  }

  /** Lexes what is in a line, all of it at once. */
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

  /** Adds the tokens of about the first three quarters of `source`, which goes on: what begins in the last one may end behind it. Returns their length. */
  private some(source: string, tokens: Token[]): number {
    let tag: { inLink: boolean; inRawBlock: boolean } = { ...this.state };
    const found = this.deeper(source, []);
    const wanted = Math.floor((source.length * 3) / 4);
    let at = 0;
    for (const token of found) {
      const end = at + token.raw.length;
      if (end >= wanted) {
        const cut = token.type === 'text' ? cutBefore(source, at, wanted) : end < source.length || at === 0 ? end : at;
        // As after the last tag that is kept.
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

  /** The beginning of a text that was lexed. */
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
