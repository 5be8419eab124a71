/** The texts of a conversation's entries as they can be looked through, kept while they are of use. */
import { requestsOf } from '../../core/approval/requests';
import type { Entry, PermissionEntry, SessionState, TerminalState } from '../../core/model/state';
import { PlainReader } from '../markdown/plainReader';
import { textsOf } from './entryTexts';

/** UTF-16 units; a look at the source of a long text is quick. */
const MOST_AT_ONCE = 32 * 1024;

/** What an entry shows besides its own contents: its terminals, and the permission requests about it. */
export type Related = readonly (TerminalState | PermissionEntry | undefined)[];

interface Known {
  readonly entry: Entry;
  readonly related: Related;
  readonly texts: readonly string[];
}

export class ConversationTexts {
  private readonly known = new Map<string, Known>();
  /** The readers of the entry that was read last, in the order of its texts: it is the one that grows, if any does. */
  private last: { readonly entryId: string; readonly readers: readonly (PlainReader | undefined)[] } | undefined;

  /**
   * The texts of `entry`, without those whose markdown is not `wanted`. Yields what was spent, in UTF-16 units to look through.
   * @param related see {@link relatedOf}
   */
  *of(entry: Entry, related: Related, state: SessionState, wanted: (markdown: string) => boolean): Generator<number, readonly string[]> {
    const before = this.known.get(entry.entryId);
    if (before && isSame(before, entry, related)) {
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
      this.known.set(entry.entryId, { entry, related, texts });
    }
    if (readers.some((reader) => reader !== undefined)) {
      this.last = { entryId: entry.entryId, readers };
    }
    return texts;
  }
}

/** Whether nothing of `entry` has changed since something was found out about it. */
export function isSame(before: { readonly entry: Entry; readonly related: Related }, entry: Entry, related: Related): boolean {
  return (
    before.entry === entry && before.related.length === related.length && before.related.every((each, index) => each === related[index])
  );
}

const NONE: Related = [];

/** Of an entry as it is now. */
export function relatedOf(entry: Entry, { entries, terminals }: SessionState): Related {
  if (entry.kind !== 'tool_call' || (!entry.requests && !entry.content.some(({ type }) => type === 'terminal'))) {
    return NONE;
  }
  const shown = entry.content.map((content) =>
    content.type === 'terminal' && Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined,
  );
  return [...shown, ...requestsOf(entry, entries)];
}
