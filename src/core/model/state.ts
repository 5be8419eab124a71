/**
 * The only source of truth about a session: `SessionState = fold(reduce, events)`. The view has the same shape. Entries whose bodies it was not sent
 * are absent (see `snapshot.ts`).
 */
import type {
  AgentInfo,
  AuthMethod,
  AvailableCommand,
  BackgroundItem,
  ConfigOption,
  ContentBlock,
  Location,
  PermissionOption,
  PermissionSubject,
  PlanBody,
  PromptCapabilities,
  SessionCapabilities,
  SessionUsage,
  ToolContent,
  TurnUsage,
  Usage,
} from './content';
import { NO_CAPABILITIES } from './wellKnown';
import type { PermissionOutcome } from './answeringRule';
import type { ElicitationContent, ElicitationOutcome } from '../elicitation/answer';
import type { ElicitationBody } from '../elicitation/elicitation';
import { EntryList } from './entries';
import type { AgentAccount } from '../account/account';
import type { Role, SignInChanged } from './event';
import type { Failure } from './failure';
import type { Continuation, QueuedMessages } from './queuedMessage';
import type { Reconnect } from '../reconnect/reconnect';
import type { FromClient, SharingState } from '../share/origin';
import type { Quota } from '../account/quota';
import type { SentInstructions } from '../account/instructions';
import type { SandboxRefusals, SessionSandbox } from '../sandbox/sandbox';
import { TERMINAL_TAIL, type TerminalState } from './terminalState';
import type { ReviewState } from '../fileChanges/pendingChanges';
import type { TurnChanges, WrittenFile } from '../fileChanges/turnFiles';
import type { SubagentEntries, Subagents } from './subagent';
import type { BackgroundState } from '../background/backgroundTask';
import type { ModeState } from '../modes/permissionMode';

export { TERMINAL_TAIL, type TerminalState };

interface EntryBase {
  /** Unique in the session and stable. {@link entryIdOf} makes it from the kind and the protocol's id. */
  readonly entryId: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface MessageEntry extends EntryBase, FromClient {
  readonly kind: 'message';
  readonly role: Role;
  readonly messageId: string;
  /** Adjacent text chunks are merged into one text block. */
  readonly content: readonly ContentBlock[];
  /** ms since the epoch of the newest chunk. The difference to `at` is a thought's duration. */
  readonly updatedAt: number;
}

export interface ToolCallEntry extends EntryBase {
  readonly kind: 'tool_call';
  readonly toolCallId: string;
  readonly title?: string;
  readonly name?: string;
  /** One of read, edit, delete, move, search, execute, think, fetch, switch_mode and other, or an unknown word. */
  readonly toolKind: string;
  /**
   * One of pending, in_progress, paused, completed, failed, cancelled, background (open when its turn ended) and unfinished (open when its turn failed
   * or the agent was lost), or an unknown word.
   */
  readonly status: string;
  readonly content: readonly ToolContent[];
  readonly locations: readonly Location[];
  /** `Bulk` in the view when large. */
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** True while the user can stop this call alone. */
  readonly canCancel?: boolean;
  /** Permission requests about the call, by `permissionId`, oldest first. They are shown on its card. */
  readonly requests?: readonly string[];
  readonly updatedAt: number;
  /** ms between `at` and `updatedAt` in which the call could not continue because a question waited for the user. */
  readonly waited?: number;
}

export interface PermissionEntry extends EntryBase, FromClient {
  readonly kind: 'permission';
  readonly permissionId: string;
  readonly title: string;
  readonly description?: string;
  readonly askedBy?: string;
  readonly subagentId?: string;
  readonly options: readonly PermissionOption[];
  readonly defaultToNo?: boolean;
  readonly subject: PermissionSubject;
  /** The tool call was known at the time of the request, so its `requests` name this one. */
  readonly onToolCall?: true;
  /** The files that have changed since the request, as the agent named them. Absent when there are none. */
  readonly outdated?: readonly string[];
  /** Absent while the request waits for an answer. */
  readonly outcome?: PermissionOutcome;
}

export interface ElicitationEntry extends EntryBase, FromClient {
  readonly kind: 'elicitation';
  readonly requestKey: string;
  readonly message: string;
  readonly body: ElicitationBody;
  readonly toolCallId?: string;
  /** The name of the subagent that asks, and its session. */
  readonly askedBy?: string;
  readonly subagentId?: string;
  /** Absent while the request waits for an answer. */
  readonly outcome?: { readonly type: ElicitationOutcome; readonly at: number; readonly content?: ElicitationContent };
  /** True when the agent has reported that the web page is done. */
  readonly completed?: boolean;
}

/** The usage of a turn, as far as the agent reported it. */
export interface TurnUse {
  /** Tokens in the context at the last report. */
  readonly context?: number;
  /** The amount by which the session's cost has grown. */
  readonly cost?: Usage['cost'];
  readonly tokens?: TurnUsage;
}

/** The end of a turn. Every turn gets one. */
export interface TurnEntry extends EntryBase {
  readonly kind: 'turn';
  readonly turnId: string;
  readonly stopReason: string;
  readonly startedAt: number;
  /** ms between `startedAt` and `at` in which a question waited for the user. */
  readonly waited?: number;
  /** The agent ended the turn without a text, a tool call or a question for the user. */
  readonly unanswered?: true;
  /** The plans of the turn, as last reported. */
  readonly plans?: Plans;
  readonly failure?: Failure;
  readonly use?: TurnUse;
  readonly changes?: TurnChanges;
  /** The files written for the agent during the turn, until {@link changes} has the result. */
  readonly written?: readonly WrittenFile[];
}

export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice';
  readonly noticeId: string;
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
  readonly failure?: Failure;
  readonly actions?: readonly string[];
}

export interface CompactionEntry extends EntryBase {
  readonly kind: 'compaction';
  readonly compactionId: string;
  readonly status: string;
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

export interface UnknownEntry extends EntryBase {
  readonly kind: 'unknown';
  readonly unknownId: string;
  readonly label: string;
  readonly raw: unknown;
}

/** An entry whose body is not loaded. Only a view has these. */
export interface AbsentEntry {
  readonly entryId: string;
  readonly kind: EntryKind;
  readonly absent: true;
}

export type Entry =
  | MessageEntry
  | ToolCallEntry
  | PermissionEntry
  | ElicitationEntry
  | TurnEntry
  | NoticeEntry
  | CompactionEntry
  | SubagentEntries
  | UnknownEntry;
export type EntryKind = Entry['kind'];
export type Slot = Entry | AbsentEntry;

/** The beginning of the user's first message that has any text. */
export interface FirstPrompt {
  readonly messageId: string;
  /** The text as the user wrote it, cut to a limit. */
  readonly text: string;
  /** Ids of the earlier messages that have no text yet, in their order. The beginning of a message may come late. */
  readonly silent?: readonly string[];
}

/** The plans, by `planId`. */
export type Plans = Readonly<Record<string, PlanBody>>;

/** The states: starting, ready (takes prompts), failed (at the start), disconnected (was ready), ended (by the user). */
export type SessionStatus = 'starting' | 'ready' | 'failed' | 'disconnected' | 'ended';

export type Entries = EntryList<Slot>;

export interface SessionState extends ReviewState, BackgroundState, ModeState {
  readonly status: SessionStatus;
  /** The reason why it failed or was disconnected. */
  readonly failure?: Failure;
  /** The agent's name in settings. */
  readonly agentName: string;
  readonly agent?: AgentInfo;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly start?: { readonly command: string; readonly line?: string; readonly updates?: number; readonly at: number };
  readonly sessionId?: string;
  /** The session was requested by its id, so the agent may store messages that it did not send. */
  readonly isFromAgent?: true;
  readonly protocolVersion?: number;
  readonly promptCapabilities: PromptCapabilities;
  readonly authMethods: readonly AuthMethod[];
  readonly capabilities: SessionCapabilities;
  /** Absent until a sign-in was requested or made. */
  readonly signIn?: { readonly status: SignInChanged['status']; readonly methodId?: string; readonly failure?: Failure };
  /** The name that the user gave it. It takes precedence over the agent's title. */
  readonly name?: string;
  /** Absent until the user has pinned or archived it. */
  readonly marks?: { readonly pinned: boolean; readonly archived: boolean };
  /** The agent's title. */
  readonly title?: string;
  readonly updatedAt?: string;
  /** The source of the session's name while the agent gives no title. */
  readonly firstPrompt?: FirstPrompt;
  readonly entries: Entries;
  /** The running turn. */
  readonly turn?: {
    readonly turnId: string;
    readonly startedAt: number;
    readonly cancelling: boolean;
    /** The agent's newest word for what it does, unless that is running: requires_action, unknown or an unknown word. */
    readonly activity?: string;
    /** The agent has not ended after Stop, so the page offers to restart it. */
    readonly isUnresponsive?: true;
    /** ms in which a question waited for the user, up to {@link SessionState.waitingSince}. */
    readonly waited?: number;
    /** Earlier plans that belong to no turn. */
    readonly earlierPlans?: Plans;
    readonly use?: TurnUse;
    /** True when the agent has given the user something in this turn (`reduce/answers.ts`). */
    readonly answered?: true;
    /** True for the first turn of the conversation. */
    readonly isFirst?: true;
    /** The files that were written for the agent, each once. */
    readonly written?: readonly WrittenFile[];
  };
  /** The agent's work between turns. Absent while the agent rests or a turn runs. */
  readonly work?: {
    readonly workId: string;
    readonly startedAt: number;
    /** The number of entries before the work. Text that continues a message among them becomes a new message. */
    readonly from: number;
    /** The updates are late ones of a stopped turn. Text that continues a message of that turn stays in that message. */
    readonly isLate?: true;
    readonly use?: TurnUse;
    /** True when the user has pressed Stop. */
    readonly cancelling?: true;
    /** The agent has not ended after Stop, so the page offers to restart it. */
    readonly isUnresponsive?: true;
  };
  /** ms since the epoch of the last end of work between turns that is news: the user stopped neither the work nor its turn. */
  readonly workEndedAt?: number;
  /** The work that continues beside turns, complete; absent when the agent does not report it. */
  readonly background?: readonly BackgroundItem[];
  /** Messages that wait for the agent, in the order in which they are sent. */
  readonly queue: QueuedMessages;
  /** Tool calls without a final status, oldest first, except for those that a turn left in the background. */
  readonly openToolCalls: readonly string[];
  /** The newest tool calls that Stop has cancelled. They never run again. */
  readonly stoppedToolCalls: readonly string[];
  /** Permission requests that wait for an answer, oldest first. */
  readonly pendingPermissions: readonly string[];
  /** Elicitations that wait for an answer, oldest first, by `requestKey`. */
  readonly pendingElicitations: readonly string[];
  /** ms since the epoch up to which the time of waiting questions is counted, while there are any (`reduce/userWaitTime.ts`). */
  readonly waitingSince?: number;
  readonly terminals: Readonly<Record<string, TerminalState>>;
  /** Absent until the agent has started one. */
  readonly subagents?: Subagents<SessionState>;
  /** The plans of the running turn. Its end moves them to the turn's entry. */
  readonly plans: Plans;
  readonly config: readonly ConfigOption[];
  /** The values that the agent has not confirmed; absent when there are none. `overdue`: the user decides whether messages are sent without them. */
  readonly pendingConfig?: {
    readonly options: readonly { readonly configId: string; readonly value: string | boolean }[];
    readonly overdue: boolean;
  };
  readonly commands: readonly AvailableCommand[];
  readonly usage?: SessionUsage;
  /** The token usage as last reported. */
  readonly turnUsage?: TurnUsage;
  /** The texts for the system prompt with which the session was requested. */
  readonly instructions?: SentInstructions;
  /** Absent while this window does not share the session. */
  readonly sharing?: SharingState;
  /** The sandbox; absent while it has always been off. */
  readonly sandbox?: SessionSandbox;
  /** The refused accesses; absent when there are none. */
  readonly sandboxRefusals?: SandboxRefusals;
  /** The account that the agent uses, as last reported. */
  readonly account?: AgentAccount;
  /** The limits of the agent's account, as last reported. */
  readonly quota?: Quota;
  /** Set while the conversation waits for a limit's reset. Messages are queued and not sent meanwhile. */
  readonly continuation?: Continuation;
  /** Set from a break of the connection to a remote agent until it is made again, or is no longer tried. */
  readonly reconnect?: Reconnect;
}

export const EMPTY_STATE: SessionState = {
  status: 'starting',
  agentName: '',
  cwd: '',
  additionalDirectories: [],
  promptCapabilities: { image: false, audio: false, embeddedContext: false },
  authMethods: [],
  capabilities: NO_CAPABILITIES,
  entries: EntryList.empty,
  queue: [],
  openToolCalls: [],
  stoppedToolCalls: [],
  pendingPermissions: [],
  pendingElicitations: [],
  terminals: {},
  plans: {},
  config: [],
  commands: [],
};

/** Requires every key, optional ones too, so that {@link withEntries} does not compile when it misses a field of the state. */
type Complete<T> = { [K in keyof Required<T>]: T[K] };

/** Returns `{...state, entries}`. Most events change only the entries, and a literal is several times faster than the spread (benchmark `wire`). */
export function withEntries(state: SessionState, entries: Entries): SessionState {
  const next: Complete<SessionState> = {
    status: state.status,
    failure: state.failure,
    agentName: state.agentName,
    agent: state.agent,
    cwd: state.cwd,
    additionalDirectories: state.additionalDirectories,
    start: state.start,
    sessionId: state.sessionId,
    isFromAgent: state.isFromAgent,
    protocolVersion: state.protocolVersion,
    promptCapabilities: state.promptCapabilities,
    authMethods: state.authMethods,
    capabilities: state.capabilities,
    signIn: state.signIn,
    name: state.name,
    marks: state.marks,
    title: state.title,
    updatedAt: state.updatedAt,
    firstPrompt: state.firstPrompt,
    entries,
    turn: state.turn,
    work: state.work,
    workEndedAt: state.workEndedAt,
    background: state.background,
    queue: state.queue,
    changeReport: state.changeReport,
    pendingChanges: state.pendingChanges,
    runningChanges: state.runningChanges,
    openToolCalls: state.openToolCalls,
    stoppedToolCalls: state.stoppedToolCalls,
    pendingPermissions: state.pendingPermissions,
    pendingElicitations: state.pendingElicitations,
    waitingSince: state.waitingSince,
    terminals: state.terminals,
    subagents: state.subagents,
    backgroundTasks: state.backgroundTasks,
    suggestions: state.suggestions,
    plans: state.plans,
    config: state.config,
    pendingConfig: state.pendingConfig,
    commands: state.commands,
    usage: state.usage,
    turnUsage: state.turnUsage,
    instructions: state.instructions,
    sharing: state.sharing,
    sandbox: state.sandbox,
    sandboxRefusals: state.sandboxRefusals,
    account: state.account,
    quota: state.quota,
    continuation: state.continuation,
    reconnect: state.reconnect,
    permissionMode: state.permissionMode,
    hasEndedMode: state.hasEndedMode,
    unasked: state.unasked,
  };
  return next;
}

/** The id of the entry for an id of the protocol. Agents reuse a messageId for messages of different roles, so the role is part of it. */
export const entryIdOf = {
  message: (role: Role, messageId: string): string => `${role}:${messageId}`,
  toolCall: (toolCallId: string): string => `tool_call:${toolCallId}`,
  permission: (permissionId: string): string => `permission:${permissionId}`,
  elicitation: (requestKey: string): string => `elicitation:${requestKey}`,
  turn: (turnId: string): string => `turn:${turnId}`,
  notice: (noticeId: string): string => `notice:${noticeId}`,
  compaction: (compactionId: string): string => `compaction:${compactionId}`,
  subagent: (subagentId: string): string => `subagent:${subagentId}`,
  sessionMessage: (messageId: string): string => `session_message:${messageId}`,
  unknown: (unknownId: string): string => `unknown:${unknownId}`,
} as const;

const FINAL = new Set(['completed', 'failed', 'cancelled']);

/** True when a tool call's status will not change by itself. An unknown status counts as still in progress (v2). */
export function isFinalStatus(status: string): boolean {
  return FINAL.has(status);
}

export function isAbsent(slot: Slot): slot is AbsentEntry {
  return 'absent' in slot;
}
