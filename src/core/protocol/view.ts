/**
 * Everything that passes between the extension host and a session's view: two closed unions. The host is the only one who decides; the view
 * mirrors. What the view sends is `unknown` on arrival and goes through {@link parseIntent} in `intent.ts`.
 */
import type { ContentBlock } from '../model/content';
import type { ElicitationContent, ElicitationProblem } from '../elicitation/elicitation';
import type { SessionEvent } from '../model/event';
import type { FindQuery, Found } from './findQuery';
import type { Entry, EntryKind, SessionState, TerminalState } from '../model/state';
import type { CodeTheme } from '../model/theme';

/** A value too large to send unasked; the view shows `head` and asks for the rest by {@link BulkWanted}. */
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

/** What the user is about to say. The first block is the composer's text, which may be empty; nothing at all when the composer is. */
export interface UnsentPrompt {
  /** When it was last changed, by the page's clock: of two the later counts. */
  readonly at: number;
  readonly content: readonly ContentBlock[];
}

export type ToView =
  /** The page shows this session from now on: the one it shows already, for which all comes anew, or another. Begins a generation. */
  | { readonly type: 'session'; readonly sessionKey: string }
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
  /** Adds to what the next prompt carries. */
  | { readonly type: 'attach'; readonly blocks: readonly ContentBlock[] }
  | { readonly type: 'focus'; readonly target: 'composer' | 'permission' }
  /** Facts about the window that the page cannot know. */
  | { readonly type: 'page'; readonly folderName: string; readonly multiRoot: boolean }
  /** The colours of the user's theme, now and whenever it changes. Without `theme` it could not be read. */
  | { readonly type: 'code_theme'; readonly theme?: CodeTheme }
  /** The text editor that was in front last, and is still there, by its file's name; absent: there is none. */
  | { readonly type: 'editor'; readonly fileName?: string }
  /** The user wants to find something in the conversation. */
  | { readonly type: 'open_find' }
  /** What the newest `find` found; comes again when the conversation goes on and it has changed. */
  | ({ readonly type: 'found'; readonly findId: number } & Found)
  /** Asks for `reading`. */
  | { readonly type: 'where' };

export type BulkField = 'rawInput' | 'rawOutput' | `content.${number}`;

export type FromView =
  /** The page runs and wants a snapshot. */
  | { readonly type: 'ready' }
  /** A gap in `seq` was seen. `want`: entries whose bodies are on screen. */
  | { readonly type: 'resync'; readonly want: readonly string[] }
  | { readonly type: 'bodies'; readonly entryIds: readonly string[] }
  /** The output of terminals that came without. */
  | { readonly type: 'terminals'; readonly terminalIds: readonly string[] }
  | { readonly type: 'bulk'; readonly entryId: string; readonly field: BulkField }
  /** It changed a moment ago. VS Code keeps a page's own state only now and then, and not at all when its panel is closed. */
  | ({ readonly type: 'draft' } & UnsentPrompt)
  | { readonly type: 'prompt'; readonly content: readonly ContentBlock[] }
  | { readonly type: 'cancel' }
  /** The host asks for files to go with the prompt. */
  | { readonly type: 'attach_files' }
  /** Files dropped on the composer, by address. The host reads what it can and attaches that. */
  | { readonly type: 'attach_uris'; readonly uris: readonly string[] }
  | { readonly type: 'answer_permission'; readonly permissionId: string; readonly optionId: string }
  /** `content` with `accept` of a form. */
  | {
      readonly type: 'answer_elicitation';
      readonly requestKey: string;
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly content?: ElicitationContent;
    }
  /** Opens the web page of an accepted elicitation once more. */
  | { readonly type: 'open_elicitation'; readonly requestKey: string }
  /** Without a method: the user backs out of signing in. */
  | { readonly type: 'sign_in'; readonly methodId?: string }
  | { readonly type: 'set_config'; readonly configId: string; readonly value: string | boolean }
  /** A path from a tool call's locations or diff; `line` 1-based. The host checks it against the roots. */
  | { readonly type: 'open_location'; readonly path: string; readonly line?: number }
  /** A link as written in agent text; the host decides what it may open. */
  | { readonly type: 'open_link'; readonly href: string }
  | { readonly type: 'open_diff'; readonly entryId: string; readonly content: number; readonly change: number }
  /** A file that a turn changed: `file` counts in its list. */
  | { readonly type: 'open_turn_file'; readonly entryId: string; readonly file: number }
  /** What a resource or a picture holds, by its place in the entry's content. */
  | { readonly type: 'open_content'; readonly entryId: string; readonly content: number }
  | { readonly type: 'stop_terminal'; readonly terminalId: string }
  /** A terminal of ours is to be shown among the window's own. */
  | { readonly type: 'show_terminal'; readonly terminalId: string }
  /** A key or a button of the mouse was pressed in the page (for the quick pick's quiet second). At most one a second is sent of either. */
  | { readonly type: 'typing' }
  /** The page has the focus, or has it no longer: VS Code tells of neither. */
  | { readonly type: 'focus'; readonly hasFocus: boolean }
  | { readonly type: 'copy'; readonly text: string }
  /** Looks for this from now on, instead of what was looked for before; an empty text: for nothing. `findId` comes back with what was found. */
  | ({ readonly type: 'find'; readonly findId: number } & FindQuery)
  /** The entry with the focus, or else the one at the top of the screen; absent: there is none. The answer to `where`. */
  | { readonly type: 'reading'; readonly entryId?: string }
  /** A block of code goes into the text editor that was in front last, in place of what is selected there. */
  | { readonly type: 'insert_code'; readonly text: string }
  /** A block of code becomes a file's text, once the user has seen the difference. `info`: what stands behind its fence. */
  | { readonly type: 'apply_code'; readonly text: string; readonly info: string }
  | { readonly type: 'action'; readonly action: ViewAction };

/** Buttons of failures and footers. The host checks that the action makes sense now. */
export const VIEW_ACTIONS = [
  'retry',
  'restart',
  'cancel_start',
  'show_log',
  'open_settings',
  'new_session',
  'end_session',
  'continue_in_new',
  'resume',
  'sign_out',
  'forget_sign_in',
] as const;
export type ViewAction = (typeof VIEW_ACTIONS)[number];
