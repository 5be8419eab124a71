/**
 * The one truth about a session: `SessionState = fold(reduce, events)`. The view holds the same shape, with the bodies of entries it was
 * not sent absent (see `snapshot.ts`).
 */
import type {
  AgentInfo,
  AuthMethod,
  AvailableCommand,
  ConfigOption,
  ContentBlock,
  EnvironmentVariable,
  ExitStatus,
  Location,
  PermissionOption,
  PermissionSubject,
  PlanBody,
  PromptCapabilities,
  SessionOffers,
  ToolContent,
  TurnUsage,
  Usage,
} from './content';
import { NO_OFFERS } from './wellKnown';
import type { ElicitationContent, ElicitationOutcome } from '../elicitation/answer';
import type { ElicitationBody } from '../elicitation/elicitation';
import { EntryList } from './entries';
import type { Role, SignInChanged } from './event';
import type { Failure } from './failure';
import type { MessageQueue } from '../queue/queuedMessage';
import type { FirstPrompt } from '../reduce/firstPrompt';
import type { TerminalSize } from './terminalSize';
import type { ReviewState } from '../fileChanges/pendingChanges';
import type { TurnChanges, WrittenFile } from '../fileChanges/turnFiles';

interface EntryBase {
  /** Unique in the session and stable: kind and domain id, made by {@link entryIdOf}. */
  readonly entryId: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface MessageEntry extends EntryBase {
  readonly kind: 'message';
  readonly role: Role;
  readonly messageId: string;
  /** Adjacent text chunks are one text block. */
  readonly content: readonly ContentBlock[];
  /** ms since the epoch of the newest piece; with `at` it gives a thought's duration */
  readonly updatedAt: number;
}

export interface ToolCallEntry extends EntryBase {
  readonly kind: 'tool_call';
  readonly toolCallId: string;
  readonly title?: string;
  readonly name?: string;
  /** read, edit, delete, move, search, execute, think, fetch, switch_mode, other, or a word we do not know */
  readonly toolKind: string;
  /** pending, in_progress, completed, failed, cancelled, background (open when its turn ended), unfinished (open when its turn failed or the agent was lost), or a word we do not know */
  readonly status: string;
  readonly content: readonly ToolContent[];
  readonly locations: readonly Location[];
  /** `Bulk` in the view when large. */
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** Permission requests about it, by `permissionId`, oldest first: they are shown on its card. */
  readonly requests?: readonly string[];
  readonly updatedAt: number;
  /** ms between `at` and `updatedAt` in which it could not go on because the user was asked. */
  readonly waited?: number;
}

export interface PermissionEntry extends EntryBase {
  readonly kind: 'permission';
  readonly permissionId: string;
  readonly title: string;
  readonly description?: string;
  /** The name of the sub-session that asks. */
  readonly askedBy?: string;
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** Its tool call was known when it was asked: that one's `requests` name it. */
  readonly onToolCall?: true;
  /** Absent while it waits for an answer. */
  readonly outcome?: { readonly type: 'selected' | 'cancelled' | 'withdrawn' | 'lost'; readonly optionId?: string; readonly at: number };
}

export interface ElicitationEntry extends EntryBase {
  readonly kind: 'elicitation';
  readonly requestKey: string;
  readonly message: string;
  readonly body: ElicitationBody;
  readonly toolCallId?: string;
  /** The name of the sub-session that asks. */
  readonly askedBy?: string;
  /** Absent while it waits for an answer. */
  readonly outcome?: { readonly type: ElicitationOutcome; readonly at: number; readonly content?: ElicitationContent };
  /** The agent has said that the web page's business is done. */
  readonly completed?: boolean;
}

/** What a turn has used, as far as the agent told it. */
export interface TurnUse {
  /** tokens in the context when it was told last */
  readonly context?: number;
  /** What the session's cost has grown by. */
  readonly cost?: Usage['cost'];
  readonly tokens?: TurnUsage;
}

/** The end of a turn, when there is something to say about it: every turn gets one. */
export interface TurnEntry extends EntryBase {
  readonly kind: 'turn';
  readonly turnId: string;
  readonly stopReason: string;
  readonly startedAt: number;
  /** ms between `startedAt` and `at` in which the user was asked. */
  readonly waited?: number;
  /** The agent ended the turn, and gave the user nothing: no text, no tool call, no question. */
  readonly unanswered?: true;
  /** The plans of the turn, as they were told last. */
  readonly plans?: Plans;
  readonly failure?: Failure;
  readonly use?: TurnUse;
  readonly changes?: TurnChanges;
  /** What was written for the agent in it, until {@link changes} say what came of it. */
  readonly written?: readonly WrittenFile[];
}

export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice';
  readonly noticeId: string;
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
  readonly failure?: Failure;
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

/** An entry whose body is not here: only a view holds these. */
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
  | UnknownEntry;
export type EntryKind = Entry['kind'];
export type Slot = Entry | AbsentEntry;

/** How much of a terminal's newest output the state keeps, in UTF-16 units; older text is counted in `dropped`. */
export const TERMINAL_TAIL = 128 * 1024;

/** By `planId`. */
export type Plans = Readonly<Record<string, PlanBody>>;

export interface TerminalState {
  readonly terminalId: string;
  readonly ours: boolean;
  readonly command?: string;
  readonly cwd?: string;
  /** What the agent set in its environment. */
  readonly environment?: readonly EnvironmentVariable[];
  /** Absolute path of the file that runs, where the command alone does not say which one it is. */
  readonly program?: string;
  readonly shell?: boolean;
  readonly pipe?: boolean;
  /** Absent: `TERMINAL_SIZE`. */
  readonly size?: TerminalSize;
  /** The newest output, escape sequences included. */
  readonly output: string;
  /** How much output before `output` is no longer here. */
  readonly dropped: number;
  /** True while the command waits for input. False once it has ended, too. */
  readonly waiting?: boolean;
  readonly exitStatus?: ExitStatus;
  readonly released?: boolean;
  /** Only in a view: `output` is not here, and has to be asked for. */
  readonly absent?: boolean;
}

/** starting, ready (takes prompts), failed (start), disconnected (was ready), ended (by the user). */
export type SessionStatus = 'starting' | 'ready' | 'failed' | 'disconnected' | 'ended';

export type Entries = EntryList<Slot>;

export interface SessionState extends ReviewState {
  readonly status: SessionStatus;
  /** Why it failed or was disconnected. */
  readonly failure?: Failure;
  /** The agent's name in settings. */
  readonly agentName: string;
  readonly agent?: AgentInfo;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly start?: { readonly command: string; readonly line?: string; readonly updates?: number; readonly at: number };
  readonly sessionId?: string;
  /** The session was requested by its id: the agent may store messages of it that it did not send. */
  readonly isFromAgent?: true;
  readonly protocolVersion?: number;
  readonly promptCapabilities: PromptCapabilities;
  readonly authMethods: readonly AuthMethod[];
  readonly offers: SessionOffers;
  /** Absent until a sign-in was asked for or made. */
  readonly signIn?: { readonly status: SignInChanged['status']; readonly methodId?: string; readonly failure?: Failure };
  /** As the user has named it: comes before the agent's title. */
  readonly name?: string;
  /** Absent until the user has pinned or archived it. */
  readonly marks?: { readonly pinned: boolean; readonly archived: boolean };
  /** As the agent gave it. */
  readonly title?: string;
  readonly updatedAt?: string;
  /** What the session is called while the agent gives no title. */
  readonly firstPrompt?: FirstPrompt;
  readonly entries: Entries;
  /** The running turn. */
  readonly turn?: {
    readonly turnId: string;
    readonly startedAt: number;
    readonly cancelling: boolean;
    /** The agent has not ended after Stop: restarting it is offered. */
    readonly isUnresponsive?: true;
    /** ms in which the user was asked, up to {@link SessionState.waitingSince}. */
    readonly waited?: number;
    /** Plans from before it that no turn has taken along. */
    readonly earlierPlans?: Plans;
    readonly use?: TurnUse;
    /** The agent has given the user something in it (`reduce/answers.ts`). */
    readonly answered?: true;
    /** Nothing was said before it. */
    readonly isFirst?: true;
    /** The files that were written for the agent, each once. */
    readonly written?: readonly WrittenFile[];
  };
  /** The agent's work between turns; absent while it rests or a turn runs. */
  readonly work?: {
    readonly workId: string;
    readonly startedAt: number;
    /** The number of entries before it: text that continues a message among them is a message of its own. */
    readonly from: number;
    /** Late updates of a stopped turn: text that continues a message of that turn stays in it. */
    readonly isLate?: true;
    /** The user has pressed Stop. */
    readonly cancelling?: true;
    /** The agent has not ended after Stop: restarting it is offered. */
    readonly isUnresponsive?: true;
  };
  /** ms since the epoch: the last end of work between turns that is news: the user did not stop it or the turn that it belongs to. */
  readonly workEndedAt?: number;
  /** Messages that wait for the agent, in the order in which they are sent. */
  readonly queue: MessageQueue;
  /** Tool calls that have no final status, oldest first; not those that a turn left in the background. */
  readonly openToolCalls: readonly string[];
  /** Tool calls that Stop has cancelled, the newest ones: they never run again. */
  readonly stoppedToolCalls: readonly string[];
  /** Permission requests that wait for an answer, oldest first. */
  readonly pendingPermissions: readonly string[];
  /** Elicitations that wait for an answer, oldest first, by `requestKey`. */
  readonly pendingElicitations: readonly string[];
  /** ms since the epoch: while questions wait, up to when their time is counted (`reduce/waiting.ts`). */
  readonly waitingSince?: number;
  readonly terminals: Readonly<Record<string, TerminalState>>;
  /** Of the running turn; with its end they are the turn's own. */
  readonly plans: Plans;
  readonly config: readonly ConfigOption[];
  /** The values that the agent has not confirmed. Absent: none. `overdue`: the user decides whether messages go without them. */
  readonly pendingConfig?: {
    readonly options: readonly { readonly configId: string; readonly value: string | boolean }[];
    readonly overdue: boolean;
  };
  readonly commands: readonly AvailableCommand[];
  readonly usage?: Usage;
  /** As it was reported last. */
  readonly turnUsage?: TurnUsage;
}

export const EMPTY_STATE: SessionState = {
  status: 'starting',
  agentName: '',
  cwd: '',
  additionalDirectories: [],
  promptCapabilities: { image: false, audio: false, embeddedContext: false },
  authMethods: [],
  offers: NO_OFFERS,
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

/** Every key, optional ones too: a field that is added to the state and forgotten in {@link withEntries} does not compile. */
type Complete<T> = { [K in keyof Required<T>]: T[K] };

/**
 * `{...state, entries}`, written out. Most events of a stream change nothing but the entries, and a literal is several times faster than a
 * spread of this many fields (benchmark `wire`).
 */
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
    offers: state.offers,
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
    queue: state.queue,
    changeReport: state.changeReport,
    pendingChanges: state.pendingChanges,
    openToolCalls: state.openToolCalls,
    stoppedToolCalls: state.stoppedToolCalls,
    pendingPermissions: state.pendingPermissions,
    pendingElicitations: state.pendingElicitations,
    waitingSince: state.waitingSince,
    terminals: state.terminals,
    plans: state.plans,
    config: state.config,
    pendingConfig: state.pendingConfig,
    commands: state.commands,
    usage: state.usage,
    turnUsage: state.turnUsage,
  };
  return next;
}

/** The conversation up to, but not with, this entry; undefined when it is not there. */
export function conversationBefore(state: SessionState, entryId: string): SessionState | undefined {
  const index = state.entries.indexOf(entryId);
  return index < 0 ? undefined : withEntries(state, EntryList.of(state.entries.slice(0, index)));
}

/** The id of the entry that a domain id lives in. Messages of different roles may share a messageId (seen), so the role is part of it. */
export const entryIdOf = {
  message: (role: Role, messageId: string): string => `${role}:${messageId}`,
  toolCall: (toolCallId: string): string => `tool_call:${toolCallId}`,
  permission: (permissionId: string): string => `permission:${permissionId}`,
  elicitation: (requestKey: string): string => `elicitation:${requestKey}`,
  turn: (turnId: string): string => `turn:${turnId}`,
  notice: (noticeId: string): string => `notice:${noticeId}`,
  compaction: (compactionId: string): string => `compaction:${compactionId}`,
  unknown: (unknownId: string): string => `unknown:${unknownId}`,
} as const;

const FINAL = new Set(['completed', 'failed', 'cancelled']);

/** True when a tool call's status will not change by itself; an unknown status counts as still in progress (v2). */
export function isFinalStatus(status: string): boolean {
  return FINAL.has(status);
}

export function isAbsent(slot: Slot): slot is AbsentEntry {
  return 'absent' in slot;
}
