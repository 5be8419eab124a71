/** Parts of overlong paragraphs, and text that is shown as written: tokens of type `part`, each followed by the rest. */
import { Lexer, type Token } from 'marked';
import { startsWithLineTag } from './tags';
import { cutBefore, MAX_PART, picturesIn } from './bounds';

/** A part, shown like a paragraph. Text behind it is never added to it. */
export interface SplitParagraphToken {
  readonly type: 'part';
  readonly raw: string;
  readonly text: string;
  readonly tokens: Token[];
  /** True for text that is shown as written. */
  readonly plain?: boolean;
}

/** True for a block that ends because it was too long, so that later text cannot change it. */
export function isCut(token: { readonly type: string; readonly cut?: boolean }): boolean {
  return token.type === 'part' || token.cut === true;
}

const RULES = Lexer.rules.block.gfm;

/** The beginning of any block but a paragraph. */
const OTHER = /^(?: {4}|[ \t]*(?:\n|$)| {0,3}(?:\t|`{3}|~{3}|#{1,6}(?:\s|$)|>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|\[(?=[^\]\n]{1,1000}\]:)))/;

/** Returns the first part of the paragraph at the start of `source`, the rest of a document, when it is longer than `most`. */
export function splitParagraph(lexer: Lexer, source: string, most = MAX_PART): SplitParagraphToken | undefined {
  if (source.length <= most || OTHER.test(source)) {
    return undefined;
  }
  const head = source.slice(0, most);
  if (/^ {0,3}</.test(head) && RULES.html.test(head) && !startsWithLineTag(head)) {
    return undefined;
  }
  // The data of a picture belongs to it, whatever its length.
  if (picturesIn(head).some(([, end]) => end === head.length)) {
    return undefined;
  }
  const rule = lexer.state.top ? RULES.paragraph : RULES.text;
  const length = rule.exec(head)?.[0].length ?? 0;
  if (length < most || RULES.table.test(head) || RULES.lheading.test(head)) {
    return undefined;
  }
  const raw = source.slice(0, cutBefore(source, most / 2, most));
  return { type: 'part', raw, text: raw, tokens: lexer.inline(raw) };
}

/** Returns about `length` units of `source`, up to the end of a line where there is one near. */
export function plainPiece(source: string, length: number): SplitParagraphToken {
  const lineEnd = source.indexOf('\n', length - 1) + 1;
  const raw = source.slice(
    0,
    source.length <= length ? length : lineEnd > 0 && lineEnd < 1.5 * length ? lineEnd : cutBefore(source, length / 2, length),
  );
  const text = raw.replace(/\n+$/, '');
  return { type: 'part', raw, text, plain: true, tokens: [{ type: 'text', raw: text, text, escaped: true }] };
}
