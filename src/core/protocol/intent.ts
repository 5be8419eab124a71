/**
 * What a view may say, and the door for it. The page is ours, but what runs in it is steered by an agent's text: each message is checked from
 * `unknown`, copied field by field, and bounded. What does not fit is refused whole.
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
/** As many are on a screen. */
const MAX_TERMINALS = 100;
const MAX_URIS = 100;
const MAX_FILES = 200;
const MAX_PATH = 8192;
const MAX_COPY = 16 * 1024 * 1024;
/** UTF-16 units of a block of code that goes into an editor. */
const MAX_CODE = 4 * 1024 * 1024;
const MAX_FIELDS = 1000;

const id = string({ max: MAX_ID });
const ids = array(id, { max: MAX_IDS });
const path = string({ max: MAX_PATH });
const place = string({ min: 1, max: MAX_PATH });
const data = string({ max: MAX_PROMPT });
const code = string({ max: MAX_CODE });
/** Where something is in a list. */
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

/** A form's values; whether they fit the form is the session's matter. */
const answers = refine(elicitationContent, (values) => {
  const named = Object.entries(values);
  const lists = named.flatMap(([, value]) => (Array.isArray(value) ? [value as readonly string[]] : []));
  const units = named.reduce((sum, [name]) => sum + name.length, textIn(values)) + lists.reduce((sum, list) => sum + textIn(list), 0);
  return named.length <= MAX_FIELDS && lists.every(({ length }) => length <= MAX_IDS) && units <= MAX_COPY;
});

/** A part of an entry that is too large to be sent unasked. */
const bulkField = custom<'rawInput' | 'rawOutput' | `content.${number}`>(
  (value) => typeof value === 'string' && /^(?:rawInput|rawOutput|content\.\d{1,6})$/.test(value),
);
export type BulkField = Infer<typeof bulkField>;

/** Items of the page's menus that run a command of VS Code on the session in front. */
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

/** Buttons of failures and footers, and items of menus. The host checks that the action makes sense now. */
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

/** What the user is about to say. */
const unsentPrompt = {
  /** When it was last changed, by the page's clock: of two the later counts. */
  at: index,
  /** The first block is the composer's text, which may be empty; nothing at all when the composer is. */
  content: content(0),
  /** The earlier message that is in the composer instead, as it has been changed so far. */
  edit: optional(object({ entryId: id, content: content(0) })),
};

const intent = variant('type', {
  /** The page runs and wants a snapshot. */
  ready: object({}),
  /** Asks for a `pong`. */
  ping: object({ pingId: index }),
  /** A gap in `seq` was seen. `want`: entries whose bodies are on screen. */
  resync: object({ want: ids }),
  /** The page has drawn every event before number `seq`, and is ready for the next envelope. */
  drawn: object({ seq: index }),
  bodies: object({ entryIds: ids }),
  /** The output of terminals that came without. */
  terminals: object({ terminalIds: array(id, { max: MAX_TERMINALS }) }),
  bulk: object({ entryId: id, field: bulkField }),
  /** It changed a moment ago. VS Code keeps a page's own state only now and then, and not at all when its panel is closed. */
  draft: object(unsentPrompt),
  /** `now`: where a turn runs it is sent into that turn, or instead of it, rather than queued. */
  prompt: object({ content: content(1), now: optional(literal('steer', 'interrupt')) }),
  /** An earlier message, edited, is sent in a new session with what was said before it. */
  resend: object({ entryId: id, content: content(1) }),
  /** The prompt of the turn that failed last is sent once more. */
  retry_prompt: object({ turnId: id }),
  cancel: object({}),
  /** The user is asked whether the turn is to be stopped. */
  confirm_cancel: object({}),
  /** A queued message is to be changed: it is not sent until that is over. */
  edit_queued: object({ queueId: id }),
  /** Its new text, and of what goes with it what is kept, by its place in the content. */
  save_queued: object({ queueId: id, text: data, kept: array(index, { max: MAX_BLOCKS }) }),
  /** It stays as it was. */
  cancel_queued_edit: object({ queueId: id }),
  /** To this place in the queue, counted without it. */
  move_queued: object({ queueId: id, index }),
  remove_queued: object({ queueId: id }),
  /** Into the running turn, or instead of it. */
  send_queued: object({ queueId: id, now: literal('steer', 'interrupt') }),
  /** Queued messages that wait for the user are to be sent. */
  resume_queue: object({}),
  /** The host asks for files to go with the prompt. */
  attach_files: object({}),
  /** Of what the next prompt tells of the agent's changes: a file to be read, applied again, or not told. Without a path all of them. */
  change_report: object({ act: literal('open', 'apply', 'remove'), path: optional(path) }),
  /** Keep, undo or look at what waits for review. Without a path all of the session's. */
  review_changes: object({ act: literal('keep', 'undo', 'open'), path: optional(path) }),
  /** Files, the conversation, or both are to go back to before this message. */
  restore_checkpoint: object({ entryId: id }),
  /** Typed behind an `@`: what could be meant? Asks for `mention_rows`. */
  find_mentions: object({ queryId: index, text: string({ max: MAX_QUERY }) }),
  /** A row of `mention_rows` that the host knows by this: what it stands for comes as `attach`. */
  pick_mention: object({ pick: id }),
  /** The user wants to see what a mention stands for. */
  open_mention: object({ mention }),
  /** What the user looks at does not go along any more. */
  stop_context: object({ context: literal('activeFile', 'selection') }),
  /** Files dropped on the composer, by address. The host reads what it can and attaches that. */
  attach_uris: object({ uris: array(path, { max: MAX_URIS }) }),
  answer_permission: object({ permissionId: id, optionId: path }),
  /** `content` with `accept` of a form. */
  answer_elicitation: object({ requestKey: id, action: literal('accept', 'decline', 'cancel'), content: optional(answers) }),
  /** Opens the web page of an accepted elicitation once more. */
  open_elicitation: object({ requestKey: id }),
  /** Without a method: the user backs out of signing in. */
  sign_in: object({ methodId: optional(id) }),
  set_config: object({ configId: id, value: union(path, boolean()) }),
  /** A value of an option is marked, or not any more: in long lists those come first. */
  mark_favorite: object({ configId: id, value: path, isFavorite: boolean() }),
  /** A path from a tool call's locations or diff; `line` 1-based. The host checks it against the roots. */
  open_location: object({ path: place, line: lenient(index) }),
  /** A link as written in agent text; the host decides what it may open. */
  open_link: object({ href: place }),
  open_diff: object({ entryId: id, content: index, change: index }),
  /** A file that a turn changed: `file` counts in its list. */
  open_turn_file: object({ entryId: id, file: index }),
  /** What a resource or a picture holds, by its place in the entry's content. */
  open_content: object({ entryId: id, content: index }),
  stop_terminal: object({ terminalId: id }),
  /** A terminal of ours is to be shown among the window's own. */
  show_terminal: object({ terminalId: id }),
  /** A key or a button of the mouse was pressed in the page (for the quick pick's quiet second). At most one a second is sent of either. */
  typing: object({}),
  /** The page has the focus, or has it no longer: VS Code tells of neither. */
  focus: object({ hasFocus: boolean() }),
  /** The answers of a waiting permission request came into sight, got the focus, or are out of sight. */
  card_sight: object({ permissionId: id, sight: literal('hidden', 'seen', 'focused') }),
  copy: object({ text: string({ max: MAX_COPY }) }),
  /** Looks for this from now on, instead of what was looked for before; an empty text: for nothing. `findId` comes back with what was found. */
  find: object({ findId: index, text: string({ max: MAX_QUERY }), caseSensitive: boolean(), wholeWord: boolean() }),
  /** The entry with the focus, or else the one at the top of the screen; absent: there is none. The answer to `where`. */
  reading: object({ entryId: optional(id) }),
  /** A block of code goes into the text editor that was in front last, in place of what is selected there. */
  insert_code: object({ text: code }),
  /** A block of code becomes a file's text, once the user has seen the difference. `info`: what stands behind its fence. */
  apply_code: object({ text: code, info: path }),
  /** Which of these words of an agent's text are files. */
  files: object({ texts: array(place, { max: MAX_FILES }) }),
  /** A block of code for a shell runs in a terminal of the window. */
  run_code: object({ text: code }),
  action: object({ action: literal(...VIEW_ACTIONS) }),
  /** Asks for `start_page`. */
  start_page: object({}),
  /** One of the sessions that `start_page` named. */
  open_session: object({ sessionKey: id }),
  /** What is open and closed, half filled in, looked for, and where the user is, as JSON: for another page that shows this session after this one. */
  page_state: object({ state: string({ max: MAX_PAGE_STATE }) }),
  /** Where conversations open from now on, this one too. */
  set_chat_location: object({ location: literal('editor', 'sideBar') }),
});
export type FromView = Infer<typeof intent>;

/** The intent inside `message`, or undefined when it is none. */
export function parseIntent(message: unknown): FromView | undefined {
  return intent.is(message) ? intent.copy(message) : undefined;
}
