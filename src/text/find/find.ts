/**
 * Plain text, looked for in a conversation. The host looks, because only it has every entry's body; the view looks again, with the same
 * pattern, in what it has rendered.
 */
import { type FindQuery, type Found, MAX_QUERY } from '../../core/protocol/findQuery';
import { textsOf } from '../markdown/plainText';
import { type Entry, isAbsent, type SessionState, type TerminalState } from '../../core/model/state';

/** Matches that are counted; nobody goes through more one by one. */
export const MAX_MATCHES = 10_000;

/** What an entry came to. Entries that did not change keep their identity, so looking again costs little. */
export interface KnownCount {
  readonly entry: Entry;
  readonly terminals: readonly (TerminalState | undefined)[];
  readonly count: number;
}

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

/**
 * Looks through all entries. Yields how many UTF-16 units it has looked at since it last did (at most about 64 K), so that whoever runs it can
 * pause; returns what was found.
 * @param known by entryId, of the same pattern; read and written
 */
export function* findIn(state: SessionState, pattern: RegExp, known: Map<string, KnownCount>): Generator<number, Found> {
  const hits: [string, number][] = [];
  let total = 0;
  for (const slot of state.entries) {
    if (isAbsent(slot)) {
      continue;
    }
    const count = yield* countIn(slot, state, pattern, known, MAX_MATCHES - total);
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

function* countIn(
  entry: Entry,
  state: SessionState,
  pattern: RegExp,
  known: Map<string, KnownCount>,
  most: number,
): Generator<number, number> {
  const terminals = terminalsOf(entry, state);
  const before = known.get(entry.entryId);
  if (before?.entry === entry && before.terminals.every((terminal, index) => terminal === terminals[index])) {
    return Math.min(most, before.count);
  }
  yield PER_ENTRY;
  let count = 0;
  for (const text of textsOf(entry, state)) {
    pattern.lastIndex = 0;
    while (count < most && pattern.exec(text) !== null) {
      count++;
    }
    yield text.length;
    if (count >= most) {
      return count; // Not all of it was looked at: not known.
    }
  }
  known.set(entry.entryId, { entry, terminals, count });
  return count;
}

const NONE: readonly (TerminalState | undefined)[] = [];

function terminalsOf(entry: Entry, { terminals }: SessionState): readonly (TerminalState | undefined)[] {
  if (entry.kind !== 'tool_call' || !entry.content.some(({ type }) => type === 'terminal')) {
    return NONE;
  }
  return entry.content.map((content) =>
    content.type === 'terminal' && Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined,
  );
}
