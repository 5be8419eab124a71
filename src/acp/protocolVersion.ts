/** The implementation of one protocol version. Each has its own folder and is independent of the transport. */
import type { Failure } from '../core/model/failure';
import type { Connection, Peer } from './jsonrpc/connection';
import type { Client, Dialect } from './dialect';
import type { Fields } from './json/fields';

export interface ClientInfo {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
}

/** Reads and answers an agent's messages in the format of one protocol version. */
export interface Interpreter extends Pick<Peer, 'onRequest' | 'onNotification' | 'refusesNullId'> {
  /** Loads code that only some agents need, before `dialect` is called. Undefined when there is nothing to load. */
  load?(answer: Fields): Promise<void> | undefined;
  /**
   * Called before each message of the agent. Returns a promise when code must be loaded first; the message and those after it are handled then.
   */
  prepare?(method: string, params: unknown): Promise<void> | undefined;
  /** Returns the agent's methods, from its answer to `initialize`. Called once. */
  dialect(answer: Fields, connection: Connection): Dialect;
}

export interface InterpreterOptions {
  /** ms; the time limit of every request except the prompt's */
  readonly timeoutMs: number;
  /** Part of every id that the client creates. A session outlives its connection, and the next connection must not create the same ids. */
  readonly mark?: string;
  /** Declares the extension contract of two adapters; see `quirks/air`. */
  readonly adapterExtensions?: boolean;
  /** The agent works on a machine whose files and programs are not ours, so that it gets neither from us. */
  readonly hasNoFiles?: boolean;
  /** The messages are those of a log, which has every request that the client has sent. */
  readonly isReplay?: boolean;
  /** Redacts a failure in a notification, and adds its cause. Default: no change. */
  withoutSecrets?(failure: Failure): Failure;
}

export interface ProtocolVersion {
  /** The value of `protocolVersion`. */
  readonly version: number;
  /** True for an answer to `initialize` of this version that does not name a version. Absent: every such answer. */
  isAnswer?(answer: Fields): boolean;
  /** The params of an `initialize` that proposes this version. */
  initializeParams(info: ClientInfo, options?: Pick<InterpreterOptions, 'adapterExtensions' | 'hasNoFiles'>): object;
  /** Creates an interpreter, one per connection. `client` receives the agent's messages. */
  interpreter(client: Client, options: InterpreterOptions): Interpreter;
}

/** The supported versions, newest first. */
export type Versions = readonly [ProtocolVersion, ...ProtocolVersion[]];
