/** The search pattern that host and page share. */
import { type FindQuery, MAX_QUERY } from '../../core/protocol/messages/findQuery';

/** The most matches that are counted, because users do not step through more. */
export const MAX_MATCHES = 10_000;

const WORD = /^[\p{L}\p{N}_]$/u;

/** A blank in a query matches the blanks of a text, with at most one line break. No blank follows it, so there is one way to match. */
const BLANK = '(?:[^\\S\\n]{1,8}(?:\\n[^\\S\\n]{0,8})?|\\n[^\\S\\n]{0,8})';

/** Returns the pattern of a query, with the flag `g`; undefined for an empty query. */
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
