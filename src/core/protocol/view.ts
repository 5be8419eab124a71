/**
 * Everything that passes between the extension host and a session's view: two closed unions. The host is the only one who decides; the view
 * mirrors. What the view sends, {@link FromView}, is `unknown` on arrival and goes through `parseIntent`.
 */
import type { DraftBlock, Mention } from '../mentions/mention';
import type { ShownPreferences } from '../preferences/agentPreferences';
import type { ElicitationProblem } from '../elicitation/elicitation';
import type { SessionEvent } from '../model/event';
import type { Found } from './findQuery';
import type { BulkField, FromView } from './intent';
import type { Entry, EntryKind, SessionState, TerminalState } from '../model/state';
import type { CodeTheme } from '../model/theme';

/** A value too large to send unasked; the view shows `head` and requests the rest by the intent `bulk`. */
export interface Bulk {
  readonly bulk: true;
  /** UTF-16 units of the JSON (or the text) that stayed in the host */
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

/** The state without its entries' bodies, plus the bodies of a window. Plain JSON: it crosses `postMessage`. */
export interface Snapshot {
  /** All entries, in order. `ids[i]` has kind `kinds[i]`. */
  readonly ids: readonly string[];
  readonly kinds: readonly EntryKind[];
  /** Bodies of the tail and of what was asked for, in any order. */
  readonly bodies: readonly Entry[];
  readonly rest: Omit<SessionState, 'entries'>;
}

export type { BulkField, FromView, MenuAction, ViewAction } from './intent';

/** What the user is about to say. */
export type UnsentPrompt = Omit<Extract<FromView, { readonly type: 'draft' }>, 'type'>;

/** A word of an agent's text that may be a file. outside: of the session's folders, where nobody has looked. */
export interface FileReference {
  readonly text: string;
  readonly is: 'file' | 'nothing' | 'outside';
  /** Of a file that the word as a link would not lead to: where it is, absolute, and the line (1-based) that the word names in it. */
  readonly path?: string;
  readonly line?: number;
}

/** Where permission requests are asked: on the card or in a quick pick as the focus is, always in both, or in one of them alone. */
export type PermissionPresent = 'auto' | 'both' | 'quickPick' | 'card';

/** Where conversations open: in an editor tab, or in the chat view of a side bar. */
export type ChatLocation = Extract<FromView, { readonly type: 'set_chat_location' }>['location'];

/** What a conversation that is still empty is begun with; see `webview/start`. */
export interface StartPage {
  /** It is the demo agent that comes with us. */
  readonly demo: boolean;
  readonly folder: 'empty' | 'project' | 'folder';
  /** The folder is in a git repository of its own. */
  readonly git: boolean;
  /** The file that was in front last, when it is one of the session's folders. */
  readonly file?: { readonly name: string; readonly uri: string };
  /** Other conversations in this folder, the newest first. `about`: the agent, and when. */
  readonly recent: readonly { readonly sessionKey: string; readonly title: string; readonly about: string }[];
  readonly location: ChatLocation;
}

/** What could be meant by what is typed behind an `@`. */
export interface MentionRow {
  /** What it is, for its icon and its group. */
  readonly kind: MentionKind;
  readonly label: string;
  /** Where it is, or what will go. */
  readonly detail: string;
  /** Put in place of what was typed. */
  readonly mention?: Mention;
  /** Without `mention`: the host knows what it is by this, and is asked for it with `pick_mention`. */
  readonly pick?: string;
  /** Without both: typed behind the `@` in place of what is there, to look further. */
  readonly complete?: string;
}

export type MentionKind = Exclude<Mention['ref']['kind'], 'content'> | 'selection' | 'terminal' | 'prompt' | 'category';

/** Rows of one answer at most. */
export const MAX_MENTION_ROWS = 50;

/** A mention that goes along without a token, while its chip is there. */
export interface LiveMention {
  readonly context: 'activeFile' | 'selection';
  readonly mention: Mention;
}

/** Which key sends: Enter, or Enter with Ctrl or Cmd, where Enter alone makes a line. */
export type SendWith = 'enter' | 'ctrlEnter';

export type ToView =
  /**
   * The page shows this session from now on: the one it shows already, for which all comes anew, or another. Begins a generation. `state`: what another
   * page, which showed it after this one, kept of it (`page_state`).
   */
  | { readonly type: 'session'; readonly sessionKey: string; readonly state?: string }
  /** The page shows no session from now on, but what one can begin with. Begins a generation. */
  | { readonly type: 'no_session'; readonly location: ChatLocation }
  /** Everything before event number `seq`; the next envelope starts at `seq`. */
  | { readonly type: 'snapshot'; readonly seq: number; readonly snapshot: Snapshot }
  /** The events numbered `seq` up to, but not with, `next` (adjacent text chunks may be joined). A gap before `seq`: the view asks for `resync`. */
  | { readonly type: 'events'; readonly seq: number; readonly next: number; readonly events: readonly SessionEvent[] }
  /** Bodies the view asked for, as they are before event number `seq` (all earlier envelopes were sent before). */
  | { readonly type: 'bodies'; readonly seq: number; readonly bodies: readonly Entry[] }
  /** The answer to `terminals`. */
  | { readonly type: 'terminals'; readonly seq: number; readonly terminals: readonly TerminalState[] }
  | { readonly type: 'bulk'; readonly entryId: string; readonly field: BulkField; readonly text: string }
  /** What the host found wrong with a form's answer, which was not sent. */
  | { readonly type: 'elicitation_problems'; readonly requestKey: string; readonly problems: readonly ElicitationProblem[] }
  /** Gives text back to the composer: a prompt that failed, a queued one. Put before what is there. */
  | { readonly type: 'restore_text'; readonly text: string }
  /** What the user was about to say when an earlier page went; a page that knows something later ignores it. */
  | ({ readonly type: 'draft' } & UnsentPrompt)
  /** Gives a message back to the composer as it was: with mentions, or content in their place, between its texts. Put before what is there. */
  | { readonly type: 'restore_message'; readonly content: readonly DraftBlock[] }
  /** Adds to what the next prompt carries: a mention at the caret, all else beside the text. */
  | { readonly type: 'attach'; readonly blocks: readonly DraftBlock[] }
  /** The answer to `find_mentions`, which may come in several steps, each in place of the one before. `done`: no other comes. */
  | { readonly type: 'mention_rows'; readonly queryId: number; readonly rows: readonly MentionRow[]; readonly done: boolean }
  /** What the user looks at, as far as they want it to go along with every message; now and whenever that changes. */
  | { readonly type: 'live_context'; readonly mentions: readonly LiveMention[] }
  /** How the message box is used, now and whenever that changes. */
  | { readonly type: 'composer'; readonly sendWith: SendWith }
  | { readonly type: 'focus'; readonly target: 'composer' | 'permission' }
  /** Facts about the window that the page cannot know. */
  | {
      readonly type: 'page';
      readonly folderName: string;
      readonly multiRoot: boolean;
      readonly present?: PermissionPresent;
      readonly preferences?: ShownPreferences;
    }
  /** The colours of the user's theme, now and whenever it changes. Without `theme` it could not be read. */
  | { readonly type: 'code_theme'; readonly theme?: CodeTheme }
  /** The fonts that the user wants, now and whenever that changes; absent: the window's. `fontSize` in pixels, `fontFamily` as CSS has it. */
  | { readonly type: 'appearance'; readonly fontSize?: number; readonly fontFamily?: string }
  /** The text editor that was in front last, and is still there, by its file's name; absent: there is none. */
  | { readonly type: 'editor'; readonly fileName?: string }
  /** The user wants to find something in the conversation. `at`: this text, at this entry. */
  | { readonly type: 'open_find'; readonly at?: { readonly entryId: string; readonly text: string } }
  /** The answer to `ping`. */
  | { readonly type: 'pong'; readonly pingId: number }
  /** To be heard by a user who looks elsewhere. */
  | { readonly type: 'sound'; readonly sound: 'finished' | 'needsYou' }
  /** What the newest `find` found; comes again when the conversation goes on and it has changed. */
  | ({ readonly type: 'found'; readonly findId: number } & Found)
  /** The answer to `files`. */
  | { readonly type: 'files'; readonly files: readonly FileReference[] }
  /** The answer to the intent of this name. */
  | ({ readonly type: 'start_page' } & StartPage)
  /** Asks for `reading`, behind what the page has not told yet of drafts and its state. */
  | { readonly type: 'where' };
