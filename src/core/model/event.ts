/**
 * One kind per thing that can happen to a session, shaped after ACP v2. The host folds events as they happen, journals them, and sends the
 * same events to the view, which folds them again with the same reducer. Adding a kind: here, in `reduce.ts`, and a golden test.
 */
import {
  agentInfo,
  authMethod,
  availableCommand,
  configOption,
  contentBlock,
  environmentVariable,
  exitStatus,
  location,
  permissionOption,
  permissionSubject,
  planBody,
  promptCapabilities,
  sessionOffers,
  toolContent,
  turnUsage,
  usage,
} from './content';
import { elicitationContent, elicitationOutcome } from '../elicitation/answer';
import { elicitationBody } from '../elicitation/elicitation';
import type { Failure } from './failure';
import {
  array,
  boolean,
  custom,
  type Infer,
  integer,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  type Schema,
  string,
  union,
  unknown,
  variant,
} from './schema';
import { MAX_TERMINAL_SIZE } from './terminalSize';
import { changeReport } from '../fileChanges/changeReport';
import { pendingChanges } from '../fileChanges/pendingChanges';
import { turnChanges, writtenFile } from '../fileChanges/turnFiles';

/** What every event has. */
const base = {
  /** ms since the epoch, stamped by the session when the event happens */
  at: number(),
  /** The wire's `_meta`, kept for the journal; the reducer does not read it. */
  meta: optional(unknown()),
  /** Root fields of the wire message that we do not know, kept for the journal. */
  extra: optional(record(unknown())),
};

/** Of an event that may end the running turn. */
const ending = {
  ...base,
  /** What that turn did to files, in journals of version 0.1.0; an event of its own ever since (`turn_changes`). */
  changes: optional(turnChanges),
};

/** Who speaks. `thought` is the agent thinking aloud. */
const role = literal('user', 'agent', 'thought');
export type Role = Infer<typeof role>;

/** Codes name their area; a bare word could be one that every object has. Those of a newer version are let through. */
const failure: Schema<Failure> = object({
  code: custom<Failure['code']>((value) => typeof value === 'string' && /^(?:\w+\.\w+|internal)$/.test(value)),
  params: optional(record(union(string(), number()))),
  detail: optional(string()),
});

/** A view makes room for as much. */
const characters = integer({ min: 1, max: MAX_TERMINAL_SIZE });

/** The fields of a tool call that an update can change: omitted keeps, null clears, a value replaces (arrays whole). */
const toolCallPatch = object({
  title: optional(nullable(string())),
  name: optional(nullable(string())),
  kind: optional(nullable(string())),
  status: optional(nullable(string())),
  content: optional(nullable(array(toolContent))),
  locations: optional(nullable(array(location))),
  rawInput: optional(unknown()),
  rawOutput: optional(unknown()),
});
export type ToolCallPatch = Infer<typeof toolCallPatch>;

/** A change by its place in the entry's content and in that content's changes; `line` is 1-based. */
const diffLine = object({ content: number(), change: number(), line: number() });
export type DiffLine = Infer<typeof diffLine>;

const sessionEvent = variant('type', {
  /** A session was asked for; nothing has answered yet. */
  session_opened: object({
    ...base,
    agentName: string(),
    /** Absolute. */
    cwd: string(),
    /** Further roots, absolute. */
    additionalDirectories: optional(array(string())),
    /** The agent's session that is asked for; absent for a new one, and where it is known already. */
    sessionId: optional(string()),
  }),
  /** What runs while an agent starts, for a start that takes long. `line` is its last line on stderr. */
  start_progress: object({
    ...base,
    /** The command line, without any environment value. */
    command: string(),
    line: optional(string()),
    /** How many updates it has told so far of an earlier conversation. */
    updates: optional(number()),
  }),
  /** `initialize` was answered. */
  agent_initialized: object({
    ...base,
    protocolVersion: number(),
    agent: optional(agentInfo),
    promptCapabilities,
    authMethods: array(authMethod),
    /** Absent in journals of before it was known. */
    offers: optional(sessionOffers),
  }),
  /**
   * Where signing in at the agent stands (protocol page "Authentication"). required: a request failed for want of it and waits; running: `methodId`
   * is under way; failed: it did not work, `failure` says why; signed_in, signed_out: it worked; dismissed: the user does not want to.
   */
  sign_in: object({
    ...base,
    status: literal('required', 'running', 'failed', 'signed_in', 'signed_out', 'dismissed'),
    methodId: optional(string()),
    failure: optional(failure),
  }),
  /** `session/new` (or load, resume) was answered: the session takes prompts. */
  session_ready: object({ ...base, sessionId: string() }),
  /** The start failed; nothing runs. */
  session_failed: object({ ...ending, failure }),
  /** The connection is gone: the agent died, or the window did (a journal read back). Ends the turn. */
  disconnected: object({ ...ending, failure }),
  /** The user ended the session. */
  session_ended: object(ending),
  session_info: object({
    ...base,
    /** Omitted keeps, null clears. */
    title: optional(nullable(string())),
    /** ISO 8601; omitted keeps, null clears. */
    updatedAt: optional(nullable(string())),
  }),
  /** The user has named it, or taken that back. Not journaled: the name is kept beside the journal, where every window can change it. */
  session_renamed: object({ ...base, name: nullable(string()) }),
  /** The user has pinned or archived it, or taken that back. Not journaled, as `session_renamed`. */
  session_marked: object({ ...base, pinned: boolean(), archived: boolean() }),
  turn_started: object({ ...base, turnId: string() }),
  /** The user pressed Stop, in a turn or while the agent works between turns. Open tool calls count as cancelled from here. */
  turn_cancelling: object({
    ...base,
    /** A message follows at once: what is queued does not wait for the user. */
    interrupting: optional(boolean()),
  }),
  /** The agent has not ended after Stop in time, or the user pressed Stop again: restarting the agent is offered. */
  stop_unanswered: object(base),
  /** The agent works between turns: its updates come although no prompt is open. Not in a turn. */
  work_started: object({
    ...base,
    /** Unique in the session. */
    workId: string(),
    /** The updates are late ones of a stopped turn: text that continues a message of that turn stays in it. */
    isLate: optional(boolean()),
  }),
  /** No update came for a while, and no tool call is open. */
  work_ended: object({ ...base, workId: string() }),
  /** v1: the reply to `session/prompt`; v2: `state_update` idle. */
  turn_ended: object({
    ...ending,
    turnId: string(),
    /** end_turn, max_tokens, max_turn_requests, refusal, cancelled, a word we do not know, or `error` with `failure`. */
    stopReason: string(),
    failure: optional(failure),
  }),
  /** A file was written for the agent (`fs/write_text_file`). */
  file_written: object({ ...base, file: writtenFile }),
  /** What a turn that has ended did to files: worked out afterwards, so other events may come in between. Again, whole, when more was found on disk. */
  turn_changes: object({ ...base, turnId: string(), changes: turnChanges }),
  /** What the next prompt tells the agent of its changes, whole. Not journaled: it is kept beside them. */
  change_report: object({ ...base, files: changeReport }),
  /** The changes that wait for review, whole; absent: none. Not journaled: the review stores them. */
  pending_changes: object({ ...base, changes: optional(pendingChanges) }),
  /** Where in their files the texts of a tool call's or permission request's diffs begin, as far as it was found out since they were told. */
  diff_located: object({ ...base, entryId: string(), lines: array(diffLine) }),
  /** The user has sent a message that waits for the agent. `queueId` becomes the id of its turn, whose start takes it from the queue. */
  message_queued: object({ ...base, queueId: string(), content: array(contentBlock), size: integer() }),
  /** The user begins, or gives up, to change a queued message: it is not sent meanwhile. */
  queued_message_editing: object({ ...base, queueId: string(), editing: boolean() }),
  /** The user has changed a queued message. */
  queued_message_edited: object({ ...base, queueId: string(), content: array(contentBlock), size: integer() }),
  /** To this place in the queue, counted without it. */
  queued_message_moved: object({ ...base, queueId: string(), index: integer() }),
  /** The user wants this one sent next, also when it waited for them. */
  queued_message_first: object({ ...base, queueId: string() }),
  /** The agent is asked to take it into the running turn, or has not taken it. */
  queued_message_steering: object({ ...base, queueId: string(), steering: boolean() }),
  /** The user has taken back a queued message, or the agent has taken it into the running turn. */
  queued_message_removed: object({ ...base, queueId: string() }),
  /** A queued message could not be sent: all wait for the user. */
  queue_paused: object(base),
  /** The user wants them sent. */
  queue_resumed: object(base),
  /** The answer to a prompt said what it took. */
  turn_usage: object({ ...base, usage: turnUsage }),
  /** Upsert of a whole message: omitted content keeps, null or [] clears, an array replaces all of it. */
  message: object({ ...base, role, messageId: string(), content: optional(nullable(array(contentBlock))) }),
  /** One block at the end of a message, which it creates when unseen. */
  message_chunk: object({ ...base, role, messageId: string(), content: contentBlock }),
  /** Creates the tool call when its id is unseen; v1's `tool_call` and `tool_call_update` both become this. */
  tool_call_update: object({ ...base, toolCallId: string(), patch: toolCallPatch }),
  tool_call_content_chunk: object({ ...base, toolCallId: string(), content: toolContent }),
  /** Upsert of a terminal, ours (v1 `terminal/*`) or the agent's own. `output` replaces everything shown so far. */
  terminal_update: object({
    ...base,
    terminalId: string(),
    /** True when our own process runs it, so that Stop can be offered. */
    ours: optional(boolean()),
    /** What runs, for people: the argv joined, or the shell line. */
    command: optional(string()),
    cwd: optional(string()),
    /** What the agent set in its environment. */
    environment: optional(array(environmentVariable)),
    /** As in a permission's subject. */
    program: optional(string()),
    /** True when the string runs as a line of the user's shell. */
    shell: optional(boolean()),
    /** True when no pty could be had and a pipe is used. */
    pipe: optional(boolean()),
    /** Not told while it is `TERMINAL_SIZE`. */
    size: optional(object({ columns: characters, rows: characters })),
    /** The command begins, or ceases, to wait for input. */
    waiting: optional(boolean()),
    output: optional(string()),
    exitStatus: optional(exitStatus),
    /** The agent let go of it; its output stays readable here. */
    released: optional(boolean()),
  }),
  /** More output, decoded, escape sequences included. `skipped` bytes before it were not sent to the card (a bound, never silent). */
  terminal_output: object({ ...base, terminalId: string(), text: string(), skipped: optional(number()) }),
  plan_update: object({ ...base, planId: string(), plan: planBody }),
  plan_removed: object({ ...base, planId: string() }),
  permission_requested: object({
    ...base,
    /** Minted by us: unique in this session. */
    permissionId: string(),
    title: string(),
    description: optional(string()),
    /** The name of the sub-session that asks. */
    askedBy: optional(string()),
    options: array(permissionOption),
    subject: permissionSubject,
  }),
  permission_resolved: object({
    ...base,
    permissionId: string(),
    /** selected: the user chose; cancelled: the turn was stopped; withdrawn: the agent took it back; lost: the connection or the window went. */
    outcome: literal('selected', 'cancelled', 'withdrawn', 'lost'),
    optionId: optional(string()),
  }),
  /** The agent asks for more than a yes or no (RFD "Elicitation"). */
  elicitation_requested: object({
    ...base,
    /** Minted by us: unique in this session. The agent's own id of a web page is in `body`. */
    requestKey: string(),
    message: string(),
    body: elicitationBody,
    toolCallId: optional(string()),
    askedBy: optional(string()),
  }),
  elicitation_resolved: object({
    ...base,
    requestKey: string(),
    outcome: elicitationOutcome,
    /** A form's values, when accepted. */
    content: optional(elicitationContent),
  }),
  /** The agent says that what the user did on the web page is done. */
  elicitation_completed: object({ ...base, requestKey: string() }),
  /** Always the complete list: replaces the one before. */
  config_options: object({ ...base, options: array(configOption) }),
  /** The values that the agent was asked to set and has not confirmed: messages wait for them. `overdue`: until the user decides. Not journaled. */
  config_pending: object({
    ...base,
    options: array(object({ configId: string(), value: union(string(), boolean()) })),
    overdue: optional(boolean()),
  }),
  /** One option's value, when only that is known (`current_mode_update`, the answer to `session/set_mode`). */
  config_value: object({ ...base, configId: string(), value: union(string(), boolean()) }),
  available_commands: object({ ...base, commands: array(availableCommand) }),
  usage: object({ ...base, usage }),
  notice: object({
    ...base,
    noticeId: string(),
    /** info, warning, error, or a word we do not know */
    severity: string(),
    title: string(),
    description: optional(string()),
    /** Ours rather than the agent's: the words are made by the view. */
    failure: optional(failure),
  }),
  compaction_update: object({
    ...base,
    compactionId: string(),
    status: optional(string()),
    /** Omitted keeps, null or [] clears, a value replaces. */
    summary: optional(nullable(array(contentBlock))),
    error: optional(nullable(string())),
  }),
  compaction_chunk: object({ ...base, compactionId: string(), content: contentBlock }),
  /** Entries that an agent's replay has added to the conversation get their position in it. Moves are made in this order. */
  entries_placed: object({
    ...base,
    moves: array(
      object({
        /** In the order that they get. An id without an entry is ignored. */
        entryIds: array(string()),
        /** The entry that follows them. Absent, or without an entry: they go to the end. */
        before: optional(string()),
      }),
    ),
  }),
  /** Something the agent said that no kind above fits. Kept, journaled and shown. */
  unknown: object({
    ...base,
    unknownId: string(),
    /** What the agent called it, e.g. the `sessionUpdate` or the method's name. */
    label: string(),
    raw: unknown(),
  }),
});

export type SessionEvent = Infer<typeof sessionEvent>;

/**
 * True when every field that an event of this type has is of its type. Our own journals are written by us; one that came with a bug report may have
 * been written by anybody.
 */
export function isSessionEvent(value: unknown): value is SessionEvent {
  return sessionEvent.is(value);
}

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

export type SessionOpened = EventOf<'session_opened'>;
export type SignInChanged = EventOf<'sign_in'>;
export type SessionReady = EventOf<'session_ready'>;
export type TurnStarted = EventOf<'turn_started'>;
export type TurnCancelling = EventOf<'turn_cancelling'>;
export type TurnEnded = EventOf<'turn_ended'>;
export type WorkStarted = EventOf<'work_started'>;
export type WorkEnded = EventOf<'work_ended'>;
export type FileWritten = EventOf<'file_written'>;
export type TurnChangesCounted = EventOf<'turn_changes'>;
export type ChangeReported = EventOf<'change_report'>;
export type ChangesPending = EventOf<'pending_changes'>;
export type DiffLocated = EventOf<'diff_located'>;
export type MessageSet = EventOf<'message'>;
export type MessageChunk = EventOf<'message_chunk'>;
export type ToolCallUpdate = EventOf<'tool_call_update'>;
export type ToolCallContentChunk = EventOf<'tool_call_content_chunk'>;
export type TerminalUpdate = EventOf<'terminal_update'>;
export type TerminalOutput = EventOf<'terminal_output'>;
export type PermissionRequested = EventOf<'permission_requested'>;
export type ElicitationRequested = EventOf<'elicitation_requested'>;
export type ElicitationResolved = EventOf<'elicitation_resolved'>;
export type NoticeShown = EventOf<'notice'>;
export type CompactionUpdate = EventOf<'compaction_update'>;
export type CompactionChunk = EventOf<'compaction_chunk'>;
export type UnknownUpdate = EventOf<'unknown'>;
export type EntriesPlaced = EventOf<'entries_placed'>;

/** An event before the session stamps its time. */
export type Unstamped<E> = E extends { readonly at: number } ? Omit<E, 'at'> : never;

/** What services and the dialect hand to the session: everything but the time. */
export type UnstampedEvent = Unstamped<SessionEvent>;
