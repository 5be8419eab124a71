/**
 * Markdown that arrives in pieces. Blocks that later text cannot change are closed: lexed once and never looked at again; only the open tail
 * is lexed as the text grows. The result equals one lex of the whole text (property test).
 */
import type { Token, Tokens } from 'marked';
import { leftAt, START } from './allowance';
import { Effort } from './effort';
import { type IncrementalList, incrementalListOf, lexGrown } from './incrementalList';
import { markdownLexer } from './mathLexer';
import { OpenFence } from './openFence';
import { isCut } from './part';
import type { Links, RunLexer } from './runLexer';
import { withUnread } from './unread';

export type Block = Token;

/**
 * What ends a block is the first line of the next one ("- a" then "---" is a list and a rule, "- a" then "---x" a list alone), and while that
 * line is still being written, what it makes of the lines before may reach back over several blocks, but never over a blank line. So blocks
 * are closed up to a blank line that has two blocks after it; or, where nobody leaves blank lines, up to many blocks from the end.
 */
const OPEN_BLOCKS = 2;
const OPEN_BLOCKS_WITHOUT_BLANK_LINE = 16;

/** How many times over a piece pays for itself where pieces are long and nobody sees what is not lexed yet: the end must not be the longest pause. */
const PORTION_PAYS = 6;

/** UTF-16 units at the end of the text before, by which its continuation is known. */
const SEAM = 64;

export class BlockLexer {
  /** Never changes but by growing, or by starting over (then {@link generation} is another). */
  closed: Block[] = [];
  open: Block[] = [];
  generation = 0;

  /** The whole text as it was given last; never copied, and read only where it may have changed. */
  private source = '';
  /** The end of it that is not closed, with line feeds only. */
  private tail = '';
  /** Link definitions of the closed blocks. */
  private links: Links = Object.create(null) as Links;
  /** Definitions that the closed blocks were lexed with, or need not be. */
  private settled = new Set<string>();
  /** What the tail has left, see `allowance`. */
  private left = START;
  private fence: OpenFence | undefined;
  /** A long list or table in the tail. */
  private growing: IncrementalList | undefined;
  private effort = new Effort();
  /** The open blocks as they were lexed last, and what has come since. */
  private lexed: Block[] = [];
  private unread = '';
  /** Links of closed blocks changed, and were left for later. */
  private outdated = false;

  /**
   * @param definitions of all links of the text, when they are known or shall not count: then no block is lexed again for one that comes later
   */
  constructor(private readonly definitions?: Links) {}

  /** Definitions of all links so far; undefined when all blocks know them. */
  get missing(): Links | undefined {
    if (!this.outdated) {
      return undefined;
    }
    const links = Object.assign(Object.create(null) as Links, this.links);
    for (const { tag, href, title } of this.open.flatMap(definitionsIn)) {
      links[tag] ??= { href, title };
    }
    return links;
  }

  /** Takes the whole text, which usually is the text before and some more. `final`: no more is expected now. */
  update(source: string, final = false): void {
    if (!this.continues(source, final)) {
      this.restart();
      this.effort = new Effort();
    }
    const added = this.takeAdded(source);
    this.effort.earn(added.length * (this.definitions ? PORTION_PAYS : 1));
    const grown = final ? undefined : this.fence?.grow(added);
    if (grown) {
      this.open = [...this.open.slice(0, -1), grown];
      return;
    }
    this.fence = undefined;
    if (final || this.effort.affords(this.tail.length - (this.growing?.from ?? 0))) {
      this.lexTail(final);
      this.lexed = this.open;
      this.unread = '';
    } else {
      this.unread += added;
      this.open = withUnread(this.lexed, this.unread);
    }
  }

  /** While a text streams only the seam is compared: comparing all of it for each piece would cost its square. */
  private continues(source: string, final: boolean): boolean {
    const { length } = this.source;
    if (final || length <= SEAM) {
      return source.startsWith(this.source);
    }
    return source.length >= length && source.startsWith(this.source.slice(length - SEAM), length - SEAM);
  }

  private takeAdded(source: string): string {
    let added = source.slice(this.source.length);
    // The second half of a line break whose first half was taken for a whole one.
    if (added.startsWith('\n') && this.source.endsWith('\r')) {
      added = added.slice(1);
    }
    if (added.includes('\r')) {
      added = added.replace(/\r\n?/g, '\n');
    }
    this.source = source;
    this.tail += added;
    return added;
  }

  private restart(): void {
    this.closed = [];
    this.open = [];
    this.generation++;
    this.source = '';
    this.tail = '';
    this.links = Object.create(null) as Links;
    this.left = START;
    this.fence = undefined;
    this.growing = undefined;
    this.outdated = false;
    this.lexed = [];
    this.unread = '';
    this.settled.clear();
  }

  private lexTail(final: boolean): void {
    const lexed = (text: string, left: number): Token[] => {
      const lexer = markdownLexer(text, left);
      lexer.definitions = this.definitions;
      const tokens = lex(lexer, text, this.links);
      this.effort.weigh(lexer.spent, text.length);
      return tokens;
    };
    const tokens = (this.growing && lexGrown(this.tail, this.growing, lexed)) ?? lexed(this.tail, this.left);
    this.outdated = this.concernsClosed(tokens, final) || this.outdated;
    if (this.outdated && !this.definitions && (final || this.effort.affordsRestart(this.source.length))) {
      const { settled, source } = this;
      this.restart();
      this.settled = settled;
      this.takeAdded(source);
      return this.lexTail(final);
    }
    this.close(tokens, firstOpenOf(tokens));
    this.fence = OpenFence.of(this.open.at(-1), this.tail);
  }

  /** Moves the tokens before `firstOpen` to the closed ones, as far as their place in the text is certain. */
  private close(tokens: readonly Token[], firstOpen: Token | undefined): void {
    let offset = 0;
    let index = 0;
    // Space alone may yet become the indentation of something.
    for (; firstOpen && tokens[index] !== firstOpen; index++) {
      const token = tokens[index]!;
      const end = endOf(token, this.tail, offset);
      if (end < 0) {
        break;
      }
      offset = end;
      if (token.type === 'space') {
        continue;
      }
      this.closed.push(token);
      for (const { tag, href, title } of definitionsIn(token)) {
        this.links[tag] ??= { href, title };
      }
    }
    if (offset > 0) {
      this.tail = this.tail.slice(offset);
    }
    const open = tokens.slice(index);
    if (offset > 0) {
      this.left = (open[0] && leftAt(open[0])) ?? this.left;
    }
    this.growing = incrementalListOf(open, this.tail, offset > 0 ? undefined : this.growing);
    this.open = open.filter((token) => token.type !== 'space');
  }

  /** True when the tail defines a link that a closed block refers to and was lexed without. */
  private concernsClosed(tokens: readonly Token[], final: boolean): boolean {
    const growing = final ? [] : unfinishedOf(tokens);
    let concerned = false;
    for (const { tag, href, title } of tokens.flatMap((token) => (growing.includes(token) ? [] : definitionsIn(token)))) {
      const key = `${tag}\n${href}\n${title}`;
      if (this.settled.has(key)) {
        continue;
      }
      this.settled.add(key);
      // Once it is known to be so nobody has to look.
      concerned ||= this.outdated || this.closed.some((block) => mentions(block.raw, tag));
    }
    return concerned;
  }
}

/** The blocks that are likely to be still written. */
function unfinishedOf(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.type !== 'space').slice(-OPEN_BLOCKS);
}

/** Those of a block, and of the blocks in it: a quote or a list may define links for all of the text. */
function definitionsIn(token: Token): Tokens.Def[] {
  if (token.type === 'def') {
    return [token as Tokens.Def];
  }
  if (!token.raw.includes(']:') || token.type === 'paragraph') {
    return [];
  }
  const { tokens = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
  return [...tokens, ...items].flatMap(definitionsIn);
}

/** The first token that stays open, with the tokens before it ending in a blank line; undefined when all do. */
function firstOpenOf(tokens: readonly Token[]): Token | undefined {
  const places = [...tokens.keys()].filter((index) => tokens[index]!.type !== 'space');
  const solid = places.map((index) => tokens[index]!);
  // All were lexed with a link that may turn out to be another, or none.
  if (unfinishedOf(tokens).some((token) => definitionsIn(token).length > 0)) {
    return solid[0];
  }
  // What was too long is over, whatever follows.
  const cut = solid.findLastIndex((token, index) => index < solid.length - 1 && isCut(token));
  if (cut >= 0) {
    return solid[cut + 1];
  }
  for (let index = solid.length - OPEN_BLOCKS; index > 0; index--) {
    const before = tokens[places[index]! - 1]!;
    if (/\n[^\S\n]*\n[^\S\n]*$/.test(before.raw) || (before.type === 'space' && before.raw.includes('\n'))) {
      return solid[index];
    }
  }
  return solid.length > 2 * OPEN_BLOCKS_WITHOUT_BLANK_LINE ? solid[solid.length - OPEN_BLOCKS_WITHOUT_BLANK_LINE] : solid[0];
}

function lex(lexer: RunLexer, text: string, links: Links): Token[] {
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
  if (text.startsWith(token.raw, offset)) {
    return offset + token.raw.length;
  }
  const at = text.indexOf(token.raw, offset);
  return at >= 0 && /^(?: {0,3}\[[^\]]+\]:[^\n]*\n|\s*\n)*$/.test(text.slice(offset, at)) ? at + token.raw.length : -1;
}

function mentions(raw: string, tag: string): boolean {
  // Labels are compared without case and with runs of space as one: a cheap look that never misses.
  const normal = (text: string) => text.replace(/\s+/g, ' ').toLowerCase();
  return raw.includes('[') && normal(raw).includes(normal(tag));
}

/** Has the lexer's regular expressions compiled while nobody waits: with the first words of an answer that would be a frame too late. */
export function warmUpLexer(): void {
  new BlockLexer().update(
    '# a\n\n*b* **c** `d` [e](f) <g> https://h.example ~i~ j_k $l$\n\n- m\n  1. n\n\n> o\n\n| p |\n|---|\n| q |\n\n```r\ns\n```\n\nt\n===\n\n---\n',
    true,
  );
}
