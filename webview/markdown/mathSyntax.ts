/** Formulas for marked: tokens of type `math`, as blocks and in lines. A text that cannot have any is lexed as if there were none. */
import { Tokenizer } from 'marked';
import type { MarkedOptions, Tokens } from 'marked';
import { inlineMathAt, mathBlockAfter, mathBlockAt, type MathText } from '../../src/core/mathText';

export interface MathToken {
  readonly type: 'math';
  readonly raw: string;
  /** The TeX, without delimiters. */
  readonly text: string;
  readonly display: boolean;
  /** Its end is still to come. */
  readonly open: boolean;
}

/** Whether a token is a formula. */
export function isMath(token: { readonly type: string }): token is MathToken {
  return token.type === 'math';
}

/** The TeX of a fenced block that says it is mathematics, once its end is there. */
export function fencedMath({ lang, raw, text }: Tokens.Code): string | undefined {
  if (lang?.trim().toLowerCase() !== 'math') return undefined;
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence !== undefined && new RegExp(`\\n {0,3}${fence}[~\`]*\\s*$`).test(raw) ? text : undefined;
}

/** What marked's lexer is given for `text`. Fresh for each lexer, which keeps its state in it. */
export function markdownOptions(text: string): MarkedOptions {
  if (!/\$|\\[([]/.test(text)) return { gfm: true };
  const tokenizer = new MathTokenizer();
  const inline = (source: string) => tokenizer.math(source);
  return { gfm: true, tokenizer, extensions: { renderers: {}, childTokens: {}, block: [blockMath], inline: [inline], startBlock: [paragraphEnd] } };
}

function tokenOf(math: MathText | undefined): MathToken | undefined {
  return math && { type: 'math', raw: math.raw, text: math.tex, display: math.display, open: math.open };
}

function blockMath(source: string): MathToken | undefined {
  return tokenOf(mathBlockAt(source));
}

function paragraphEnd(source: string): number | undefined {
  const end = mathBlockAfter(source);
  return end < 0 ? undefined : end;
}

/** UTF-16 units in which a dollar is looked for before the lexer reads on to whatever else may end a text: many dollars are not many long reads. */
const NEAR = 8192;
/** UTF-16 units by which the text is known that emphasis was last looked for in. */
const SEAM = 64;

class MathTokenizer extends Tokenizer {
  /** The character before the text that is read next. The last token has it too, but asking a text that grows for its end costs its length. */
  private before = '';
  /** Where emphasis was last looked for, with what formulas hide from it. */
  private masked: { readonly source: string; readonly mask: string; readonly result: string } | undefined;

  /** "Text", a formula and in it a line of "=" is no heading. */
  override lheading(source: string): Tokens.Heading | undefined {
    const heading = this.rules.block.lheading.exec(source);
    const end = heading ? mathBlockAfter(source) : -1;
    return heading && (end < 0 || end > heading[1]!.length) ? super.lheading(source) : undefined;
  }

  /** Text ends where a formula may begin. */
  override inlineText(source: string): Tokens.Text | undefined {
    const near = source.slice(0, NEAR).indexOf('$', 1);
    if (near > 0) return this.textBefore(source, near);
    const text = super.inlineText(source);
    const far = text ? text.raw.indexOf('$', 1) : -1;
    return far < 0 ? text : this.textBefore(source, far);
  }

  /** The formula that begins where `source` does. */
  math(source: string): MathToken | undefined {
    const { before } = this;
    this.before = '';
    return source.startsWith('$') || source.startsWith('\\(') ? tokenOf(inlineMathAt(source, before)) : undefined;
  }

  private textBefore(source: string, end: number): Tokens.Text | undefined {
    const text = super.inlineText(source.slice(0, end));
    if (text?.raw.length === end) this.before = source[end - 1]!;
    return text;
  }

  override emStrong(source: string, mask: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return /^[*_]/.test(source) ? super.emStrong(source, this.withoutMath(source, mask), before) : undefined;
  }

  override del(source: string, mask: string, before?: string): Tokens.Del | undefined {
    return source.startsWith('~') ? super.del(source, this.withoutMath(source, mask), before) : undefined;
  }

  /** `mask`, which the marks of emphasis are looked for in and which ends as `source` does, with the formulas of `source` hidden. */
  private withoutMath(source: string, mask: string): string {
    const { masked } = this;
    // A seam is enough to tell: comparing all of it for each mark would cost its square.
    if (masked && masked.mask === mask && masked.source.startsWith(source.slice(0, SEAM), masked.source.length - source.length)) return masked.result;
    const offset = mask.length - source.length;
    let result = mask.slice(0, offset);
    let start = 0;
    for (const { index, 0: sign } of source.matchAll(/\$+|\\\(/g)) {
      // What is in code or in a link's address is hidden already.
      if (index < start || mask[offset + index] !== (sign === '\\(' ? '+' : '$')) continue;
      const math = inlineMathAt(source.slice(index), source[index - 1] ?? mask[offset - 1] ?? '');
      if (!math) continue;
      result += mask.slice(offset + start, offset + index) + 'a'.repeat(math.raw.length);
      start = index + math.raw.length;
    }
    result += mask.slice(offset + start);
    this.masked = { source, mask, result };
    return result;
  }
}
