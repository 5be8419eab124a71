/**
 * Searches a conversation for plain text. The host searches, because only it has every entry's body. The view searches its rendered text again with
 * the same pattern.
 */
import { type FindQuery, type Found, MAX_QUERY } from '../../core/protocol/messages/findQuery';
import { type Entry, isAbsent, type SessionState } from '../../core/model/state';
import { entriesInOrder } from '../../core/subagents/displayOrder';
import { isReceived } from '../../core/subagents/receivedMessage';
import { type ConversationTexts, isSame, type Related, relatedOf } from './conversationTexts';
import { findPattern, MAX_MATCHES } from './pattern';
import { prefilterOf } from './prefilter';

/** The matches of an entry in the last search. Entries that did not change keep their identity, so a repeated search is cheap. */
export interface KnownCount {
  readonly entry: Entry;
  readonly related: Related;
  readonly count: number;
}

/** The matcher of a query. */
export interface FindMatcher {
  readonly pattern: RegExp;
  /** Returns false when a markdown text need not be parsed, because it cannot match. */
  readonly mayBeIn: (markdown: string) => boolean;
}

/** Returns the matcher of a query; undefined for an empty query. */
export function matcherFor(query: FindQuery): FindMatcher | undefined {
  const pattern = findPattern(query);
  return pattern && { pattern, mayBeIn: prefilterOf(query) };
}

/**
 * Searches all entries, those of subagents, too. Yields the UTF-16 units that it has read since the last time (at most about 64 K), so that the caller
 * can pause. Returns the matches.
 * @param known results of the same query by entryId; read and written
 * @param texts of the conversation, for any query; read and written
 */
export function* findIn(
  state: SessionState,
  { pattern, mayBeIn }: FindMatcher,
  known: Map<string, KnownCount>,
  texts: ConversationTexts,
): Generator<number, Found> {
  const hits: [string, number][] = [];
  let total = 0;
  for (const { slot, conversation, subagentId } of entriesInOrder(state)) {
    if (isAbsent(slot) || (slot.kind === 'session_message' && isReceived(slot, subagentId, state))) {
      continue;
    }
    const related = relatedOf(slot, conversation);
    const before = known.get(slot.entryId);
    let count: number;
    if (before && isSame(before, slot, related)) {
      count = Math.min(MAX_MATCHES - total, before.count);
    } else {
      yield PER_ENTRY;
      count = yield* countIn(yield* texts.of(slot, related, conversation, mayBeIn), pattern, MAX_MATCHES - total);
      // At the limit, not all of the entry was searched.
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

/** The fixed cost of searching an entry, in UTF-16 units of text. */
const PER_ENTRY = 64;
/** UTF-16 units that are searched at once. */
const WINDOW = 32 * 1024;
/** The length by which a match may extend beyond the window: a blank in a query matches up to 17 units. */
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

/** Returns the end of the window in which a match may begin. It is not within a character. */
function windowEnd(text: string, start: number): number {
  if (text.length - start <= WINDOW) {
    return text.length;
  }
  const code = text.charCodeAt(start + WINDOW);
  return start + WINDOW + (code >= 0xdc00 && code <= 0xdfff ? 1 : 0);
}
