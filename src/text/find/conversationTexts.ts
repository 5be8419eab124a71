/** The searchable texts of a conversation's entries, cached for repeated searches. */
import { requestsOf } from '../../core/approval/requests';
import type { Entry, PermissionEntry, SessionState, TerminalState } from '../../core/model/state';
import { subagentOf, type SubagentState } from '../../core/subagents/subagentTree';
import { PlainReader } from '../markdown/plainReader';
import { textsOf } from './entryTexts';

/** The most UTF-16 units that a skipped text counts for. The check of its source is fast. */
const MAX_AT_ONCE = 32 * 1024;

/** The terminals, permission requests and subagents that an entry shows besides its own content. */
export type Related = readonly (TerminalState | PermissionEntry | SubagentState | undefined)[];

interface Known {
  readonly entry: Entry;
  readonly related: Related;
  readonly texts: readonly string[];
}

export class ConversationTexts {
  private readonly known = new Map<string, Known>();
  /** The readers of the entry that was read last, in the order of its texts. Only the last entry can still grow. */
  private last: { readonly entryId: string; readonly readers: readonly (PlainReader | undefined)[] } | undefined;

  /**
   * Returns the texts of `entry`, without those whose markdown is not `wanted`. Yields its cost in UTF-16 units to search.
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
        yield Math.min(text.markdown.length, MAX_AT_ONCE);
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

/** True when nothing that `entry` shows has changed since `before`. */
export function isSame(before: { readonly entry: Entry; readonly related: Related }, entry: Entry, related: Related): boolean {
  return (
    before.entry === entry && before.related.length === related.length && before.related.every((each, index) => each === related[index])
  );
}

const NONE: Related = [];

/** Returns the related entries, terminals and subagents of an entry, in their present state. */
export function relatedOf(entry: Entry, state: SessionState): Related {
  const { entries, terminals } = state;
  if (entry.kind === 'subagent') {
    return [subagentOf(state, entry.subagentId)];
  }
  if (entry.kind !== 'tool_call' || (!entry.requests && !entry.content.some(({ type }) => type === 'terminal'))) {
    return NONE;
  }
  const shown = entry.content.map((content) =>
    content.type === 'terminal' && Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined,
  );
  return [...shown, ...requestsOf(entry, entries)];
}
