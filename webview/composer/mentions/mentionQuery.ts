/** The text typed after an `@`, which the list of mentions searches for. Pure. */
import { findTokens } from '../../../src/core/mentions/tokens';

export interface TypedQuery {
  /** The offset of the `@`, and the end of the word after it, which is the caret. UTF-16 units. */
  readonly at: number;
  readonly end: number;
  /** The text without the `@` and without an opening quotation mark, which allows spaces in the word. */
  readonly text: string;
}

const MAX_WORD = 200;

/** Undefined when the caret is not in a word that begins with an `@`, or is in a mention. @param tokens of the draft's mentions */
export function mentionQuery(text: string, caret: number, tokens: readonly string[]): TypedQuery | undefined {
  const before = text.slice(0, caret);
  const [whole, quoted, word] = /@(?:"([^"\n]*)|([^\s@"]*))$/.exec(before) ?? [];
  if (whole === undefined || whole.length > MAX_WORD) {
    return undefined;
  }
  const at = caret - whole.length;
  // An e-mail address, the middle or end of a word, and a word that punctuation has ended are not mentions. Enter sends such text.
  if ((at > 0 && /[\p{L}\p{N}_./\\@!?%&*+^$#~)\]}-]/u.test(before[at - 1]!)) || (quoted === undefined && /[,;!?@]$/.test(word ?? ''))) {
    return undefined;
  }
  const isMention = findTokens(text, tokens).some(({ start, end }) => start <= at && at < end);
  return isMention ? undefined : { at, end: caret, text: (quoted ?? word ?? '').trim() };
}
