/** The text of a markdown token without inner tokens. The page and the reader of plain text share it, so that they show the same. */
import type { Token, Tokens } from 'marked';
import { escapeMisleading } from '../characters/textSafety';
import { linkKind } from '../links/linkKind';
import { type MathToken, fencedMath } from './parse/mathLexer';
import { withoutReferences } from './references';

/** Returns the text of an inline token. HTML and unknown tokens are shown as written. */
export function inlineText(token: Token): string {
  switch (token.type) {
    case 'text': // In the lexer's output, only character references are not yet text.
      return escapeMisleading(withoutReferences((token as Tokens.Text).text));
    case 'escape':
    case 'codespan':
    case 'note':
      return escapeMisleading((token as Tokens.Codespan).text);
    case 'image': // The alternative text of a picture that is not shown; '' when there is none.
      return escapeMisleading(withoutReferences((token as Tokens.Image).text));
    case 'checkbox':
      return '';
    default:
      return escapeMisleading(token.raw);
  }
}

/** Returns the text of a block without inner blocks or lines; '' when it shows no words. */
export function blockText(token: Token): string {
  switch (token.type) {
    case 'text':
      return escapeMisleading((token as Tokens.Text).text);
    case 'html':
      return escapeMisleading(token.raw.trimEnd());
    case 'def': // A definition without a valid target is mostly a comment, so its words are shown.
      return linkKind((token as Tokens.Def).href) === 'none' ? escapeMisleading(token.raw.trim()) : '';
    case 'checkbox': // A loose task's checkbox; the item shows it.
    case 'space':
    case 'hr':
      return '';
    default:
      return escapeMisleading(token.raw);
  }
}

/** A code block, or a formula block. */
export type CodeOrFormula =
  | { readonly type: 'code'; readonly text: string; readonly language: string }
  /** `source` is the formula as written, with its delimiters. Screen readers and find use it. */
  | { readonly type: 'formula'; readonly tex: string; readonly source: string };

/** Returns the displayed form of a code block or a formula. `text` and `source` are not yet `visible`. */
export function codeOrFormula(token: Tokens.Code | MathToken): CodeOrFormula {
  if (token.type === 'math') {
    // An unfinished formula is shown as code, because it may become long.
    return token.open
      ? { type: 'code', text: token.text.replace(/^\n/, ''), language: 'latex' }
      : { type: 'formula', tex: token.text, source: token.raw.trim() };
  }
  const tex = fencedMath(token);
  return tex === undefined
    ? { type: 'code', text: token.text, language: token.lang ?? '' }
    : { type: 'formula', tex, source: token.raw.trim() };
}
