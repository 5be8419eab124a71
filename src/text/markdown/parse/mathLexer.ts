/** Formulas for marked: tokens of type `math`, as blocks and inline. A text that cannot have any is lexed by the plain lexer. */
import type { Hooks, Token, Tokens } from 'marked';
import { inlineMathAt, mathBlockAfter, mathBlockAt, type MathText } from './formulas';
import { RunLexer } from './runLexer';
import { WholeTokenizer } from './wholeTokenizer';

export interface MathToken {
  readonly type: 'math';
  readonly raw: string;
  /** The TeX, without delimiters. */
  readonly text: string;
  readonly display: boolean;
  /** True while its end is missing. */
  readonly open: boolean;
}

/** True when a token is a formula. */
export function isMath(token: { readonly type: string }): token is MathToken {
  return token.type === 'math';
}

/** Returns the TeX of a fenced block with the language `math`, once its end has come. */
export function fencedMath({ lang, raw, text }: Tokens.Code): string | undefined {
  if (lang?.trim().toLowerCase() !== 'math') {
    return undefined;
  }
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence !== undefined && new RegExp(`\\n {0,3}${fence}[~\`]*\\s*$`).test(raw) ? text : undefined;
}

/** Returns a lexer for `text`. `left`: see `allowance`. */
export function markdownLexer(text: string, left?: number): RunLexer {
  return /\$|\\[([]/.test(text) ? new MathLexer(left) : new RunLexer({ gfm: true, tokenizer: new WholeTokenizer() }, left);
}

class MathLexer extends RunLexer {
  /** The text of the run that is lexed next. */
  private source = '';

  constructor(left?: number) {
    const tokenizer = new MathTokenizer();
    const inline = (source: string) => tokenizer.math(source);
    const hooks = { emStrongMask: (mask: string) => withoutMath(this.source, mask) } as Hooks;
    super(
      {
        gfm: true,
        tokenizer,
        hooks,
        extensions: { renderers: {}, childTokens: {}, block: [blockMath], inline: [inline], startBlock: [paragraphEnd] },
      },
      left,
    );
  }

  protected override stretch(source: string, tokens: Token[]): Token[] {
    this.source = source;
    return super.stretch(source, tokens);
  }
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

/**
 * UTF-16 units that are searched for a dollar before the lexer reads on to another end of the text. Many dollars then do not cause many long reads.
 */
const NEAR = 8192;

class MathTokenizer extends WholeTokenizer {
  /** The character before the text that is read next. The last token has it too, but reading the end of a growing text costs its length. */
  private before = '';

  /** A paragraph followed by a formula with a line of "=" in it is not a heading. */
  override lheading(source: string): Tokens.Heading | undefined {
    const heading = this.rules.block.lheading.exec(source);
    const end = heading ? mathBlockAfter(source) : -1;
    return heading && (end < 0 || end > heading[1]!.length) ? super.lheading(source) : undefined;
  }

  /** Ends the text where a formula may begin. */
  override inlineText(source: string): Tokens.Text | undefined {
    const near = source.slice(0, NEAR).indexOf('$', 1);
    if (near > 0) {
      return this.textBefore(source, near);
    }
    const text = super.inlineText(source);
    const far = text ? text.raw.indexOf('$', 1) : -1;
    return far < 0 ? text : this.textBefore(source, far);
  }

  /** Returns the formula at the start of `source`. */
  math(source: string): MathToken | undefined {
    const { before } = this;
    this.before = '';
    return source.startsWith('$') || source.startsWith('\\(') ? tokenOf(inlineMathAt(source, before)) : undefined;
  }

  private textBefore(source: string, end: number): Tokens.Text | undefined {
    const text = super.inlineText(source.slice(0, end));
    if (text?.raw.length === end) {
      this.before = source[end - 1]!;
    }
    return text;
  }
}

/** Hides the formulas in `mask`, the form of `source` in which the lexer searches for emphasis. */
function withoutMath(source: string, mask: string): string {
  let result = '';
  let end = 0;
  for (const { index, 0: sign } of source.matchAll(/\$+|\\\(/g)) {
    // Signs in code or in a link's address are hidden already.
    if (index < end || mask[index] !== (sign === '\\(' ? '+' : '$')) {
      continue;
    }
    const math = inlineMathAt(source.slice(index), source[index - 1] ?? '');
    if (!math) {
      continue;
    }
    result += mask.slice(end, index) + 'a'.repeat(math.raw.length);
    end = index + math.raw.length;
  }
  return end === 0 ? mask : result + mask.slice(end);
}
