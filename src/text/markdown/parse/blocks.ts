/**
 * Lexes markdown that arrives in pieces. Blocks that later text cannot change are closed: they are lexed once and never read again. Only the open
 * tail is lexed as the text grows. The result equals one lex of the whole text (property test).
 */
import type { Token, Tokens } from 'marked';
import { leftAt, START } from './lexBudget';
import { RelexPolicy } from './relexPolicy';
import { type IncrementalList, incrementalListOf, lexGrown } from './incrementalList';
import { markdownLexer } from './mathLexer';
import { OpenFence } from './openFence';
import { isCut } from './splitParagraph';
import type { Links, RunLexer } from './runLexer';
import { withUnread } from './unread';

export type Block = Token;

/**
 * The number of blocks that stay open. A block ends with the first line of the next one ("- a" then "---" is a list and a rule, "- a" then "---x"
 * only a list). While that line is still being written, it may change several earlier blocks, but never beyond a blank line. So blocks are closed up
 * to a blank line that has two blocks after it. Without blank lines, they are closed up to many blocks from the end.
 */
const OPEN_BLOCKS = 2;
const OPEN_BLOCKS_WITHOUT_BLANK_LINE = 16;

/** The factor for the units that a long piece earns when the text is not shown in between. Without it, the end would cause the longest pause. */
const PORTION_PAYS = 6;

/** UTF-16 units at the end of the earlier text that identify a continuation. */
const SEAM = 64;

export class BlockLexer {
  /** Only grows, unless the lexer starts over and changes {@link generation}. */
  closed: Block[] = [];
  open: Block[] = [];
  generation = 0;

  /** The whole text of the last update. It is never copied, and read only where it may have changed. */
  private source = '';
  /** The end of the text that is not closed, with line feeds only. */
  private tail = '';
  /** Link definitions of the closed blocks. */
  private links: Links = Object.create(null) as Links;
  /** Definitions that the closed blocks were lexed with, or do not need. */
  private settled = new Set<string>();
  /** The remaining allowance at the tail, see `allowance`. */
  private left = START;
  private fence: OpenFence | undefined;
  /** A long list or table in the tail. */
  private growing: IncrementalList | undefined;
  private effort = new RelexPolicy();
  /** The open blocks of the last lex, and the text that has come since. */
  private lexed: Block[] = [];
  private unread = '';
  /** True when definitions for closed blocks changed and those were not lexed again. */
  private outdated = false;

  /** @param definitions of all links of the text, when they are known or must not count. No block is then lexed again for a later definition */
  constructor(private readonly definitions?: Links) {}

  /** The definitions of all links so far; undefined when all blocks were lexed with them. */
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

  /** Takes the whole text, which usually is the earlier text and some more. `final`: no more is expected now. */
  update(source: string, final = false): void {
    if (!this.continues(source, final)) {
      this.restart();
      this.effort = new RelexPolicy();
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

  /** Compares only the seam while a text streams, because comparing the whole text for each piece would take quadratic time. */
  private continues(source: string, final: boolean): boolean {
    const { length } = this.source;
    if (final || length <= SEAM) {
      return source.startsWith(this.source);
    }
    return source.length >= length && source.startsWith(this.source.slice(length - SEAM), length - SEAM);
  }

  private takeAdded(source: string): string {
    let added = source.slice(this.source.length);
    // The second half of a line break whose first half was read as a whole one.
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

  /** Moves the tokens before `firstOpen` to the closed ones, as long as their offset in the text is certain. */
  private close(tokens: readonly Token[], firstOpen: Token | undefined): void {
    let offset = 0;
    let index = 0;
    // White space alone may still become the indentation of a block.
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
      // One outdated block is enough, so no further search is needed.
      concerned ||= this.outdated || this.closed.some((block) => mentions(block.raw, tag));
    }
    return concerned;
  }
}

/** Returns the blocks that are probably still being written. */
function unfinishedOf(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.type !== 'space').slice(-OPEN_BLOCKS);
}

/** Returns the link definitions in a block and in its inner blocks. Those of a quote or a list count for the whole text. */
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

/** Returns the first token that stays open. The tokens before it end in a blank line. Undefined when all stay open. */
function firstOpenOf(tokens: readonly Token[]): Token | undefined {
  const places = [...tokens.keys()].filter((index) => tokens[index]!.type !== 'space');
  const solid = places.map((index) => tokens[index]!);
  // All blocks were lexed with a link definition that may still change or disappear.
  if (unfinishedOf(tokens).some((token) => definitionsIn(token).length > 0)) {
    return solid[0];
  }
  // A block that was cut because of its length is complete, whatever follows.
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
    // The lexer throws on a text in which it makes no progress. The words are shown anyway.
    return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] }];
  }
}

/**
 * Returns the end of `token`, expected at `offset`, in `text`; -1 when it is not there. The lexer drops repeated link definitions without a token.
 */
function endOf(token: Token, text: string, offset: number): number {
  if (text.startsWith(token.raw, offset)) {
    return offset + token.raw.length;
  }
  const at = text.indexOf(token.raw, offset);
  return at >= 0 && /^(?: {0,3}\[[^\]]+\]:[^\n]*\n|\s*\n)*$/.test(text.slice(offset, at)) ? at + token.raw.length : -1;
}

function mentions(raw: string, tag: string): boolean {
  // Labels are compared without case and with runs of white space as one. This check is fast and never misses a reference.
  const normal = (text: string) => text.replace(/\s+/g, ' ').toLowerCase();
  return raw.includes('[') && normal(raw).includes(normal(tag));
}

/** Compiles the lexer's regular expressions in idle time. With the first words of an answer, this would delay a frame. */
export function warmUpLexer(): void {
  new BlockLexer().update(
    '# a\n\n*b* **c** `d` [e](f) <g> https://h.example ~i~ j_k $l$\n\n- m\n  1. n\n\n> o\n\n| p |\n|---|\n| q |\n\n```r\ns\n```\n\nt\n===\n\n---\n',
    true,
  );
}
