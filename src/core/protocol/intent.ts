/**
 * The messages that a view may send, and their validation. The page is ours, but an agent's text influences what runs in it. Each message is checked
 * from `unknown`, copied field by field, and limited in size. A message that does not fit is refused as a whole.
 */
import { elicitationContent } from '../elicitation/answer';
import { type DraftBlock, isMention, mentionSchema } from '../mentions/mention';
import type { ContentBlock } from '../model/content';
import {
  array,
  boolean,
  custom,
  type Infer,
  integer,
  lenient,
  literal,
  object,
  optional,
  refine,
  type Schema,
  string,
  union,
  variant,
} from '../model/schema';
import { MAX_QUERY } from './findQuery';
import { MAX_PAGE_STATE } from './pageState';

/** UTF-16 units of one prompt, attachments included. */
const MAX_PROMPT = 64 * 1024 * 1024;
const MAX_BLOCKS = 256;
const MAX_ID = 1024;
const MAX_IDS = 2000;
/** More terminals than fit on a screen. */
const MAX_TERMINALS = 100;
const MAX_URIS = 100;
const MAX_FILES = 200;
const MAX_PATH = 8192;
const MAX_COPY = 16 * 1024 * 1024;
/** UTF-16 units of a code block that is put into an editor. */
const MAX_CODE = 4 * 1024 * 1024;
const MAX_FIELDS = 1000;

const id = string({ max: MAX_ID });
const ids = array(id, { max: MAX_IDS });
const path = string({ max: MAX_PATH });
const place = string({ min: 1, max: MAX_PATH });
const data = string({ max: MAX_PROMPT });
const code = string({ max: MAX_CODE });
/** An index in a list. */
const index = integer();

const mimeType = lenient(data);

/** A block that a prompt may carry; never `unknown`. */
const promptBlock: Schema<ContentBlock> = variant('type', {
  text: object({ text: data }),
  image: object({ data, mimeType: data }),
  audio: object({ data, mimeType: data }),
  resource_link: object({ uri: place, name: place, mimeType, size: lenient(integer()) }),
  resource: union(object({ uri: place, mimeType, text: data }), object({ uri: place, mimeType, blob: data })),
});

const mention = mentionSchema(promptBlock);
const draftBlock: Schema<DraftBlock> = union(promptBlock, mention);

const content = (min: number): Schema<readonly DraftBlock[]> =>
  refine(array(draftBlock, { min, max: MAX_BLOCKS }), (blocks) => blocks.reduce((sum, block) => sum + sizeOf(block), 0) <= MAX_PROMPT);

function sizeOf(block: DraftBlock): number {
  return textIn(block) + (isMention(block) ? textIn(block.ref) + (block.ref.kind === 'content' ? textIn(block.ref.block) : 0) : 0);
}

/** UTF-16 units of the texts that an object holds. */
function textIn(fields: object): number {
  return Object.values(fields).reduce<number>((sum, field) => sum + (typeof field === 'string' ? field.length : 0), 0);
}

/** A form's values. The session checks whether they fit the form. */
const answers = refine(elicitationContent, (values) => {
  const named = Object.entries(values);
  const lists = named.flatMap(([, value]) => (Array.isArray(value) ? [value as readonly string[]] : []));
  const units = named.reduce((sum, [name]) => sum + name.length, textIn(values)) + lists.reduce((sum, list) => sum + textIn(list), 0);
  return named.length <= MAX_FIELDS && lists.every(({ length }) => length <= MAX_IDS) && units <= MAX_COPY;
});

/** A part of an entry that is too large to be sent without a request. */
const bulkField = custom<'rawInput' | 'rawOutput' | `content.${number}`>(
  (value) => typeof value === 'string' && /^(?:rawInput|rawOutput|content\.\d{1,6})$/.test(value),
);
export type BulkField = Infer<typeof bulkField>;

/** Menu items of the page that run a VS Code command on the session in front. */
const MENU_ACTIONS = [
  'new_session_with',
  'rename_session',
  'pin_session',
  'unpin_session',
  'archive_session',
  'unarchive_session',
  'move_to_side_bar',
  'move_to_editor',
  'new_in_worktree',
  'restore_checkpoint',
] as const;
export type MenuAction = (typeof MENU_ACTIONS)[number];

/** Buttons of failures and footers, and menu items. The host checks whether the action is possible now. */
export const VIEW_ACTIONS = [
  ...MENU_ACTIONS,
  'retry',
  'restart',
  'cancel_start',
  'show_log',
  'open_settings',
  'add_agent',
  'new_session',
  'session_history',
  'change_folders',
  'copy_conversation',
  'export_conversation',
  'show_protocol_log',
  'end_session',
  'continue_in_new',
  'continue_with',
  'fork',
  'restart_agent',
  'trust_folder',
  'continue_here',
  'follow_agent',
  'review_session',
  'resume',
  'sign_in',
  'sign_out',
  'forget_sign_in',
  'install_node',
  'try_demo',
] as const;
export type ViewAction = (typeof VIEW_ACTIONS)[number];

/** The user's draft. */
const unsentPrompt = {
  /** Time of the last change, by the page's clock. The later of two drafts counts. */
  at: index,
  /** The first block is the composer's text, which may be empty. Without any block the composer is empty. */
  content: content(0),
  /** The edited state of an earlier message that is in the composer instead. */
  edit: optional(object({ entryId: id, content: content(0) })),
};

const intent = variant('type', {
  /** The page is ready and needs a snapshot. */
  ready: object({}),
  /** Asks for a `pong`. */
  ping: object({ pingId: index }),
  /** The page missed events (a gap in `seq`). `want`: entries whose bodies are on screen. */
  resync: object({ want: ids }),
  /** The page has drawn every event before number `seq`, and is ready for the next envelope. */
  drawn: object({ seq: index }),
  bodies: object({ entryIds: ids }),
  /** Requests the output of terminals that came without it. */
  terminals: object({ terminalIds: array(id, { max: MAX_TERMINALS }) }),
  bulk: object({ entryId: id, field: bulkField }),
  /** Sent shortly after the draft changed. VS Code stores a page's own state only now and then, and not at all when its panel is closed. */
  draft: object(unsentPrompt),
  /** With `now`, a running turn takes the message, or is interrupted for it, instead of queueing it. */
  prompt: object({ content: content(1), now: optional(literal('steer', 'interrupt')) }),
  /** Sends an edited earlier message in a new session, with the conversation before it. */
  resend: object({ entryId: id, content: content(1) }),
  /** Sends the prompt of the turn that failed last again. */
  retry_prompt: object({ turnId: id }),
  cancel: object({}),
  /** Asks the user whether to stop the turn. */
  confirm_cancel: object({}),
  /** Starts to edit a queued message, which is not sent meanwhile. */
  edit_queued: object({ queueId: id }),
  /** Saves the new text, and the attachments that stay, by their index in the content. */
  save_queued: object({ queueId: id, text: data, kept: array(index, { max: MAX_BLOCKS }) }),
  /** Ends the editing without a change. */
  cancel_queued_edit: object({ queueId: id }),
  /** `index` counts without the message itself. */
  move_queued: object({ queueId: id, index }),
  remove_queued: object({ queueId: id }),
  /** Sends the message into the running turn, or interrupts the turn for it. */
  send_queued: object({ queueId: id, now: literal('steer', 'interrupt') }),
  /** Sends the queued messages that wait for the user. */
  resume_queue: object({}),
  /** Lets the user choose files to attach to the prompt. */
  attach_files: object({}),
  /**
   * Acts on the report about the agent's changes in the next prompt: opens a file, applies its changes again, or removes it from the report. Without
   * a path, on all files.
   */
  change_report: object({ act: literal('open', 'apply', 'remove'), path: optional(path) }),
  /** Keeps, undoes or opens the changes that wait for review. Without a path, all of the session. */
  review_changes: object({ act: literal('keep', 'undo', 'open'), path: optional(path) }),
  /** Offers to restore files, the conversation, or both to the state before this message. */
  restore_checkpoint: object({ entryId: id }),
  /** Requests suggestions (`mention_rows`) for the text typed behind an `@`. */
  find_mentions: object({ queryId: index, text: string({ max: MAX_QUERY }) }),
  /** Chooses a row of `mention_rows` that has a `pick`. The answer is an `attach` with its mention. */
  pick_mention: object({ pick: id }),
  /** Opens the target of a mention. */
  open_mention: object({ mention }),
  /** Stops sending the active file or the selection with every message. */
  stop_context: object({ context: literal('activeFile', 'selection') }),
  /** Files dropped on the composer, by address. The host attaches those that it can read. */
  attach_uris: object({ uris: array(path, { max: MAX_URIS }) }),
  answer_permission: object({ permissionId: id, optionId: path }),
  /** `content` comes with `accept` of a form. */
  answer_elicitation: object({ requestKey: id, action: literal('accept', 'decline', 'cancel'), content: optional(answers) }),
  /** Opens the web page of an accepted elicitation again. */
  open_elicitation: object({ requestKey: id }),
  /** Without a method: the user cancels signing in. */
  sign_in: object({ methodId: optional(id) }),
  set_config: object({ configId: id, value: union(path, boolean()) }),
  /** Marks a value of an option as a favorite, or removes the mark. In long lists favorites come first. */
  mark_favorite: object({ configId: id, value: path, isFavorite: boolean() }),
  /** A path from a tool call's locations or diff; `line` is 1-based. The host checks it against the roots. */
  open_location: object({ path: place, line: lenient(index) }),
  /** A link as written in the agent's text. The host decides what it may open. */
  open_link: object({ href: place }),
  open_diff: object({ entryId: id, content: index, change: index }),
  /** Opens a file that a turn changed, by its index in the turn's list. */
  open_turn_file: object({ entryId: id, file: index }),
  /** Opens a resource or a picture, by its index in the entry's content. */
  open_content: object({ entryId: id, content: index }),
  stop_terminal: object({ terminalId: id }),
  /** Shows a terminal of ours among the window's own. */
  show_terminal: object({ terminalId: id }),
  /** The user pressed a key or a mouse button in the page, which delays the quick pick. Sent at most once a second for each of the two. */
  typing: object({}),
  /** The page has got or lost the focus. VS Code reports neither. */
  focus: object({ hasFocus: boolean() }),
  /** The answers of a waiting permission request came into sight, got the focus, or are out of sight. */
  card_sight: object({ permissionId: id, sight: literal('hidden', 'seen', 'focused') }),
  copy: object({ text: string({ max: MAX_COPY }) }),
  /** Starts a search, which replaces the earlier one. An empty text ends it. The result comes back with `findId`. */
  find: object({ findId: index, text: string({ max: MAX_QUERY }), caseSensitive: boolean(), wholeWord: boolean() }),
  /** The response to `where`: the entry with the focus, otherwise the one at the top of the screen. Absent when there is none. */
  reading: object({ entryId: optional(id) }),
  /** Puts a code block into the text editor that was in front last, in place of its selection. */
  insert_code: object({ text: code }),
  /** Writes a code block to a file, after the user has seen the difference. `info`: the text behind its fence. */
  apply_code: object({ text: code, info: path }),
  /** Asks which of these words of an agent's text are files. */
  files: object({ texts: array(place, { max: MAX_FILES }) }),
  /** Runs a shell code block in a terminal of the window. */
  run_code: object({ text: code }),
  action: object({ action: literal(...VIEW_ACTIONS) }),
  /** Requests the message `start_page`. */
  start_page: object({}),
  /** Opens one of the sessions of `start_page`. */
  open_session: object({ sessionKey: id }),
  /**
   * The page's state as JSON, for another page that shows this session later: what is open and closed, unfinished forms, the search, and the position
   * of the user.
   */
  page_state: object({ state: string({ max: MAX_PAGE_STATE }) }),
  /** Sets where conversations open from now on, including this one. */
  set_chat_location: object({ location: literal('editor', 'sideBar') }),
});
export type FromView = Infer<typeof intent>;

/** Returns the message as an intent; undefined when it is not a valid one. */
export function parseIntent(message: unknown): FromView | undefined {
  return intent.is(message) ? intent.copy(message) : undefined;
}
