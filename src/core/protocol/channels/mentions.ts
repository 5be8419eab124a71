/** Mentions in the user's messages: suggestions, choice, and the context of the active editor. */
import type { Mention } from '../../mentions/mention';
import { literal, string } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { id, index, mention } from '../messages/fields';
import { MAX_QUERY } from '../messages/findQuery';
import type { Attach } from './prompt';

/** The most rows of one response. */
export const MAX_MENTION_ROWS = 50;

/** A suggestion for the text typed behind an `@`. */
export interface MentionRow {
  /** The kind, for the icon and the group. */
  readonly kind: MentionKind;
  readonly label: string;
  /** The location, or the content that will be sent. */
  readonly detail: string;
  /** The mention that replaces the typed text. */
  readonly mention?: Mention;
  /** Set when `mention` is absent: the key for a `pick_mention` request, with which the host finds the mention. */
  readonly pick?: string;
  /** Set when both are absent: the text that replaces the typed one behind the `@`, to search further. */
  readonly complete?: string;
}

export type MentionKind = Exclude<Mention['ref']['kind'], 'content'> | 'selection' | 'terminal' | 'prompt' | 'category';

/** A mention that is sent without a token, while its chip is shown. */
export interface LiveMention {
  readonly context: 'activeFile' | 'selection';
  readonly mention: Mention;
}

/** The key that sends a message: Enter, or Enter with Ctrl or Cmd, where Enter alone adds a line. */
export type SendWith = 'enter' | 'ctrlEnter';

export const mentions = {
  takes: {
    /** Requests suggestions (`mention_rows`) for the text typed behind an `@`. */
    find_mentions: message({ queryId: index, text: string({ max: MAX_QUERY }) }, { aboutShowing: true }),
    /** Chooses a row of `mention_rows` that has a `pick`. The answer is an `attach` with its mention. */
    pick_mention: message({ pick: id }),
    /** Opens the target of a mention. */
    open_mention: message({ mention }),
    /** Stops sending the active file or the selection with every message. */
    stop_context: message({ context: literal('activeFile', 'selection') }),
  },
  sends: sends<
    /**
     * The response to `find_mentions`. It may come in several steps, and each replaces the earlier one. `done`: this is the last one. `isListing`: the
     * files of the session's folders are being listed for the first time.
     */
    | {
        readonly type: 'mention_rows';
        readonly queryId: number;
        readonly rows: readonly MentionRow[];
        readonly done: boolean;
        readonly isListing?: true;
      }
    /** The active file and the selection, if the user wants to send them with every message. Sent now and after each change. */
    | { readonly type: 'live_context'; readonly mentions: readonly LiveMention[] }
    /** The settings of the message box. Sent now and after each change. */
    | { readonly type: 'composer'; readonly sendWith: SendWith }
    /** The answer to `pick_mention`. */
    | Attach
  >(),
};
