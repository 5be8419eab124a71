/** Markdown that is still being written, as it is read out: which of its words are finished and were not heard yet. */
import type { Token, Tokens } from 'marked';
import { BlockLexer } from '../../src/text/markdown/parse/blocks';
import { type Edge, readBlocks, type TextWriter } from '../../src/text/markdown/reader';
import { t } from '../l10n';

/** A sentence's end; what closes a quotation goes with it. Chinese and Japanese put no space behind it. */
const END = /[.!?…؟۔।]+["'”’»)\]*_]*(?=\s)|[。！？｡]+["'”’」』）*_]*/gu;
/** Without one of these, what has come finishes nothing. */
const MAY_END = /[.!?…؟۔।][^\s\p{L}\p{N}]*\s|[。！？｡\n]/u;
/** UTF-16 units between a sentence's end and the space behind it. */
const CLOSING = 8;
/** Points that end no sentence: a number that counts, a letter that stands for a name, and words cut short. */
const NO_END =
  /^\s*(?:\d{1,9}|[a-z])\.$|(?:^|[\s("'“‘[*_])(?:\p{L}|[a-z]\.[a-z]|Mrs?|Ms|Dr|Prof|St|vs|cf|ca|approx|fig|figs|no|vol|pp|incl|resp|etc|al|Inc|Ltd|Co|Corp|Jr|Sr|Jan|Feb|Aug|Sept?|Oct|Nov|Dec|bzw|ggf|usw|Nr)\.$/iu;
/** UTF-16 units in which such a word stands. */
const WORD = 24;
/** What is heard as the end of something. */
const PAUSE = /[.!?…:;,。！？：；、؟۔।]["'”’»)\]]*\s*$/u;
const BLANK_LINE_AT_END = /\n[^\S\n]*\n\s*$/;
const LETTER = /[\p{L}\p{N}]/gu;

/** One text while it grows. */
export class SpokenText {
  private readonly lexer = new BlockLexer();
  /** UTF-16 units that were looked at. */
  private length = 0;
  /** Blocks that were heard whole and cannot change, and what was heard of those after them. */
  private done = 0;
  private heard = '';

  /** Takes the whole text. Returns what of it is finished and was not heard yet; with `final`, all of it is finished. */
  hear(markdown: string, final: boolean): string {
    const { length } = this;
    this.length = markdown.length;
    if (!final && !MAY_END.test(markdown.slice(Math.max(0, length - CLOSING)))) {
      return '';
    }
    this.lexer.update(markdown, final);
    const { closed, open } = this.lexer;
    const blocks = [...closed.slice(this.done), ...open];
    const last = blocks.length - 1;
    const texts = blocks.map((block, index) =>
      index < last || final ? `${spoken(block).text}\n` : finishedPart(block, markdown, last === 0 ? this.heard : ''),
    );
    const now = texts.join('');
    // While a line begins, what it follows may look like something that is not finished.
    if (!now.startsWith(this.heard) && lettersOf(now) <= lettersOf(this.heard)) {
      return '';
    }
    const words = added(this.heard, now);
    const whole = Math.max(0, Math.min(closed.length - this.done, last));
    this.done += whole;
    this.heard = texts.slice(whole).join('');
    return words
      .replace(/\s+/g, ' ')
      .replace(/^[ .,;:]+(?= |$)/, '')
      .trim();
  }

  /** Takes the text as heard. */
  skip(markdown: string): void {
    this.hear(markdown, true);
  }
}

/**
 * What of `block`, the last one of `markdown`, is finished. Code, a formula or a table is so only when something follows.
 * @param heard what of it was finished before
 */
function finishedPart(block: Token, markdown: string, heard: string): string {
  // The first line of what may become a table.
  if (block.type === 'paragraph' && /^\s*\|/.test(block.raw)) {
    return '';
  }
  const { text, ends, own } = spoken(block);
  if (ends < own || BLANK_LINE_AT_END.test(markdown.slice(-100))) {
    return text.slice(0, ends);
  }
  const words = text.slice(0, own);
  return words.slice(0, sentencesEnd(/\s/.test(markdown.at(-1) ?? '') ? `${words} ` : words, words.startsWith(heard) ? heard.length : 0));
}

/** Where the last sentence or line of `text` ends that ends behind `from`; else `from`. */
function sentencesEnd(text: string, from: number): number {
  const line = Math.max(from, text.lastIndexOf('\n') + 1);
  let end = line;
  for (const { index, 0: sign } of text.slice(line).matchAll(END)) {
    const to = line + index + sign.length;
    if (!(sign.startsWith('.') && NO_END.test(text.slice(Math.max(line, to - WORD), to)))) {
      end = to;
    }
  }
  return end;
}

/** What `text` has beyond what was `heard`. What comes later may show that signs belonged together; then letters and digits count. */
function added(heard: string, text: string): string {
  if (text.startsWith(heard)) {
    return text.slice(heard.length);
  }
  let left = lettersOf(heard);
  let at = 0;
  for (const { index, 0: letter } of text.matchAll(LETTER)) {
    if (left-- === 0) {
      break;
    }
    at = index + letter.length;
  }
  return text.slice(at).replace(/^[^\s\p{L}\p{N}]+/u, '');
}

function lettersOf(text: string): number {
  return text.match(LETTER)?.length ?? 0;
}

interface Spoken {
  /** With a line break at each edge within. */
  readonly text: string;
  /** Where the code, the formula or the table begins that it ends with; else its length. */
  readonly ends: number;
  /** Its length without a pause at its end that is ours. */
  readonly own: number;
}

/** What was made of a block that has not changed: of a long list that grows most is as it was. */
const KNOWN = new WeakMap<Token, Spoken>();

function spoken(block: Token): Spoken {
  const known = KNOWN.get(block);
  if (known) {
    return known;
  }
  const items = block.type === 'list' ? (block as Tokens.List).items : [];
  const result = items.length > 1 ? listed(items.map((item) => spokenItem(block as Tokens.List, item))) : read(block);
  KNOWN.set(block, result);
  return result;
}

function spokenItem(list: Tokens.List, item: Tokens.ListItem): Spoken {
  const result = KNOWN.get(item) ?? read({ ...list, items: [item] });
  KNOWN.set(item, result);
  return result;
}

function listed(items: readonly Spoken[]): Spoken {
  const said = items.filter(({ text }) => text !== '');
  const text = said.map((item) => item.text).join('\n');
  const last = said.at(-1);
  const before = text.length - (last?.text.length ?? 0);
  return { text, ends: before + (last?.ends ?? 0), own: before + (last?.own ?? 0) };
}

function read(block: Token): Spoken {
  const writer = new SpeechWriter();
  readBlocks([block], writer);
  return writer.end();
}

/** Code and formulas are only named; a title, an item and a row are heard as one, and the next begins anew. */
class SpeechWriter implements TextWriter {
  private words = '';
  /** Where the last code, formula or table begins, as long as nothing follows it. */
  private open: number | undefined;
  /** Without the pause that was put behind it. */
  private own = '';
  private isInRow = false;
  private isAfterCell = false;

  text(words: string): void {
    if (words.trim() === '') {
      this.words += words === '' ? '' : ' ';
      return;
    }
    if (!this.isInRow) {
      this.open = undefined;
    }
    const isCell = this.isInRow && this.isAfterCell && !this.words.endsWith('\n') && this.words !== '';
    this.isAfterCell = false;
    this.words += (isCell ? ', ' : '') + words.replace(/\s{2,}|[^\S ]/g, ' ');
  }

  lineBreak(): void {
    this.words += ' ';
  }

  edge(of: Edge): void {
    if (of === 'cell') {
      this.isAfterCell = true;
      return;
    }
    if (of === 'row') {
      this.isInRow = !this.isInRow;
      this.isAfterCell = false;
      if (this.isInRow) {
        this.open ??= this.words.trimEnd().length;
      }
    }
    this.words = this.words.trimEnd();
    if (this.words === '') {
      return;
    }
    if (of !== 'block' && of !== 'picture' && !PAUSE.test(this.words.slice(-WORD))) {
      this.own = this.words;
      this.words += '.';
    }
    this.words += '\n';
  }

  code(): void {
    this.named(t('Code block.'));
  }

  formula(source: string, display: boolean): void {
    if (display) {
      this.named(t('Formula.'));
    } else {
      this.text(source);
    }
  }

  picture(name: string): void {
    this.text(name);
  }

  end(): Spoken {
    const text = tidied(this.words);
    const own = this.words.trimEnd() === `${this.own}.` ? text.length - 1 : text.length;
    return { text, ends: this.open === undefined ? text.length : tidied(this.words.slice(0, this.open)).length, own };
  }

  private named(word: string): void {
    this.edge('block');
    const start = this.words.trimEnd().length;
    this.text(word);
    this.open = start;
    this.edge('block');
  }
}

/** A reference to a link, mostly: its definition is still to come. */
const REFERENCE = /(?<![\p{L}\p{N}\])])\[([^[\]\n]+)\]\[[^[\]\n]*\]/gu;

/** Without what stands for an emphasis that has no end yet, and says nothing. */
function tidied(words: string): string {
  return words
    .replace(REFERENCE, '$1')
    .replace(/[*_`~|]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/ \n[ \n]*|\n[ \n]+/g, '\n')
    .replace(/ (?=[.,;:!?](?:\s|$))/g, '')
    .trim();
}
