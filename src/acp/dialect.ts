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
} from '../core/content';
import type { SessionHappening, ToolCallPatch } from '../core/event';
import type { Roots } from '../core/ports';
import type { Settled } from './rpc';

/** A permission request as the user is asked it. */
export interface PermissionAsk {
  /** Empty when the agent gave none: then the tool call's own title speaks. */
  readonly title: string;
  readonly description?: string;
  /** At least one. */
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** What the request said of its tool call; for the session to create it when no update announced it. */
  readonly toolCall?: { readonly toolCallId: string; readonly patch: ToolCallPatch };
  /** The request's `_meta`, and what it said beyond the above: for the journal. */
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

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
  /** At least one happening. The session may be one that nobody knows yet: updates can come before the answer that names it. */
  onUpdate(sessionId: string, happenings: readonly SessionHappening[]): void;
  /** A notification that nobody knows, or a `session/update` without a session. */
  onUnknown(method: string, params: unknown, sessionId?: string): void;
  requestPermission(sessionId: string, request: PermissionAsk, signal: AbortSignal): Promise<{ readonly optionId: string } | 'cancelled'>;
  /** `line` is 1-based. */
  readTextFile(
    sessionId: string,
    request: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  writeTextFile(sessionId: string, request: { readonly path: string; readonly content: string }, signal: AbortSignal): Promise<void>;
  /** Answers the new terminal's id. */
  createTerminal(sessionId: string, request: TerminalCommand): Promise<string>;
  terminalOutput(sessionId: string, terminalId: string): { readonly output: string; readonly truncated: boolean; readonly exitStatus?: ExitStatus };
  waitForTerminalExit(sessionId: string, terminalId: string, signal: AbortSignal): Promise<ExitStatus>;
  killTerminal(sessionId: string, terminalId: string): Promise<void>;
  releaseTerminal(sessionId: string, terminalId: string): Promise<void>;
}

export interface NewSession {
  readonly sessionId: string;
  /** Config options, modes and whatever else the answer said. */
  readonly happenings: readonly SessionHappening[];
}

export interface TurnResult {
  /** end_turn, max_tokens, max_turn_requests, refusal, cancelled or a word we do not know; `unknown` when the agent gave none. */
  readonly stopReason: string;
  readonly happenings: readonly SessionHappening[];
}

export interface Dialect {
  readonly protocolVersion: number;
  readonly agent?: AgentInfo;
  readonly promptCapabilities: PromptCapabilities;
  readonly authMethods: readonly AuthMethod[];
  newSession(roots: Roots, settled: Settled<NewSession>): { cancel(): void };
  /** Never times out. */
  prompt(sessionId: string, content: readonly ContentBlock[], settled: Settled<TurnResult>): void;
  /** Asks the agent to stop the turn; the prompt's own answer says when it did. */
  cancel(sessionId: string): void;
  /** The happenings are the options as they are afterwards. `MODE_CONFIG_ID` sets the mode. */
  setConfig(sessionId: string, configId: string, value: string | boolean, settled: Settled<readonly SessionHappening[]>): void;
  closeSession?(sessionId: string, settled: Settled<void>): void;
}
