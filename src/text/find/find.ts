/**
 * Plain text, looked for in a conversation. The host looks, because only it has every entry's body; the view looks again, with the same
 * pattern, in what it has rendered.
 */
import { type FindQuery, type Found, MAX_QUERY } from '../../core/protocol/findQuery';
import { type Entry, isAbsent, type SessionState } from '../../core/model/state';
import { type ConversationTexts, isSame, type Related, relatedOf } from './conversationTexts';
import { findPattern, MAX_MATCHES } from './pattern';
import { prefilterOf } from './prefilter';

/** What an entry came to. Entries that did not change keep their identity, so looking again costs little. */
export interface KnownCount {
  readonly entry: Entry;
  readonly related: Related;
  readonly count: number;
}

/** What is looked for in a conversation. */
export interface Sought {
  readonly pattern: RegExp;
  /** Whether a markdown text has to be read for it. */
  readonly mayBeIn: (markdown: string) => boolean;
}

/** What to look for; undefined when there is nothing to look for. */
export function soughtBy(query: FindQuery): Sought | undefined {
  const pattern = findPattern(query);
  return pattern && { pattern, mayBeIn: prefilterOf(query) };
}

/**
 * Looks through all entries. Yields how many UTF-16 units it has looked at since it last did (at most about 64 K), so that whoever runs it can
 * pause; returns what was found.
 * @param known by entryId, of the same query; read and written
 * @param texts of the conversation, whatever is looked for in them; read and written
 */
export function* findIn(
  state: SessionState,
  { pattern, mayBeIn }: Sought,
  known: Map<string, KnownCount>,
  texts: ConversationTexts,
): Generator<number, Found> {
  const hits: [string, number][] = [];
  let total = 0;
  for (const slot of state.entries) {
    if (isAbsent(slot)) {
      continue;
    }
    const related = relatedOf(slot, state);
    const before = known.get(slot.entryId);
    let count: number;
    if (before && isSame(before, slot, related)) {
      count = Math.min(MAX_MATCHES - total, before.count);
    } else {
      yield PER_ENTRY;
      count = yield* countIn(yield* texts.of(slot, related, state, mayBeIn), pattern, MAX_MATCHES - total);
      // At the limit not all of it was looked at.
      if (total + count < MAX_MATCHES) {
        known.set(slot.entryId, { entry: slot, related, count });
      }
    }
    if (count > 0) {
      hits.push([slot.entryId, count]);
      total += count;
    }
    if (total >= MAX_MATCHES) {
      return { count: total, capped: true, hits };
    }
  }
  return { count: total, capped: false, hits };
}

/** What looking at an entry costs whatever its length, in UTF-16 units of text. */
const PER_ENTRY = 64;
/** UTF-16 units that are looked at at once, */
const WINDOW = 32 * 1024;
/** and how far behind them a match may reach: a blank in a query stands for up to 17 units. */
const REACH = 18 * MAX_QUERY;

function* countIn(texts: readonly string[], pattern: RegExp, most: number): Generator<number, number> {
  let count = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length && count < most; ) {
      const end = windowEnd(text, start);
      const window = end === text.length ? text : text.slice(0, end + REACH);
      let next = start;
      pattern.lastIndex = start;
      for (let match = pattern.exec(window); match && match.index < end; match = pattern.exec(window)) {
        next = pattern.lastIndex;
        if (++count >= most) {
          break;
        }
      }
      yield end - start;
      start = Math.max(next, end);
    }
  }
  return count;
}

/** Where to look no further for the beginning of a match; not within a character. */
function windowEnd(text: string, start: number): number {
  if (text.length - start <= WINDOW) {
    return text.length;
  }
  const code = text.charCodeAt(start + WINDOW);
  return start + WINDOW + (code >= 0xdc00 && code <= 0xdfff ? 1 : 0);
}
