/**
 * One type per thing that can happen to a session, shaped after ACP v2. The host folds events as they happen, journals them, and sends the
 * same events to the view, which folds them again with the same reducer. Adding a kind: here, in `reduce.ts`, and a golden test.
 */
import type {
  AgentInfo,
  AuthMethod,
  AvailableCommand,
  ConfigOption,
  ContentBlock,
  ExitStatus,
  Location,
  PermissionOption,
  PermissionSubject,
  PlanBody,
  PromptCapabilities,
  SessionOffers,
  ToolContent,
  Usage,
} from './content';
import type { ElicitationBody, ElicitationContent, ElicitationOutcome } from '../elicitation/elicitation';
import type { EventBase } from './eventBase';
import type { Failure } from './failure';
import type { TerminalSize } from './terminalSize';
import type { TurnChanges } from '../fileChanges/turnFiles';
import type { FileWritten, TurnChangesCounted, TurnUsageReported } from '../fileChanges/turnEvent';

/** Who speaks. `thought` is the agent thinking aloud. */
export type Role = 'user' | 'agent' | 'thought';

/** May end the running turn. */
interface EndsTurn extends EventBase {
  /** What that turn did to files, in journals of version 0.1.0; an event of its own ever since ({@link TurnChangesCounted}). */
  readonly changes?: TurnChanges;
}

/** A session was asked for; nothing has answered yet. */
export interface SessionOpened extends EventBase {
  readonly type: 'session_opened';
  readonly agentName: string;
  /** Absolute. */
  readonly cwd: string;
  /** Further roots, absolute. */
  readonly additionalDirectories?: readonly string[];
  /** The agent's session that is asked for; absent for a new one, and where it is known already. */
  readonly sessionId?: string;
}

/** What runs while an agent starts, for a start that takes long. `line` is its last line on stderr. */
export interface StartProgress extends EventBase {
  readonly type: 'start_progress';
  /** The command line, without any environment value. */
  readonly command: string;
  readonly line?: string;
  /** How many updates it has told so far of an earlier conversation. */
  readonly updates?: number;
}

/** `initialize` was answered. */
export interface AgentInitialized extends EventBase {
  readonly type: 'agent_initialized';
  readonly protocolVersion: number;
  readonly agent?: AgentInfo;
  readonly promptCapabilities: PromptCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** Absent in journals of before it was known. */
  readonly offers?: SessionOffers;
}

/**
 * Where signing in at the agent stands (protocol page "Authentication"). required: a request failed for want of it and waits; running: `methodId`
 * is under way; failed: it did not work, `failure` says why; signed_in, signed_out: it worked; dismissed: the user does not want to.
 */
export interface SignInChanged extends EventBase {
  readonly type: 'sign_in';
  readonly status: 'required' | 'running' | 'failed' | 'signed_in' | 'signed_out' | 'dismissed';
  readonly methodId?: string;
  readonly failure?: Failure;
}

/** `session/new` (or load, resume) was answered: the session takes prompts. */
export interface SessionReady extends EventBase {
  readonly type: 'session_ready';
  readonly sessionId: string;
}

/** The start failed; nothing runs. */
export interface SessionFailed extends EndsTurn {
  readonly type: 'session_failed';
  readonly failure: Failure;
}

/** The connection is gone: the agent died, or the window did (a journal read back). Ends the turn. */
export interface Disconnected extends EndsTurn {
  readonly type: 'disconnected';
  readonly failure: Failure;
}

/** The user ended the session. */
export interface SessionEnded extends EndsTurn {
  readonly type: 'session_ended';
}

export interface SessionInfo extends EventBase {
  readonly type: 'session_info';
  /** Omitted keeps, null clears. */
  readonly title?: string | null;
  /** ISO 8601; omitted keeps, null clears. */
  readonly updatedAt?: string | null;
}

export interface TurnStarted extends EventBase {
  readonly type: 'turn_started';
  readonly turnId: string;
}

/** The user pressed Stop; open tool calls count as cancelled from here. */
export interface TurnCancelling extends EventBase {
  readonly type: 'turn_cancelling';
}

/** v1: the reply to `session/prompt`; v2: `state_update` idle. */
export interface TurnEnded extends EndsTurn {
  readonly type: 'turn_ended';
  readonly turnId: string;
  /** end_turn, max_tokens, max_turn_requests, refusal, cancelled, a word we do not know, or `error` with `failure`. */
  readonly stopReason: string;
  readonly failure?: Failure;
}

/** Upsert of a whole message: omitted content keeps, null or [] clears, an array replaces all of it. */
export interface MessageSet extends EventBase {
  readonly type: 'message';
  readonly role: Role;
  readonly messageId: string;
  readonly content?: readonly ContentBlock[] | null;
}

/** One block at the end of a message, which it creates when unseen. */
export interface MessageChunk extends EventBase {
  readonly type: 'message_chunk';
  readonly role: Role;
  readonly messageId: string;
  readonly content: ContentBlock;
}

/** The fields of a tool call that an update can change: omitted keeps, null clears, a value replaces (arrays whole). */
export interface ToolCallPatch {
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: string | null;
  readonly status?: string | null;
  readonly content?: readonly ToolContent[] | null;
  readonly locations?: readonly Location[] | null;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

/** Creates the tool call when its id is unseen; v1's `tool_call` and `tool_call_update` both become this. */
export interface ToolCallUpdate extends EventBase {
  readonly type: 'tool_call_update';
  readonly toolCallId: string;
  readonly patch: ToolCallPatch;
}

export interface ToolCallContentChunk extends EventBase {
  readonly type: 'tool_call_content_chunk';
  readonly toolCallId: string;
  readonly content: ToolContent;
}

/** Upsert of a terminal, ours (v1 `terminal/*`) or the agent's own. `output` replaces everything shown so far. */
export interface TerminalUpdate extends EventBase {
  readonly type: 'terminal_update';
  readonly terminalId: string;
  /** True when our own process runs it, so that Stop can be offered. */
  readonly ours?: boolean;
  /** What runs, for people: the argv joined, or the shell line. */
  readonly command?: string;
  readonly cwd?: string;
  /** True when the string runs as a line of the user's shell. */
  readonly shell?: boolean;
  /** True when no pty could be had and a pipe is used. */
  readonly pipe?: boolean;
  /** Not told while it is `TERMINAL_SIZE`. */
  readonly size?: TerminalSize;
  readonly output?: string;
  readonly exitStatus?: ExitStatus;
  /** The agent let go of it; its output stays readable here. */
  readonly released?: boolean;
}

/** More output, decoded, escape sequences included. `skipped` bytes before it were not sent to the card (a bound, never silent). */
export interface TerminalOutput extends EventBase {
  readonly type: 'terminal_output';
  readonly terminalId: string;
  readonly text: string;
  readonly skipped?: number;
}

export interface PlanUpdate extends EventBase {
  readonly type: 'plan_update';
  readonly planId: string;
  readonly plan: PlanBody;
}

export interface PlanRemoved extends EventBase {
  readonly type: 'plan_removed';
  readonly planId: string;
}

export interface PermissionRequested extends EventBase {
  readonly type: 'permission_requested';
  /** Minted by us: unique in this session. */
  readonly permissionId: string;
  readonly title: string;
  readonly description?: string;
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
}

export interface PermissionResolved extends EventBase {
  readonly type: 'permission_resolved';
  readonly permissionId: string;
  /** selected: the user chose; cancelled: the turn was stopped; withdrawn: the agent took it back; lost: the connection or the window went. */
  readonly outcome: 'selected' | 'cancelled' | 'withdrawn' | 'lost';
  readonly optionId?: string;
}

/** The agent asks for more than a yes or no (RFD "Elicitation"). */
export interface ElicitationRequested extends EventBase {
  readonly type: 'elicitation_requested';
  /** Minted by us: unique in this session. The agent's own id of a web page is in `body`. */
  readonly requestKey: string;
  readonly message: string;
  readonly body: ElicitationBody;
  readonly toolCallId?: string;
}

export interface ElicitationResolved extends EventBase {
  readonly type: 'elicitation_resolved';
  readonly requestKey: string;
  readonly outcome: ElicitationOutcome;
  /** A form's values, when accepted. */
  readonly content?: ElicitationContent;
}

/** The agent says that what the user did on the web page is done. */
export interface ElicitationCompleted extends EventBase {
  readonly type: 'elicitation_completed';
  readonly requestKey: string;
}

/** Always the complete list: replaces the one before. */
export interface ConfigOptionsSet extends EventBase {
  readonly type: 'config_options';
  readonly options: readonly ConfigOption[];
}

/** One option's value, when only that is known (`current_mode_update`, the answer to `session/set_mode`). */
export interface ConfigValueSet extends EventBase {
  readonly type: 'config_value';
  readonly configId: string;
  readonly value: string | boolean;
}

export interface CommandsSet extends EventBase {
  readonly type: 'available_commands';
  readonly commands: readonly AvailableCommand[];
}

export interface UsageSet extends EventBase {
  readonly type: 'usage';
  readonly usage: Usage;
}

export interface NoticeShown extends EventBase {
  readonly type: 'notice';
  readonly noticeId: string;
  /** info, warning, error, or a word we do not know */
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
  /** Ours rather than the agent's: the words are made by the view. */
  readonly failure?: Failure;
}

export interface CompactionUpdate extends EventBase {
  readonly type: 'compaction_update';
  readonly compactionId: string;
  readonly status?: string;
  /** Omitted keeps, null or [] clears, a value replaces. */
  readonly summary?: readonly ContentBlock[] | null;
  readonly error?: string | null;
}

export interface CompactionChunk extends EventBase {
  readonly type: 'compaction_chunk';
  readonly compactionId: string;
  readonly content: ContentBlock;
}

/** Something the agent said that no kind above fits. Kept, journaled and shown. */
export interface UnknownUpdate extends EventBase {
  readonly type: 'unknown';
  readonly unknownId: string;
  /** What the agent called it, e.g. the `sessionUpdate` or the method's name. */
  readonly label: string;
  readonly raw: unknown;
}

export type SessionEvent =
  | SessionOpened
  | StartProgress
  | AgentInitialized
  | SignInChanged
  | SessionReady
  | SessionFailed
  | Disconnected
  | SessionEnded
  | SessionInfo
  | TurnStarted
  | TurnCancelling
  | TurnEnded
  | FileWritten
  | TurnChangesCounted
  | TurnUsageReported
  | MessageSet
  | MessageChunk
  | ToolCallUpdate
  | ToolCallContentChunk
  | TerminalUpdate
  | TerminalOutput
  | PlanUpdate
  | PlanRemoved
  | PermissionRequested
  | PermissionResolved
  | ElicitationRequested
  | ElicitationResolved
  | ElicitationCompleted
  | ConfigOptionsSet
  | ConfigValueSet
  | CommandsSet
  | UsageSet
  | NoticeShown
  | CompactionUpdate
  | CompactionChunk
  | UnknownUpdate;

/** An event before the session stamps its time. */
export type Unstamped<E> = E extends { readonly at: number } ? Omit<E, 'at'> : never;

/** What rooms and the dialect hand to the session: everything but the time. */
export type SessionHappening = Unstamped<SessionEvent>;
