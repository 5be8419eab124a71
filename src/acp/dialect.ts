/**
 * What a live connection may ask of an agent, and what the agent may ask of us, in the model's terms: the session speaks no wire format, so a
 * second protocol version is a second implementation of these two interfaces. A method the agent did not advertise is absent.
 */
import type {
  AgentInfo,
  AuthMethod,
  ContentBlock,
  ExitStatus,
  PermissionOption,
  PermissionSubject,
  PromptCapabilities,
  SessionOffers,
} from '../core/model/content';
import type { ElicitationContent } from '../core/elicitation/answer';
import type { ElicitationBody } from '../core/elicitation/elicitation';
import type { UnstampedEvent, ToolCallPatch } from '../core/model/event';
import type { SteerOutcome } from '../core/queue/steering';
import type { SessionSetup } from '../core/model/sessionSetup';
import type { Settled } from './jsonrpc/rpc';

/** A permission request as the user is asked it. */
export interface PermissionParams {
  /** Empty when the agent gave none: then the tool call's own title speaks. */
  readonly title: string;
  readonly description?: string;
  /** The name of the sub-session that asks. */
  readonly askedBy?: string;
  /** At least one. */
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** What the request said of its tool call; for the session to create it when no update announced it. */
  readonly toolCall?: { readonly toolCallId: string; readonly patch: ToolCallPatch };
  /** The request's `_meta`, and what it said beyond the above: for the journal. */
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What an agent asks the user for (RFD "Elicitation"). */
export interface ElicitationParams {
  readonly message: string;
  readonly body: ElicitationBody;
  readonly toolCallId?: string;
  /** The name of the sub-session that asks. */
  readonly askedBy?: string;
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Whom an elicitation concerns: a session, or whoever waits for one of our own requests (a sign-in, a session that is being opened). */
export type ElicitationScope = { readonly sessionId: string } | { readonly requestId: number };

/** A session, and the sub-session of it that a message names. */
export interface SessionTarget {
  readonly sessionId: string;
  readonly child?: string;
}

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: ElicitationContent }
  | { readonly action: 'decline' | 'cancel' };

export interface TerminalCommand {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly cwd?: string;
  /** bytes */
  readonly outputByteLimit?: number;
}

/**
 * What an agent may do to us; the session implements it. Called synchronously in wire order; answers may come later. A thrown or rejected
 * `Fault` becomes the error response with its code and message. `signal` aborts when the agent takes the request back or the connection ends.
 */
export interface Client {
  /**
   * The session that a message belongs to. `named` is the id in it, '' when there is none. Undefined: not known, so the message is handled by the id
   * that it has.
   */
  resolveSession?(named: string, method: string, meta: unknown): SessionTarget | undefined;
  /** At least one event. The session may be one that nobody knows yet: updates can come before the answer that names it. */
  onUpdate(sessionId: string, events: readonly UnstampedEvent[]): void;
  /** A notification that nobody knows, or a `session/update` without a session. */
  onUnknown(method: string, params: unknown, sessionId?: string): void;
  requestPermission(
    sessionId: string,
    request: PermissionParams,
    signal: AbortSignal,
  ): Promise<{ readonly optionId: string } | 'cancelled'>;
  elicit(scope: ElicitationScope, request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** A web page's business is done; unknown and finished ids are nobody's concern. */
  onElicitationComplete(elicitationId: string): void;
  /** `line` is 1-based. */
  readTextFile(
    sessionId: string,
    request: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  writeTextFile(sessionId: string, request: { readonly path: string; readonly content: string }, signal: AbortSignal): Promise<void>;
  /** Answers the new terminal's id. */
  createTerminal(sessionId: string, request: TerminalCommand, signal: AbortSignal): Promise<string>;
  terminalOutput(
    sessionId: string,
    terminalId: string,
  ): Promise<{ readonly output: string; readonly truncated: boolean; readonly exitStatus?: ExitStatus }>;
  waitForTerminalExit(sessionId: string, terminalId: string, signal: AbortSignal): Promise<ExitStatus>;
  killTerminal(sessionId: string, terminalId: string): Promise<void>;
  releaseTerminal(sessionId: string, terminalId: string): Promise<void>;
}

/** A request of ours that runs. */
export interface Ongoing {
  /** Its JSON-RPC id: an elicitation may name it. */
  readonly requestId: number;
  /** Asks the agent to give up; the answer still comes. */
  cancel(): void;
}

/** A session that the agent keeps (protocol page "Session List"). */
export interface ListedSession {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly title?: string;
  /** ISO 8601 */
  readonly updatedAt?: string;
  readonly additionalDirectories?: readonly string[];
}

export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** Opaque; absent at the end. */
  readonly nextCursor?: string;
}

export interface NewSession {
  readonly sessionId: string;
  /** Config options, modes and whatever else the answer said. */
  readonly events: readonly UnstampedEvent[];
}

export interface TurnResult {
  /** end_turn, max_tokens, max_turn_requests, refusal, cancelled or a word we do not know; `unknown` when the agent gave none. */
  readonly stopReason: string;
  readonly events: readonly UnstampedEvent[];
}

export interface Dialect {
  readonly protocolVersion: number;
  readonly agent?: AgentInfo;
  readonly promptCapabilities: PromptCapabilities;
  readonly authMethods: readonly AuthMethod[];
  readonly offers: SessionOffers;
  /** What it said of itself beyond that: for the journal. */
  readonly initializeExtras?: { readonly meta?: unknown; readonly extra?: Readonly<Record<string, unknown>> };
  /** Not for methods of type `terminal`. May take as long as a person takes. */
  authenticate(methodId: string, settled: Settled<void>): Ongoing;
  newSession(setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  /** The agent tells the whole conversation again, as updates, before it answers. */
  loadSession?(sessionId: string, setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  /** Goes on without telling the conversation again. */
  resumeSession?(sessionId: string, setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  listSessions?(query: { readonly cwd?: string; readonly cursor?: string }, settled: Settled<SessionPage>): Ongoing;
  /** A session that the agent does not know counts as deleted. */
  deleteSession?(sessionId: string, settled: Settled<void>): Ongoing;
  closeSession?(sessionId: string, settled: Settled<void>): Ongoing;
  /** A new session that knows what was said in this one (RFD "Session Fork", unstable). */
  forkSession?(sessionId: string, setup: SessionSetup, settled: Settled<NewSession>): Ongoing;
  /** The answer is the title as the agent keeps it (`session/set_title`, unstable). */
  setTitle?(sessionId: string, title: string, settled: Settled<string>): Ongoing;
  logout?(settled: Settled<void>): Ongoing;
  /** Never times out. */
  prompt(sessionId: string, content: readonly ContentBlock[], settled: Settled<TurnResult>): Ongoing;
  /** Puts a message into the running turn; where none runs the agent is asked to leave it to us. */
  steer?(sessionId: string, content: readonly ContentBlock[], settled: Settled<SteerOutcome>): Ongoing;
  /** Asks the agent to stop the turn; the prompt's own answer says when it did. */
  cancel(sessionId: string): void;
  /** The events are the options as they are afterwards. `MODE_CONFIG_ID` sets the mode. */
  setConfig(sessionId: string, configId: string, value: string | boolean, settled: Settled<readonly UnstampedEvent[]>): void;
}
