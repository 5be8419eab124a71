/**
 * The lexer of marked as a conversation needs it: what one run leaves open ends with it, and markdown is only so deep. Each level of a quote, a list
 * or an emphasis is a call of the lexer, several of the page, and a box in a box: a thousand signs in a line would overflow the stack, or take
 * minutes. What lies deeper is shown as it was written. What is long is read in stretches (see `bounds`).
 */
import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from 'marked';
import { cutBefore, MAX_STRETCH, picturesIn, stretchAt } from './bounds';
import { partOf } from './part';

/** Levels of blocks, and of what is in a line; nobody could tell more of them apart. */
const MAX_DEPTH = 50;

export class RunLexer extends Lexer {
  private blockDepth = 0;
  private depth = 0;

  constructor(options: MarkedOptions) {
    const { extensions } = options;
    super({ ...options, extensions: { renderers: {}, childTokens: {}, ...extensions, block: [...(extensions?.block ?? []), partOf] } });
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.blockDepth === MAX_DEPTH) return asText(source, tokens);
    this.blockDepth++;
    try {
      return super.blockTokens(source, tokens, lastParagraphClipped);
    } finally {
      this.blockDepth--;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.depth === MAX_DEPTH) return asText(source, tokens);
    if (this.depth > 0) return this.deeper(source, tokens);
    // HTML is text here, so that an `<a>` without its end keeps no address of a later block from being a link.
    this.state.inLink = this.state.inRawBlock = false;
    let start = 0;
    for (const [from, to] of picturesIn(source)) {
      if (to - from <= MAX_STRETCH / 4) continue;
      this.inStretches(source.slice(start, from), tokens);
      this.deeper(source.slice(from, to), tokens);
      start = to;
    }
    this.inStretches(start === 0 ? source : source.slice(start), tokens);
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
      const { end, plain } = stretchAt(source, start);
      if (plain) {
        asText(source.slice(start, end), tokens);
        start = end;
      } else if (end === source.length) {
        this.deeper(start === 0 ? source : source.slice(start), tokens);
        start = end;
      } else {
        start += this.some(source.slice(start, end), tokens);
      }
    }
  }

  /** Adds the tokens of about the first three quarters of `source`, which goes on: what begins in the last one may end behind it. Returns their length. */
  private some(source: string, tokens: Token[]): number {
    const found = this.deeper(source, []);
    const wanted = Math.floor((source.length * 3) / 4);
    let at = 0;
    for (const token of found) {
      const end = at + token.raw.length;
      if (end >= wanted) {
        const cut = token.type === 'text' ? cutBefore(source, at, wanted) : end < source.length || at === 0 ? end : at;
        if (cut === end) tokens.push(token);
        else if (cut > at) this.part(token, source.slice(at, cut), tokens);
        return cut;
      }
      tokens.push(token);
      at = end;
    }
    return at;
  }

  /** The beginning of a text that was lexed. */
  private part(token: Token, raw: string, tokens: Token[]): void {
    if ((token as Tokens.Text).text === token.raw) tokens.push({ ...token, raw, text: raw } as Tokens.Text);
    else this.deeper(raw, tokens);
  }
}

function asText(source: string, tokens: Token[]): Token[] {
  if (source !== '') tokens.push({ type: 'text', raw: source, text: source, escaped: false });
  return tokens;
}
