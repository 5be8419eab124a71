/**
 * The requests to an agent, and the agent's requests to the client, in the model's terms. The session knows no wire format, so a second protocol
 * version is a second implementation of these two interfaces. A method that the agent does not advertise is absent.
 */
import type { SignInSecret } from '../core/account/signInSecret';
import type {
  AgentInfo,
  AuthMethod,
  ConfigOption,
  ContentBlock,
  ExitStatus,
  PermissionOption,
  PermissionSubject,
  PromptCapabilities,
  SessionCapabilities,
} from '../core/model/content';
import type { AgentAccount } from '../core/account/account';
import type { ElicitationContent } from '../core/elicitation/answer';
import type { ElicitationBody } from '../core/elicitation/elicitation';
import type { McpCapabilities } from '../core/mcp/mcpServer';
import type { EventInput, Role, ToolCallPatch } from '../core/model/event';
import type { Failure } from '../core/model/failure';
import type { ModelProvider, ProviderChoice } from '../core/account/provider';
import type { SteerOutcome } from '../core/queue/steering';
import type { SessionSetup } from '../core/model/sessionSetup';
import type { Settled } from './jsonrpc/rpc';

/** A permission request with the fields that the user sees. */
export interface PermissionParams {
  /** Empty when the agent sent none; the tool call's own title is then shown. */
  readonly title: string;
  readonly description?: string;
  /** The name of the subagent that sent the request, and its session. */
  readonly askedBy?: string;
  readonly subagentId?: string;
  /** At least one. */
  readonly options: readonly PermissionOption[];
  /** The agent recommends to refuse. */
  readonly defaultToNo?: boolean;
  readonly subject: PermissionSubject;
  /** The request's data about its tool call. The session creates the call from it when no update announced it. */
  readonly toolCall?: { readonly toolCallId: string; readonly patch: ToolCallPatch };
  /** The request's `_meta` and unknown fields, for the journal. */
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** An agent's request for input from the user (RFD "Elicitation"). */
export interface ElicitationParams {
  readonly message: string;
  readonly body: ElicitationBody;
  readonly toolCallId?: string;
  /** The name of the subagent that sent the request, and its session. */
  readonly askedBy?: string;
  readonly subagentId?: string;
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The scope of an elicitation: a session, or one of our own pending requests (a sign-in, a session that is being opened). */
export type ElicitationScope = { readonly sessionId: string } | { readonly requestId: number };

/** A session, and its subagent that a message names. */
export interface SessionTarget {
  readonly sessionId: string;
  readonly child?: string;
}

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: ElicitationContent }
  | { readonly action: 'decline' | 'cancel' };

/** A file that the agent wants to write. */
export interface TextToWrite {
  readonly path: string;
  readonly content: string;
  /** The subagent that asks; absent for the agent itself. */
  readonly subagentId?: string;
}

export interface TerminalCommand {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly cwd?: string;
  /** bytes */
  readonly outputByteLimit?: number;
  /** The subagent that sent the request. */
  readonly subagentId?: string;
}

/**
 * The agent's requests and notifications, implemented by the session. Methods are called synchronously in wire order; answers may come later. A
 * thrown or rejected `Fault` becomes the error response with its code and message. `signal` aborts when the agent cancels the request or the
 * connection ends.
 */
export interface Client {
  /**
   * Returns the session that a message belongs to. `named` is the id in the message, '' when there is none. When it returns undefined, the message is
   * handled by its own id.
   */
  resolveSession?(named: string, method: string, meta: unknown): SessionTarget | undefined;
  /** Registers a subagent's session. False when `child` cannot be a subagent of `parent`: the announcement is refused. */
  registerSubagent?(parent: string, child: string): boolean;
  /** Has at least one event. The session may be unknown, because updates can arrive before the answer that contains its id. */
  onUpdate(sessionId: string, events: readonly EventInput[]): void;
  /** The agent has begun a turn of its own, without a prompt. Version 1 has no such turns, but our sharing reports them. */
  onTurnStarted(sessionId: string): void;
  /** The agent has ended the running turn. Called after the turn's updates; the prompt of the turn may be settled before or after it. */
  onTurnEnded(sessionId: string, end: TurnEnd): void;
  /** The agent reports the account that it uses. */
  onAccount?(account: AgentAccount): void;
  /** An unknown notification, or a `session/update` without a session. */
  onUnknown(method: string, params: unknown, sessionId?: string): void;
  /** True for a terminal of the client. Absent: those of the answers to the agent. */
  runsTerminal?(terminalId: string): boolean;
  requestPermission(
    sessionId: string,
    request: PermissionParams,
    signal: AbortSignal,
  ): Promise<{ readonly optionId: string } | 'cancelled'>;
  elicit(scope: ElicitationScope, request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** The user has finished an elicitation's web page. Unknown and finished ids are ignored. */
  onElicitationComplete(elicitationId: string): void;
  /** `line` is 1-based. */
  readTextFile(
    sessionId: string,
    request: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  writeTextFile(sessionId: string, request: TextToWrite, signal: AbortSignal): Promise<void>;
  /** Returns the new terminal's id. */
  createTerminal(sessionId: string, request: TerminalCommand, signal: AbortSignal): Promise<string>;
  terminalOutput(
    sessionId: string,
    terminalId: string,
  ): Promise<{ readonly output: string; readonly truncated: boolean; readonly exitStatus?: ExitStatus }>;
  waitForTerminalExit(sessionId: string, terminalId: string, signal: AbortSignal): Promise<ExitStatus>;
  killTerminal(sessionId: string, terminalId: string): Promise<void>;
  releaseTerminal(sessionId: string, terminalId: string): Promise<void>;
}

/** A pending request to the agent. */
export interface Ongoing {
  /** The request's JSON-RPC id, which an elicitation may name. */
  readonly requestId: number;
  /** Asks the agent to stop; the answer still arrives. */
  cancel(): void;
}

/** A session that the agent has stored (protocol page "Session List"). */
export interface ListedSession {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly title?: string;
  /** ISO 8601 */
  readonly updatedAt?: string;
  readonly additionalDirectories?: readonly string[];
}

export interface SessionListPage {
  readonly sessions: readonly ListedSession[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** The status of a session at its agent, which may serve other clients. */
export interface RemoteStatus {
  /** True when the agent has the session in memory. */
  readonly isOpen: boolean;
  /** The state of its turn, as far as the agent says: running, requires_action, idle or an unknown word. */
  readonly work?: string;
}

export interface NewSession {
  readonly sessionId: string;
  /** Config options, modes and other data of the answer. */
  readonly events: readonly EventInput[];
}

/** The facts of a conversation on which the meaning of the agent's next messages depends. */
export interface AdoptedConversation {
  /** The agent's message at its end, which a text without an id continues. */
  readonly message?: { readonly role: Role; readonly messageId: string };
  readonly config: readonly ConfigOption[];
  /** The ids of the tool calls of each turn, the oldest first. */
  readonly toolCalls: readonly (readonly string[])[];
}

/** The agent's report that a turn is over. */
export interface TurnEnd {
  /** end_turn, max_tokens, max_turn_requests, refusal, cancelled, error or an unknown word; `unknown` when the agent sent none. */
  readonly stopReason: string;
  /** The reason why a turn failed whose prompt was taken. */
  readonly failure?: Failure;
  /** Other data of the report, such as the tokens that the turn used. */
  readonly events: readonly EventInput[];
}

export interface Dialect {
  readonly protocolVersion: number;
  readonly agent?: AgentInfo;
  readonly promptCapabilities: PromptCapabilities;
  readonly authMethods: readonly AuthMethod[];
  readonly sessionCapabilities: SessionCapabilities;
  readonly mcpCapabilities: McpCapabilities;
  /** Other data of the agent's answer to `initialize`, for the journal. */
  readonly initializeExtras?: { readonly meta?: unknown; readonly extra?: Readonly<Record<string, unknown>> };
  /** Not for methods of type `terminal`. May take as long as the user needs. @param secret of a method that asks for one */
  authenticate(methodId: string, settled: Settled<void>, secret?: SignInSecret): Ongoing;
  newSession(setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  /** Answers the options of a session that does not exist yet, as events (`session/options`, unstable). */
  sessionOptions?(setup: SessionSetup, settled: Settled<readonly EventInput[]>): Ongoing;
  /** The agent replays the whole conversation as updates before it answers. */
  loadSession?(sessionId: string, setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  /** Continues the session without a replay of the conversation. */
  resumeSession?(sessionId: string, setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  listSessions?(query: { readonly cwd?: string; readonly cursor?: string }, settled: Settled<SessionListPage>): Ongoing;
  /** Answers whether the agent has the session in memory (`session/status`, unstable). Does not change the session. */
  sessionStatus?(sessionId: string, settled: Settled<RemoteStatus>): Ongoing;
  /** Makes the agent forget everything after this message, which the agent has sent (RFD "Session Rewind"). */
  rewindSession?(sessionId: string, messageId: string, settled: Settled<void>): Ongoing;
  /** A session that the agent does not know counts as deleted. */
  deleteSession?(sessionId: string, settled: Settled<void>): Ongoing;
  /** Hides the session from the agent's list, or shows it again (`session/archive`, unstable). An active session is closed by it. */
  archiveSession?(sessionId: string, isArchived: boolean, settled: Settled<void>): Ongoing;
  closeSession?(sessionId: string, settled: Settled<void>): Ongoing;
  /**
   * Creates a new session with this session's conversation (RFD "Session Fork", unstable).
   * @param after the agent's message with which the conversation ends there, for agents with the capability `forkAt`
   */
  forkSession?(sessionId: string, setup: SessionSetup, settled: Settled<NewSession>, after?: string): Ongoing;
  /** Answers the title that the agent has stored (`session/set_title`, unstable). */
  setTitle?(sessionId: string, title: string, settled: Settled<string>): Ongoing;
  /** The endpoints from which the agent gets its models (RFD "Configurable LLM Providers", unstable). */
  listProviders?(settled: Settled<readonly ModelProvider[]>): Ongoing;
  setProvider?(choice: ProviderChoice, settled: Settled<void>): Ongoing;
  logout?(settled: Settled<void>): Ongoing;
  /**
   * Settles when the agent has taken the prompt, or has refused it. Never times out. The end of the turn is a fact of its own, which
   * {@link Client.onTurnEnded} reports. In version 1 both come with the answer.
   *
   * @param messageId the conversation's id of the message. The agent may change its content.
   */
  prompt(sessionId: string, content: readonly ContentBlock[], settled: Settled<void>, messageId?: string): Ongoing;
  /** Continues a session whose messages another window has read so far. Absent where a session cannot be continued in its middle. */
  adoptSession?(sessionId: string, conversation: AdoptedConversation): void;
  /** Awaits the end of a turn whose prompt an earlier window has sent over the same connection to the agent. */
  adoptPrompt?(sessionId: string, requestId: number, settled: Settled<void>): Ongoing;
  /** Adds a message to the running turn. When no turn runs, the agent is asked not to take it. */
  steer?(sessionId: string, content: readonly ContentBlock[], settled: Settled<SteerOutcome>): Ongoing;
  /** Asks the agent to stop the turn, whose end is reported as usual, or the work of a subagent. */
  cancel(sessionId: string): void;
  /** Stops one tool call, which says that it can be stopped. Settles when the agent has accepted that; the call's end is an update. */
  cancelToolCall?(sessionId: string, toolCallId: string, settled: Settled<void>): void;
  /** Stops the command of one of the agent's own terminals, like {@link cancelToolCall}. */
  cancelTerminal?(sessionId: string, terminalId: string, settled: Settled<void>): void;
  /** Stops a background task. Answers false when the agent does not stop it. */
  stopTask?(sessionId: string, taskId: string, settled: Settled<boolean>): Ongoing;
  /** Answers the options after the change, as events. `MODE_CONFIG_ID` sets the mode. */
  setConfig(sessionId: string, configId: string, value: string | boolean, settled: Settled<readonly EventInput[]>): void;
}
