/** The conversation: snapshots, numbered envelopes of events, and the bodies that are sent on request. The feed of the session handles the messages. */
import type { SessionEvent } from '../../model/event';
import { array, custom, type Infer } from '../../schema/schema';
import type { Entry, EntryKind, SessionState, TerminalState } from '../../model/state';
import type { Subagents } from '../../model/subagent';
import { message, sends } from '../messages/channel';
import { id, ids, index } from '../messages/fields';

/** More terminals than fit on a screen. */
const MAX_TERMINALS = 100;

/** A part of an entry that is too large to be sent without a request. */
const bulkField = custom<'rawInput' | 'rawOutput' | `content.${number}`>(
  (value) => typeof value === 'string' && /^(?:rawInput|rawOutput|content\.\d{1,6})$/.test(value),
);
export type BulkField = Infer<typeof bulkField>;

/** The state without its entries' bodies, plus the bodies of a window. It is plain JSON, because it crosses `postMessage`. */
export interface StateSnapshot {
  /** All entries, in order. `ids[i]` has kind `kinds[i]`. */
  readonly ids: readonly string[];
  readonly kinds: readonly EntryKind[];
  /** Bodies of the entries at the end and of requested ones, in any order. */
  readonly bodies: readonly Entry[];
  readonly rest: Omit<SessionState, 'entries' | 'subagents'>;
  /** The subagents, without bodies except for requested ones. */
  readonly subagents?: Subagents<StateSnapshot>;
}

/** The messages read the conversation, and only their own showing can use the answers. */
const reads = { recorded: true, restricted: true, aboutShowing: true } as const;

export const feed = {
  takes: {
    /** The page missed events (a gap in `seq`). `want`: entries whose bodies are on screen. */
    resync: message({ want: ids }, reads),
    /** The page has drawn every event before number `seq`, and is ready for the next envelope. */
    drawn: message({ seq: index }, reads),
    bodies: message({ entryIds: ids }, reads),
    /** Requests the output of terminals that came without it. */
    terminals: message({ terminalIds: array(id, { max: MAX_TERMINALS }) }, reads),
    bulk: message({ entryId: id, field: bulkField }, reads),
  },
  sends: sends<
    /** The state before event number `seq`. The next envelope starts at `seq`. */
    | { readonly type: 'snapshot'; readonly seq: number; readonly snapshot: StateSnapshot }
    /**
     * The events numbered from `seq` up to, but not including, `next`. Adjacent text chunks may be joined. After a gap before `seq`, the view sends
     * `resync`.
     */
    | { readonly type: 'events'; readonly seq: number; readonly next: number; readonly events: readonly SessionEvent[] }
    /** The requested bodies, as of event number `seq`. All earlier envelopes were sent before. */
    | { readonly type: 'bodies'; readonly seq: number; readonly bodies: readonly Entry[] }
    /** The response to `terminals`. */
    | { readonly type: 'terminals'; readonly seq: number; readonly terminals: readonly TerminalState[] }
    | { readonly type: 'bulk'; readonly entryId: string; readonly field: BulkField; readonly text: string }
  >(),
};
