/** Paragraphs that are too long for one: tokens of type `part`, each followed by the rest. */
import { Lexer, type Token } from 'marked';
import { cutBefore, MAX_PART, picturesIn } from './bounds';

/** As a paragraph; what comes behind it is never added to it. */
export interface PartToken {
  readonly type: 'part';
  readonly raw: string;
  readonly text: string;
  readonly tokens: Token[];
}

/** True for a block that ends because it was too long: nothing that follows can change it. */
export function isCut(token: { readonly type: string; readonly cut?: boolean }): boolean {
  return token.type === 'part' || token.cut === true;
}

const RULES = Lexer.rules.block.gfm;

/** What begins another block than a paragraph. */
const OTHER = /^(?: {4}|[ \t]*(?:\n|$)| {0,3}(?:\t|`{3}|~{3}|#{1,6}(?:\s|$)|>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|<|\[(?=[^\]\n]{1,1000}\]:)))/;

/** The first part of the paragraph that `source`, the rest of a document, begins with; undefined when it is not too long for one. */
export function partOf(this: { lexer: Lexer }, source: string): PartToken | undefined {
  if (source.length <= MAX_PART || OTHER.test(source)) return undefined;
  const { lexer } = this;
  const head = source.slice(0, MAX_PART);
  // Data of a picture belongs to it, however long.
  if (picturesIn(head).some(([, end]) => end === head.length)) return undefined;
  const rule = lexer.state.top ? RULES.paragraph : RULES.text;
  const length = rule.exec(head)?.[0].length ?? 0;
  if (length < MAX_PART || RULES.table.test(head) || RULES.lheading.test(head)) return undefined;
  const raw = source.slice(0, cutBefore(source, MAX_PART / 2, MAX_PART));
  return { type: 'part', raw, text: raw, tokens: lexer.inline(raw) };
}
