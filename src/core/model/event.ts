/**
 * The events of a session, one kind for each thing that can happen, shaped after ACP v2. The host reduces events as they happen, journals them, and
 * sends them to the view, which reduces them with the same reducer. A new kind is added here and in `reduce.ts`, with a golden test.
 */
import {
  agentInfo,
  authMethod,
  availableCommand,
  backgroundItem,
  configOption,
  contentBlock,
  diffFit,
  diffLine,
  location,
  permissionOption,
  permissionSubject,
  planBody,
  promptCapabilities,
  sessionCapabilities,
  terminalEvents,
  toolContent,
  turnUsage,
  usage,
} from './content';
import { accountEvents } from '../account/account';
import { advice } from '../advice/advice';
import { modeEvents } from '../modes/permissionMode';
import { answeringRule } from './answeringRule';
import { elicitationContent, elicitationOutcome } from '../elicitation/answer';
import { elicitationBody } from '../elicitation/elicitation';
import type { Failure } from './failure';
import {
  array,
  boolean,
  custom,
  type Infer,
  integer,
  fallback,
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
} from '../schema/schema';
import { instructionEvents } from '../account/instructions';
import { limitEvents } from '../account/quota';
import { reconnectEvents } from '../reconnect/reconnect';
import { backgroundEvents } from '../background/backgroundTask';
import { originEvents } from '../share/origin';
import { sandboxEvents } from '../sandbox/sandbox';
import { subagentEvents } from './subagent';
import { changeReport } from '../fileChanges/changeReport';
import { pendingChanges, runningChanges } from '../fileChanges/pendingChanges';
import { turnChanges, writtenFile } from '../fileChanges/turnFiles';

/** The fields of every event. */
const base = {
  /** ms since the epoch. The session adds it when the event happens. */
  at: number(),
  /** The message's `_meta`, stored for the journal. The reducer does not read it. */
  meta: optional(unknown()),
  /** Root fields of the message that are not known, stored for the journal. */
  extra: optional(record(unknown())),
};

/** The fields of an event that may end the running turn. */
const ending = {
  ...base,
  /** The files that the turn changed, in journals of early versions. Later versions use the event `turn_changes`. */
  changes: optional(turnChanges),
};

/** The name of the subagent that asks, and its session, if that is known. */
const asker = { askedBy: optional(string()), subagentId: optional(string()) };

/** The author of a message. `thought` is the agent's reasoning. */
const role = literal('user', 'agent', 'thought');
export type Role = Infer<typeof role>;

/** The codes name their area, because a bare word could be the name of a property that every object has. Codes of a newer version are accepted. */
const failure: Schema<Failure> = object({
  code: custom<Failure['code']>((value) => typeof value === 'string' && /^(?:\w+\.\w+|internal)$/.test(value)),
  params: optional(record(union(string(), number()))),
  detail: optional(string()),
});

/**
 * The fields of a tool call that an update can change. An omitted field keeps its value, null clears it, a value replaces it (an array as a whole).
 */
const toolCallPatch = object({
  title: optional(nullable(string())),
  name: optional(nullable(string())),
  kind: optional(nullable(string())),
  status: optional(nullable(string())),
  content: optional(nullable(array(toolContent))),
  locations: optional(nullable(array(location))),
  rawInput: optional(unknown()),
  rawOutput: optional(unknown()),
  /** True while the user can stop this call alone. */
  canCancel: optional(nullable(boolean())),
});
export type ToolCallPatch = Infer<typeof toolCallPatch>;

const sessionEvent = variant('type', {
  /** A session was requested. There is no response yet. */
  session_opened: object({
    ...base,
    agentName: string(),
    /** Absolute. */
    cwd: string(),
    /** Further roots, absolute. */
    additionalDirectories: optional(array(string())),
    /** The id of the requested session; absent for a new one, and when it is known already. */
    sessionId: optional(string()),
  }),
  /** The command that runs while an agent starts, for a slow start. `line` is its last line on stderr, or the last lines of a program that prints text. */
  start_progress: object({
    ...base,
    /** The command line, without any environment value. */
    command: string(),
    line: optional(string()),
    /** The number of updates of an earlier conversation that the agent has replayed so far. */
    updates: optional(number()),
  }),
  /** The response to `initialize` has arrived. */
  agent_initialized: object({
    ...base,
    protocolVersion: number(),
    agent: optional(agentInfo),
    promptCapabilities,
    authMethods: array(authMethod),
    /** Absent in older journals. */
    offers: optional(sessionCapabilities),
  }),
  /**
   * The state of signing in at the agent (protocol page "Authentication"). `required`: a request needs the sign-in and waits. `running`: `methodId`
   * is under way. `failed`: `failure` has the reason. `signed_in`, `signed_out`: it worked. `dismissed`: the user does not want to.
   */
  sign_in: object({
    ...base,
    status: literal('required', 'running', 'failed', 'signed_in', 'signed_out', 'dismissed'),
    methodId: optional(string()),
    failure: optional(failure),
  }),
  /** The response to `session/new` (or load, resume) has arrived. The session takes prompts. */
  session_ready: object({ ...base, sessionId: string() }),
  /** The start failed, and no process runs. */
  session_failed: object({ ...ending, failure }),
  /** The connection was lost: the agent exited, or the window closed (in a journal that is read back). Ends the turn. */
  disconnected: object({ ...ending, failure }),
  /** The user ended the session. */
  session_ended: object(ending),
  /** An omitted field keeps its value, null clears it. `updatedAt` is in ISO 8601. */
  session_info: object({ ...base, title: optional(nullable(string())), updatedAt: optional(nullable(string())) }),
  /** The user has named the session, or removed the name. Not journaled: the name is stored beside the journal, where every window can change it. */
  session_renamed: object({ ...base, name: nullable(string()) }),
  /** The user has changed the pin or the archive mark. Not journaled, for the same reason as `session_renamed`. */
  session_marked: object({ ...base, pinned: boolean(), archived: boolean() }),
  turn_started: object({ ...base, turnId: string() }),
  /** The user pressed Stop, in a turn or while the agent works between turns. Open tool calls count as cancelled from now on. */
  turn_cancelling: object({
    ...base,
    /** A message follows at once, so queued messages do not wait for the user. */
    interrupting: optional(boolean()),
  }),
  /** The agent has not ended in time after Stop, or the user pressed Stop again. The page offers to restart the agent. */
  stop_unanswered: object(base),
  /** The agent works between turns: its updates come although no prompt is open. Not sent in a turn. */
  work_started: object({
    ...base,
    /** Unique in the session. */
    workId: string(),
    /** The updates are late ones of a stopped turn. Text that continues a message of that turn stays in that message. */
    isLate: optional(boolean()),
  }),
  /** No update has come for a while, and no tool call is open. */
  work_ended: object({ ...base, workId: string() }),
  /** v1: the response to `session/prompt`. v2: the `state_update` idle. */
  turn_ended: object({
    ...ending,
    turnId: string(),
    /** One of end_turn, max_tokens, max_turn_requests, refusal and cancelled, an unknown word, or `error` with `failure`. */
    stopReason: string(),
    failure: optional(failure),
  }),
  /** A file was written for the agent (`fs/write_text_file`). */
  file_written: object({ ...base, file: writtenFile }),
  /**
   * The files that an ended turn changed. They are computed afterwards, so other events may come in between. Sent again, complete, when more was
   * found on disk.
   */
  turn_changes: object({ ...base, turnId: string(), changes: turnChanges }),
  /** The report of the next prompt about the agent's changes, complete. Not journaled: it is stored with the changes. */
  change_report: object({ ...base, files: changeReport }),
  /** The changes that wait for review, complete; absent when there are none. Not journaled: the review stores them. */
  pending_changes: object({ ...base, changes: optional(pendingChanges) }),
  /** The files that the running turn has changed so far, complete. Not journaled: the tool calls have them. */
  running_changes: object({ ...base, ...runningChanges }),
  /** The lines at which the texts of the diffs in a tool call or request begin in their files, and how they fit, as far as found since. */
  diff_located: object({ ...base, entryId: string(), lines: array(diffLine), fits: optional(array(diffFit)) }),
  /** The user has sent a message that waits for the agent. `queueId` becomes the id of its turn, whose start removes it from the queue. */
  message_queued: object({ ...base, queueId: string(), content: array(contentBlock), size: integer() }),
  /** The user begins or stops to edit a queued message, which is not sent meanwhile. */
  queued_message_editing: object({ ...base, queueId: string(), editing: boolean() }),
  /** The user has changed a queued message. */
  queued_message_edited: object({ ...base, queueId: string(), content: array(contentBlock), size: integer() }),
  /** A queued message has moved to `index`, an index in the queue without it. */
  queued_message_moved: object({ ...base, queueId: string(), index: integer() }),
  /** The user wants this message sent next, even if it waited for them. */
  queued_message_first: object({ ...base, queueId: string() }),
  /** The agent was asked to take the message into the running turn, or has declined it. */
  queued_message_steering: object({ ...base, queueId: string(), steering: boolean() }),
  /** The user has deleted a queued message, or the agent has taken it into the running turn. */
  queued_message_removed: object({ ...base, queueId: string() }),
  /** A queued message could not be sent, so all of them wait for the user. */
  queue_paused: object(base),
  /** The user wants the waiting messages sent. */
  queue_resumed: object(base),
  /** The token usage from the response to a prompt. */
  turn_usage: object({ ...base, usage: turnUsage }),
  /** Creates or updates a message. Omitted content stays, null or [] clears it, an array replaces it as a whole. */
  message: object({ ...base, role, messageId: string(), content: optional(nullable(array(contentBlock))) }),
  /** Adds one block at the end of a message. Creates the message when its id is new. */
  message_chunk: object({ ...base, role, messageId: string(), content: contentBlock }),
  /** Creates the tool call when its id is new. Both `tool_call` and `tool_call_update` of v1 become this. */
  tool_call_update: object({ ...base, toolCallId: string(), patch: toolCallPatch }),
  tool_call_content_chunk: object({ ...base, toolCallId: string(), content: toolContent }),
  ...terminalEvents(base),
  plan_update: object({ ...base, planId: string(), plan: planBody }),
  plan_removed: object({ ...base, planId: string() }),
  permission_requested: object({
    ...base,
    /** An id made by the host, unique in this session. */
    permissionId: string(),
    title: string(),
    description: optional(string()),
    ...asker,
    options: array(permissionOption),
    /** The agent recommends to refuse. */
    defaultToNo: optional(boolean()),
    subject: permissionSubject,
  }),
  permission_resolved: object({
    ...base,
    permissionId: string(),
    /**
     * `selected`: the user chose. `cancelled`: the turn was stopped. `withdrawn`: the agent took it back. `lost`: the connection or the window
     * closed.
     */
    outcome: literal('selected', 'cancelled', 'withdrawn', 'lost'),
    optionId: optional(string()),
    /** The rule that chose the option instead of the user. */
    byRule: fallback(answeringRule),
  }),
  /** The host's advice on a request, as soon as it is computed. It replaces an earlier one. */
  permission_advised: object({ ...base, permissionId: string(), advice }),
  /** Files that have changed since the request arrived, complete. The agent may have computed their text before. */
  permission_outdated: object({ ...base, permissionId: string(), paths: array(string()) }),
  /** The agent asks for more than a yes or no (RFD "Elicitation"). */
  elicitation_requested: object({
    ...base,
    /** An id made by the host, unique in this session. The agent's own id of a web page is in `body`. */
    requestKey: string(),
    message: string(),
    body: elicitationBody,
    toolCallId: optional(string()),
    ...asker,
  }),
  elicitation_resolved: object({
    ...base,
    requestKey: string(),
    outcome: elicitationOutcome,
    /** The form's values, when accepted. */
    content: optional(elicitationContent),
  }),
  /** The agent reports that the user has finished the web page. */
  elicitation_completed: object({ ...base, requestKey: string() }),
  /** Always the complete list. It replaces the earlier one. */
  config_options: object({ ...base, options: array(configOption) }),
  /**
   * The values that the agent was asked to set and has not confirmed. Messages wait for them; with `overdue`, until the user decides. Not journaled.
   */
  config_pending: object({
    ...base,
    options: array(object({ configId: string(), value: union(string(), boolean()) })),
    overdue: optional(boolean()),
  }),
  /** One option's value, when only the value is known (`current_mode_update`, the response to `session/set_mode`). */
  config_value: object({ ...base, configId: string(), value: union(string(), boolean()) }),
  available_commands: object({ ...base, commands: array(availableCommand) }),
  /** `clearsCost`: the agent has withdrawn the cost that it reported before. */
  usage: object({ ...base, usage, clearsCost: optional(boolean()) }),
  notice: object({
    ...base,
    noticeId: string(),
    /** One of info, warning and error, or an unknown word. */
    severity: string(),
    title: string(),
    description: optional(string()),
    /** Set for a notice of ours. The view makes its text. */
    failure: optional(failure),
    /** The actions that help: retry, login, new_session, or an unknown word. */
    actions: optional(array(string())),
  }),
  compaction_update: object({
    ...base,
    compactionId: string(),
    status: optional(string()),
    /** An omitted field keeps its value, null or [] clears it, a value replaces it. */
    summary: optional(nullable(array(contentBlock))),
    error: optional(nullable(string())),
  }),
  compaction_chunk: object({ ...base, compactionId: string(), content: contentBlock }),
  /** Entries that an agent's replay has added get their position in the conversation. Moves are made in this order. */
  entries_placed: object({
    ...base,
    moves: array(
      object({
        /** The entries in their new order. An id without an entry is ignored. */
        entryIds: array(string()),
        /** The entry that follows them. They go to the end when it is absent or unknown. */
        before: optional(string()),
      }),
    ),
  }),
  ...limitEvents(base),
  ...reconnectEvents(base),
  ...instructionEvents(base),
  ...accountEvents(base),
  ...modeEvents(base),
  /** The agent's word for what it does in the running turn: running, requires_action, unknown or an unknown word. */
  turn_activity: object({ ...base, activity: string() }),
  /** The work that continues beside turns, complete. `items` is absent when the agent stops reporting it. */
  background_work: object({ ...base, items: optional(array(backgroundItem)) }),
  ...subagentEvents(base, isSessionEvent),
  ...backgroundEvents(base),
  ...sandboxEvents(base),
  ...originEvents(base),
  /** A message of the agent that fits no kind above. Stored, journaled and shown. */
  unknown: object({
    ...base,
    unknownId: string(),
    /** The agent's name for it, such as the `sessionUpdate` or the method. */
    label: string(),
    raw: unknown(),
  }),
});

export type SessionEvent = Infer<typeof sessionEvent>;

/** True when the fields of an event have the types that its kind demands. A journal from a bug report may come from anyone. */
export function isSessionEvent(value: unknown): value is SessionEvent {
  return sessionEvent.validate(value);
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
export type ChangesRunning = EventOf<'running_changes'>;
export type DiffLocated = EventOf<'diff_located'>;
export type MessageSet = EventOf<'message'>;
export type MessageChunk = EventOf<'message_chunk'>;
export type ToolCallUpdate = EventOf<'tool_call_update'>;
export type ToolCallContentChunk = EventOf<'tool_call_content_chunk'>;
export type TerminalUpdate = EventOf<'terminal_update'>;
export type TerminalOutput = EventOf<'terminal_output'>;
export type PermissionRequested = EventOf<'permission_requested'>;
export type PermissionResolved = EventOf<'permission_resolved'>;
export type PermissionAdvised = EventOf<'permission_advised'>;
export type PermissionOutdated = EventOf<'permission_outdated'>;
export type ElicitationRequested = EventOf<'elicitation_requested'>;
export type ElicitationResolved = EventOf<'elicitation_resolved'>;
export type NoticeShown = EventOf<'notice'>;
export type CompactionUpdate = EventOf<'compaction_update'>;
export type CompactionChunk = EventOf<'compaction_chunk'>;
export type TurnActivity = EventOf<'turn_activity'>;
export type BackgroundWork = EventOf<'background_work'>;
export type EntryOrigin = EventOf<'entry_origin'>;
export type SandboxRefused = EventOf<'sandbox_refused'>;
export type UnknownUpdate = EventOf<'unknown'>;
export type EntriesPlaced = EventOf<'entries_placed'>;

/** An event without the time, which the session adds. */
export type WithoutTime<E> = E extends { readonly at: number } ? Omit<E, 'at'> : never;

/** The form in which services and the dialect pass an event to the session, without the time. */
export type EventInput = WithoutTime<SessionEvent>;
