/**
 * The client's side of a protocol version, for the replay of a log: the meaning of the requests and the answers that a client has sent. The replay
 * repeats a request through the {@link Dialect}, so that the agent's answer reaches the same code as on a live connection.
 */
import type { ExitStatus, ContentBlock } from '../core/model/content';
import type { SessionSetup } from '../core/model/sessionSetup';
import type { ElicitationAnswer } from './dialect';
import type { Fields } from './json/fields';
import type { ProtocolVersion } from './protocolVersion';

/** A request or a notification of a client. */
export type ClientCall =
  | { readonly type: 'initialize' }
  | { readonly type: 'authenticate'; readonly methodId: string }
  | { readonly type: 'new'; readonly setup: SessionSetup }
  | { readonly type: 'load' | 'resume'; readonly sessionId: string; readonly setup: SessionSetup }
  | { readonly type: 'prompt' | 'steer'; readonly sessionId: string; readonly content: readonly ContentBlock[] }
  | { readonly type: 'config'; readonly sessionId: string; readonly configId: string; readonly value: string | boolean }
  | { readonly type: 'cancel'; readonly sessionId: string };

export interface ClientFrames {
  /** Undefined for a call without an effect on the conversation. */
  call(method: string, params: Fields): ClientCall | undefined;
  /** Guesses the call that the agent has answered with `result`, when the log does not contain it. */
  answeredCall(result: Fields): 'initialize' | 'new' | 'prompt' | undefined;
  /**
   * The answer to `initialize` of an agent that offers every method. A log may contain calls of methods that `answer` does not offer, and its beginning
   * may be missing.
   */
  offeringAll(answer: Fields): Fields;
  /** The key of a question to the user in a notification of the agent. */
  question?(method: string, params: unknown): string | undefined;
  /** The answer in a notification of the client, with the key of its question. */
  answer?(method: string, params: Fields): { readonly key: string; readonly result: Fields } | undefined;
  /**
   * The chosen option in the answer to a permission request; undefined when the user chose none.
   * @param isStopped the user had pressed Stop before
   */
  permission(result: Fields, isStopped: boolean): string | undefined;
  elicitation(result: Fields): ElicitationAnswer;
  /** The id in the answer to the request for a new terminal. */
  terminalId(result: Fields): string | undefined;
  terminalOutput(result: Fields): { readonly output?: string; readonly exitStatus?: ExitStatus };
  terminalExit(result: Fields): ExitStatus;
}

/** A protocol version of logs that can be replayed. */
export interface LoggedVersion extends ProtocolVersion {
  readonly clientFrames: ClientFrames;
}

/** Newest first. A version that is not among them is read as the oldest. */
export type LoggedVersions = readonly [LoggedVersion, ...LoggedVersion[]];
