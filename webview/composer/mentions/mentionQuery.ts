/** The typed text behind an `@` that the list of mentions searches for. Pure. */
import { findTokens } from '../../../src/core/mentions/tokens';

export interface TypedQuery {
  /** Where the `@` is, and where the word behind it ends: at the caret. UTF-16 units. */
  readonly at: number;
  readonly end: number;
  /** Without the `@`, and without a quotation mark, behind which the word may have spaces. */
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
  // An e-mail address, the middle or the end of a word, and a word that a sign has ended are no mention: Enter sends them.
  if ((at > 0 && /[\p{L}\p{N}_./\\@!?%&*+^$#~)\]}-]/u.test(before[at - 1]!)) || (quoted === undefined && /[,;!?@]$/.test(word ?? ''))) {
    return undefined;
  }
  const isMention = findTokens(text, tokens).some(({ start, end }) => start <= at && at < end);
  return isMention ? undefined : { at, end: caret, text: (quoted ?? word ?? '').trim() };
}
