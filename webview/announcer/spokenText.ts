/** Extracts the text to announce from Markdown that is still being written: the finished words that were not announced yet. */
import type { Token, Tokens } from 'marked';
import { BlockLexer } from '../../src/text/markdown/parse/blocks';
import { type Edge, readBlocks, type TextWriter } from '../../src/text/markdown/reader';
import { t } from '../base/l10n';

/** The end of a sentence with the closing quotation marks. Chinese and Japanese put no space after it. */
const END = /[.!?…؟۔।]+["'”’»)\]*_]*(?=\s)|[。！？｡]+["'”’」』）*_]*/gu;
/** Added text without any of these characters finishes no sentence. */
const MAY_END = /[.!?…؟۔।][^\s\p{L}\p{N}]*\s|[。！？｡\n]/u;
/** UTF-16 units between a sentence's end and the space after it. */
const CLOSING = 8;
/** Periods that end no sentence: after a list number, an initial or an abbreviation. */
const NO_END =
  /^\s*(?:\d{1,9}|[a-z])\.$|(?:^|[\s("'“‘[*_])(?:\p{L}|[a-z]\.[a-z]|Mrs?|Ms|Dr|Prof|St|vs|cf|ca|approx|fig|figs|no|vol|pp|incl|resp|etc|al|Inc|Ltd|Co|Corp|Jr|Sr|Jan|Feb|Aug|Sept?|Oct|Nov|Dec|bzw|ggf|usw|Nr)\.$/iu;
/** The longest such word, in UTF-16 units. */
const WORD = 24;
/** Characters at which a voice pauses. */
const PAUSE = /[.!?…:;,。！？：；、؟۔।]["'”’»)\]]*\s*$/u;
const BLANK_LINE_AT_END = /\n[^\S\n]*\n\s*$/;
const LETTER = /[\p{L}\p{N}]/gu;

/** The text of one growing message. */
export class SpokenText {
  private readonly lexer = new BlockLexer();
  /** UTF-16 units that were processed. */
  private length = 0;
  /** Blocks that were announced whole and cannot change, and the announced text of the blocks after them. */
  private done = 0;
  private heard = '';

  /** Takes the whole text. Returns the finished part that was not announced yet; with `final`, all of the text is finished. */
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
    // At the beginning of a line, the line before it may parse as an unfinished block.
    if (!now.startsWith(this.heard) && lettersOf(now) <= lettersOf(this.heard)) {
      return '';
    }
    const text = added(this.heard, now);
    const whole = Math.max(0, Math.min(closed.length - this.done, last));
    this.done += whole;
    this.heard = texts.slice(whole).join('');
    return text
      .replace(/\s+/g, ' ')
      .replace(/^[ .,;:]+(?= |$)/, '')
      .trim();
  }

  /** Marks the text as announced. */
  skip(markdown: string): void {
    this.hear(markdown, true);
  }
}

/**
 * Returns the finished part of `block`, the last block of `markdown`. Code, a formula or a table is finished only when another block follows.
 *
 * @param heard the part that was finished before
 */
function finishedPart(block: Token, markdown: string, heard: string): string {
  // The line may be the first of a table.
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

/** The end of the last sentence or line of `text` that ends after `from`; otherwise `from`. */
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

/** Returns the text after the `heard` part. Later text may change how punctuation is parsed; then only letters and digits are compared. */
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
  /** The text, with a line break at each inner edge. */
  readonly text: string;
  /** The offset of the code, formula or table at the end of the text; otherwise the text's length. */
  readonly ends: number;
  /** The text's length without a pause that {@link SpeechWriter} added at its end. */
  readonly own: number;
}

/** The spoken text per block, because most blocks of a long growing list do not change. */
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

/** Writes a block as spoken text. Code and formulas are only named. A title, an item or a row is one sentence, and the next one is separate. */
class SpeechWriter implements TextWriter {
  private words = '';
  /** The offset of the last code, formula or table, as long as nothing follows it. */
  private open: number | undefined;
  /** The text without the pause that was added after it. */
  private own = '';
  private isInRow = false;
  private isAfterCell = false;

  text(text: string): void {
    if (text.trim() === '') {
      this.words += text === '' ? '' : ' ';
      return;
    }
    if (!this.isInRow) {
      this.open = undefined;
    }
    const isCell = this.isInRow && this.isAfterCell && !this.words.endsWith('\n') && this.words !== '';
    this.isAfterCell = false;
    this.words += (isCell ? ', ' : '') + text.replace(/\s{2,}|[^\S ]/g, ' ');
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

/** Mostly a reference link whose definition has not arrived yet. */
const REFERENCE = /(?<![\p{L}\p{N}\])])\[([^[\]\n]+)\]\[[^[\]\n]*\]/gu;

/** Removes Markdown signs of emphasis that has no end yet. */
function tidied(text: string): string {
  return text
    .replace(REFERENCE, '$1')
    .replace(/[*_`~|]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/ \n[ \n]*|\n[ \n]+/g, '\n')
    .replace(/ (?=[.,;:!?](?:\s|$))/g, '')
    .trim();
}
