/** What a token of markdown says that has no tokens inside: the page and the reader of plain text ask for it here, so that they show the same. */
import type { Token, Tokens } from 'marked';
import { visible } from '../characters/textSafety';
import { linkKind } from './linkKind';
import { type MathToken, fencedMath } from './parse/mathLexer';
import { withoutReferences } from './references';

/** Of what is in a line. HTML, and whatever the lexer may add, is shown as it was written. */
export function inlineText(token: Token): string {
  switch (token.type) {
    case 'text': // Character references are the lexer's only output that is not yet text.
      return visible(withoutReferences((token as Tokens.Text).text));
    case 'escape':
    case 'codespan':
    case 'note':
      return visible((token as Tokens.Codespan).text);
    case 'image': // What stands for a picture that is not shown; '' when nobody named it.
      return visible(withoutReferences((token as Tokens.Image).text));
    case 'checkbox':
      return '';
    default:
      return visible(token.raw);
  }
}

/** Of a block without blocks or a line inside; '' for what shows no words. */
export function blockText(token: Token): string {
  switch (token.type) {
    case 'text':
      return visible((token as Tokens.Text).text);
    case 'html':
      return visible(token.raw.trimEnd());
    case 'def': // Of what leads nowhere the words are all there is: a comment, mostly.
      return linkKind((token as Tokens.Def).href) === 'none' ? visible(token.raw.trim()) : '';
    case 'checkbox': // A loose task's; the item shows it.
    case 'space':
    case 'hr':
      return '';
    default:
      return visible(token.raw);
  }
}

/** A block of code, or a formula in lines of its own. */
export type CodeOrFormula =
  | { readonly type: 'code'; readonly text: string; readonly language: string }
  /** `source` as it was written, with its delimiters: a formula reads as that, and is looked for by it. */
  | { readonly type: 'formula'; readonly tex: string; readonly source: string };

/** What a fenced or indented block, or a formula between its delimiters, is shown as. `text` and `source` are not yet `visible`. */
export function codeOrFormula(token: Tokens.Code | MathToken): CodeOrFormula {
  if (token.type === 'math') {
    // What grows is no formula yet, and may become long.
    return token.open
      ? { type: 'code', text: token.text.replace(/^\n/, ''), language: 'latex' }
      : { type: 'formula', tex: token.text, source: token.raw.trim() };
  }
  const tex = fencedMath(token);
  return tex === undefined
    ? { type: 'code', text: token.text, language: token.lang ?? '' }
    : { type: 'formula', tex, source: token.raw.trim() };
}
