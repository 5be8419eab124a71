/**
 * The lexer of marked as a conversation needs it: what one run leaves open ends with it, and markdown is only so deep. Each level of a quote, a list
 * or an emphasis is a call of the lexer, several of the page, and a box in a box: a thousand signs in a line would overflow the stack, or take
 * minutes. What lies deeper is shown as it was written.
 */
import { Lexer, type Token, type TokensList } from 'marked';

/** Levels of blocks, and of what is in a line; nobody could tell more of them apart. */
const MAX_DEPTH = 50;

export class RunLexer extends Lexer {
  private blockDepth = 0;
  private depth = 0;

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
    // HTML is text here, so that an `<a>` without its end keeps no address of a later block from being a link.
    if (this.depth === 0) this.state.inLink = this.state.inRawBlock = false;
    if (this.depth === MAX_DEPTH) return asText(source, tokens);
    this.depth++;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.depth--;
    }
  }
}

function asText(source: string, tokens: Token[]): Token[] {
  if (source !== '') tokens.push({ type: 'text', raw: source, text: source, escaped: false });
  return tokens;
}
