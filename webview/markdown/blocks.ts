/**
 * Markdown that arrives in pieces. Blocks that later text cannot change are closed: lexed once and never looked at again; only the open tail
 * is lexed as the text grows. The result equals one lex of the whole text (property test).
 */
import { Lexer } from 'marked';
import type { Token, Tokens } from 'marked';

export type Block = Token;

/**
 * Blocks at the end that stay open. Two: what ends a block is the first line of the next one ("- a" then "---" is a list and a rule,
 * "- a" then "---x" a list alone), and while that line is the last it is still being written.
 */
const OPEN_BLOCKS = 2;

type Links = Record<string, { href: string | null; title: string | null | undefined }>;

/** A fenced code block without its end: grown without the lexer, so that a long one costs what its pieces cost. */
interface OpenFence {
  /** Matches a line that may close it. */
  readonly close: RegExp;
  /** Where the code starts in the text. */
  readonly bodyStart: number;
}

export class BlockLexer {
  /** Never changes but by growing, or by starting over (then {@link generation} is another). */
  closed: Block[] = [];
  open: Block[] = [];
  generation = 0;

  private text = '';
  /** Where the open tail starts. */
  private start = 0;
  /** Link definitions of the closed blocks. */
  private links: Links = Object.create(null) as Links;
  /** Definitions that the closed blocks were lexed with, or need not be. */
  private settled = new Set<string>();
  private fence: OpenFence | undefined;

  /** Takes the whole text, which usually is the text before and some more. `final`: no more is expected now. */
  update(source: string, final = false): void {
    const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
    if (!text.startsWith(this.text)) this.restart();
    if (this.growFence(text)) return;
    this.text = text;
    this.lexTail(final);
  }

  private restart(): void {
    this.closed = [];
    this.open = [];
    this.generation++;
    this.start = 0;
    this.links = Object.create(null) as Links;
    this.fence = undefined;
    this.settled.clear();
  }

  private lexTail(final: boolean): void {
    const tail = this.text.slice(this.start);
    const tokens = lex(tail, this.links);
    if (this.concernsClosed(tokens, final)) {
      const settled = this.settled;
      this.restart();
      this.settled = settled;
      return this.lexTail(final);
    }
    const solid = tokens.filter((token) => token.type !== 'space');
    const firstOpen = solid[Math.max(0, solid.length - OPEN_BLOCKS)];
    this.close(tokens, firstOpen, tail);
    this.fence = this.fenceOf(this.open.at(-1));
  }

  /** Moves the tokens before `firstOpen` to the closed ones, as far as their place in the text is certain. */
  private close(tokens: readonly Token[], firstOpen: Token | undefined, tail: string): void {
    let offset = 0;
    let index = 0;
    for (; index < tokens.length && tokens[index] !== firstOpen; index++) {
      const token = tokens[index]!;
      const end = endOf(token, tail, offset);
      if (end < 0) break;
      offset = end;
      if (token.type === 'space') continue;
      this.closed.push(token);
      if (token.type === 'def') {
        const { tag, href, title } = token as Tokens.Def;
        this.links[tag] ??= { href, title };
      }
    }
    this.start += offset;
    this.open = tokens.slice(index).filter((token) => token.type !== 'space');
  }

  /** True when the tail defines a link that a closed block refers to and was lexed without. */
  private concernsClosed(tokens: readonly Token[], final: boolean): boolean {
    const last = tokens.findLast((token) => token.type !== 'space');
    let concerned = false;
    for (const token of tokens) {
      if (token.type !== 'def' || (token === last && !final)) continue;
      const { tag, href, title } = token as Tokens.Def;
      const key = `${tag}\n${href}\n${title}`;
      if (this.settled.has(key)) continue;
      this.settled.add(key);
      concerned ||= this.closed.some((block) => mentions(block.raw, tag));
    }
    return concerned;
  }

  private fenceOf(block: Block | undefined): OpenFence | undefined {
    if (block?.type !== 'code') return undefined;
    // Only a fence at the margin: an indented one has its indentation taken off each line.
    const opening = /^(`{3,}|~{3,})[^\n]*\n/.exec(block.raw);
    if (!opening || !this.text.endsWith(block.raw)) return undefined;
    const close = new RegExp(`^ {0,3}${opening[1]}[~\`]* *$`, 'm');
    if (close.test(block.raw.slice(opening[0].length))) return undefined;
    return { close, bodyStart: this.text.length - block.raw.length + opening[0].length };
  }

  private growFence(text: string): boolean {
    if (!this.fence) return false;
    const lineStart = Math.max(this.text.lastIndexOf('\n') + 1, this.fence.bodyStart);
    if (this.fence.close.test(text.slice(lineStart))) return false;
    const block = this.open.at(-1) as Tokens.Code;
    const body = text.slice(this.fence.bodyStart);
    const raw = block.raw + text.slice(this.text.length);
    this.open = [...this.open.slice(0, -1), { ...block, raw, text: body.endsWith('\n') ? body.slice(0, -1) : body }];
    this.text = text;
    return true;
  }
}

function lex(text: string, links: Links): Token[] {
  const lexer = new Lexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  try {
    return lexer.lex(text);
  } catch {
    // The lexer gives up on a text it makes no progress in; the words still belong to the reader.
    return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] }];
  }
}

/** Where `token`, expected at `offset`, ends in `text`; -1 when it is not there. The lexer drops repeated link definitions without a token. */
function endOf(token: Token, text: string, offset: number): number {
  if (text.startsWith(token.raw, offset)) return offset + token.raw.length;
  const at = text.indexOf(token.raw, offset);
  return at >= 0 && /^(?: {0,3}\[[^\]]+\]:[^\n]*\n|\s*\n)*$/.test(text.slice(offset, at)) ? at + token.raw.length : -1;
}

function mentions(raw: string, tag: string): boolean {
  // Labels are compared without case and with runs of space as one: a cheap look that never misses.
  const normal = (text: string) => text.replace(/\s+/g, ' ').toLowerCase();
  return raw.includes('[') && normal(raw).includes(normal(tag));
}
