/**
 * The messages between the extension host and a session's view: two closed unions. Only the host decides; the view mirrors its state. Messages of the
 * view, {@link FromView}, are `unknown` on arrival and are checked by `parseIntent`.
 */
import type { DraftBlock, Mention } from '../mentions/mention';
import type { ShownPreferences } from '../preferences/agentPreferences';
import type { ElicitationProblem } from '../elicitation/elicitation';
import type { SessionEvent } from '../model/event';
import type { Found } from './findQuery';
import type { BulkField, FromView } from './intent';
import type { Entry, EntryKind, SessionState, TerminalState } from '../model/state';
import type { CodeTheme } from '../model/theme';

/** A value too large to send without a request. The view shows `head` and requests the rest with the message `bulk`. */
export interface Bulk {
  readonly bulk: true;
  /** UTF-16 units of the JSON (or the text) that stayed in the host. */
  readonly length: number;
  readonly head: string;
}

export function isBulk(value: unknown): value is Bulk {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<Bulk>).bulk === true &&
    typeof (value as Partial<Bulk>).head === 'string'
  );
}

/** The state without its entries' bodies, plus the bodies of a window. It is plain JSON, because it crosses `postMessage`. */
export interface Snapshot {
  /** All entries, in order. `ids[i]` has kind `kinds[i]`. */
  readonly ids: readonly string[];
  readonly kinds: readonly EntryKind[];
  /** Bodies of the entries at the end and of requested ones, in any order. */
  readonly bodies: readonly Entry[];
  readonly rest: Omit<SessionState, 'entries'>;
}

export type { BulkField, FromView, MenuAction, ViewAction } from './intent';

/** The user's draft. */
export type UnsentPrompt = Omit<Extract<FromView, { readonly type: 'draft' }>, 'type'>;

/** A word of an agent's text that may be a file. `outside`: outside the session's folders, which are not searched. */
export interface FileReference {
  readonly text: string;
  readonly is: 'file' | 'nothing' | 'outside';
  /** Set for a file that a link with this word would miss: the absolute path, and the line (1-based) that the word names in it. */
  readonly path?: string;
  readonly line?: number;
}

/** The place where permission requests are asked: on the card or in a quick pick depending on the focus, always in both, or in one of them. */
export type PermissionPresent = 'auto' | 'both' | 'quickPick' | 'card';

/** The place where conversations open: in an editor tab, or in the chat view of a side bar. */
export type ChatLocation = Extract<FromView, { readonly type: 'set_chat_location' }>['location'];

/** The start page of an empty conversation; see `webview/start`. */
export interface StartPage {
  /** True for the built-in demo agent. */
  readonly demo: boolean;
  readonly folder: 'empty' | 'project' | 'folder';
  /** True when the folder is in a git repository of its own. */
  readonly git: boolean;
  /** The file that was in front last, when it is in one of the session's folders. */
  readonly file?: { readonly name: string; readonly uri: string };
  /** Other conversations in this folder, the newest first. `about`: the agent, and the time. */
  readonly recent: readonly { readonly sessionKey: string; readonly title: string; readonly about: string }[];
  readonly location: ChatLocation;
}

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

/** The most rows of one response. */
export const MAX_MENTION_ROWS = 50;

/** A mention that is sent without a token, while its chip is shown. */
export interface LiveMention {
  readonly context: 'activeFile' | 'selection';
  readonly mention: Mention;
}

/** The key that sends a message: Enter, or Enter with Ctrl or Cmd, where Enter alone adds a line. */
export type SendWith = 'enter' | 'ctrlEnter';

export type ToView =
  /**
   * The page shows this session from now on: the same one again, which is then sent completely, or another. Begins a generation. `state`: the state
   * that another page reported last for this session (`page_state`).
   */
  | { readonly type: 'session'; readonly sessionKey: string; readonly state?: string }
  /** The page shows no session from now on, but the start page. Begins a generation. */
  | { readonly type: 'no_session'; readonly location: ChatLocation }
  /** The state before event number `seq`. The next envelope starts at `seq`. */
  | { readonly type: 'snapshot'; readonly seq: number; readonly snapshot: Snapshot }
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
  /** The problems that the host found in a form's answer, which was not sent. */
  | { readonly type: 'elicitation_problems'; readonly requestKey: string; readonly problems: readonly ElicitationProblem[] }
  /** Gives the text of a failed prompt or a queued message back to the composer, before the present text. */
  | { readonly type: 'restore_text'; readonly text: string }
  /** The draft that an earlier page reported last. A page with a newer draft ignores it. */
  | ({ readonly type: 'draft' } & UnsentPrompt)
  /**
   * Gives a message back to the composer as it was: with mentions, or content in their place, between its texts. It is put before the present text.
   */
  | { readonly type: 'restore_message'; readonly content: readonly DraftBlock[] }
  /** Adds to the next prompt: a mention at the caret, everything else beside the text. */
  | { readonly type: 'attach'; readonly blocks: readonly DraftBlock[] }
  /** The response to `find_mentions`. It may come in several steps, and each replaces the earlier one. `done`: this is the last one. */
  | { readonly type: 'mention_rows'; readonly queryId: number; readonly rows: readonly MentionRow[]; readonly done: boolean }
  /** The active file and the selection, if the user wants to send them with every message. Sent now and after each change. */
  | { readonly type: 'live_context'; readonly mentions: readonly LiveMention[] }
  /** The settings of the message box. Sent now and after each change. */
  | { readonly type: 'composer'; readonly sendWith: SendWith }
  | { readonly type: 'focus'; readonly target: 'composer' | 'permission' }
  /** Facts about the window that the page cannot read. */
  | {
      readonly type: 'page';
      readonly folderName: string;
      readonly multiRoot: boolean;
      readonly present?: PermissionPresent;
      readonly preferences?: ShownPreferences;
    }
  /** The colours of the user's theme. Sent now and after each change. Without `theme` it could not be read. */
  | { readonly type: 'code_theme'; readonly theme?: CodeTheme }
  /**
   * The fonts that the user wants, now and after each change; the window's fonts when absent. `fontSize` is in pixels, `fontFamily` in CSS syntax.
   */
  | { readonly type: 'appearance'; readonly fontSize?: number; readonly fontFamily?: string }
  /** The file name of the text editor that was in front last and is still open; absent when there is none. */
  | { readonly type: 'editor'; readonly fileName?: string }
  /** The user wants to find something in the conversation. `at`: find this text, starting at this entry. */
  | { readonly type: 'open_find'; readonly at?: { readonly entryId: string; readonly text: string } }
  /** The response to `ping`. */
  | { readonly type: 'pong'; readonly pingId: number }
  /** Plays a sound for a user who looks elsewhere. */
  | { readonly type: 'sound'; readonly sound: 'finished' | 'needsYou' }
  /** The result of the newest `find`. Sent again when the conversation continues and the result has changed. */
  | ({ readonly type: 'found'; readonly findId: number } & Found)
  /** The response to `files`. */
  | { readonly type: 'files'; readonly files: readonly FileReference[] }
  /** The response to the intent of this name. */
  | ({ readonly type: 'start_page' } & StartPage)
  /** Requests `reading`. The page first sends its pending drafts and its state. */
  | { readonly type: 'where' };
