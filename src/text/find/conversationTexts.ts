/** The texts of a conversation's entries as they can be looked through, kept while they are of use. */
import type { Entry, SessionState, TerminalState } from '../../core/model/state';
import { PlainReader } from '../markdown/plainReader';
import { textsOf } from './entryTexts';

/** UTF-16 units; a look at the source of a long text is quick. */
const MOST_AT_ONCE = 32 * 1024;

export type Terminals = readonly (TerminalState | undefined)[];

interface Known {
  readonly entry: Entry;
  readonly terminals: Terminals;
  readonly texts: readonly string[];
}

export class ConversationTexts {
  private readonly known = new Map<string, Known>();
  /** The readers of the entry that was read last, in the order of its texts: it is the one that grows, if any does. */
  private last: { readonly entryId: string; readonly readers: readonly (PlainReader | undefined)[] } | undefined;

  /**
   * The texts of `entry`, without those whose markdown is not `wanted`. Yields what was spent, in UTF-16 units to look through.
   * @param terminals see {@link terminalsOf}
   */
  *of(
    entry: Entry,
    terminals: Terminals,
    state: SessionState,
    wanted: (markdown: string) => boolean,
  ): Generator<number, readonly string[]> {
    const before = this.known.get(entry.entryId);
    if (before && isSame(before, entry, terminals)) {
      return before.texts;
    }
    const texts: string[] = [];
    const kept = this.last?.entryId === entry.entryId ? this.last.readers : [];
    const readers: (PlainReader | undefined)[] = [];
    for (const text of textsOf(entry, state)) {
      if (typeof text === 'string') {
        if (text !== '') {
          texts.push(text);
        }
      } else if (wanted(text.markdown)) {
        const reader = kept[readers.length] ?? new PlainReader();
        readers.push(reader);
        texts.push(yield* reader.update(text.markdown));
      } else {
        yield Math.min(text.markdown.length, MOST_AT_ONCE);
        readers.push(undefined);
      }
    }
    if (!readers.includes(undefined)) {
      this.known.set(entry.entryId, { entry, terminals, texts });
    }
    if (readers.some((reader) => reader !== undefined)) {
      this.last = { entryId: entry.entryId, readers };
    }
    return texts;
  }
}

/** Whether nothing of `entry` has changed since something was found out about it. */
export function isSame(before: { readonly entry: Entry; readonly terminals: Terminals }, entry: Entry, terminals: Terminals): boolean {
  return before.entry === entry && before.terminals.every((terminal, index) => terminal === terminals[index]);
}

const NONE: Terminals = [];

/** What an entry shows besides its own contents. */
export function terminalsOf(entry: Entry, { terminals }: SessionState): Terminals {
  if (entry.kind !== 'tool_call' || !entry.content.some(({ type }) => type === 'terminal')) {
    return NONE;
  }
  return entry.content.map((content) =>
    content.type === 'terminal' && Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined,
  );
}
