/** What is looked for, as a pattern that host and page share. */
import { type FindQuery, MAX_QUERY } from '../../core/protocol/findQuery';

/** Matches that are counted; nobody goes through more one by one. */
export const MAX_MATCHES = 10_000;

const WORD = /^[\p{L}\p{N}_]$/u;

/** A blank in a query stands for the blanks of a text, with one line break at most. After it comes no blank, so there is one way to match it. */
const BLANK = '(?:[^\\S\\n]{1,8}(?:\\n[^\\S\\n]{0,8})?|\\n[^\\S\\n]{0,8})';

/** What to look for, with the flag `g`; undefined when there is nothing to look for. */
export function findPattern({ text, caseSensitive, wholeWord }: FindQuery): RegExp | undefined {
  if (text.trim() === '' || text.length > MAX_QUERY) {
    return undefined;
  }
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, BLANK);
  const characters = [...text];
  const before = wholeWord && WORD.test(characters[0]!) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = wholeWord && WORD.test(characters.at(-1)!) ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(before + literal + after, caseSensitive ? 'gu' : 'giu');
}
