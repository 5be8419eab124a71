/** What a version of the protocol brings to a connection. Each has a folder of its own; none knows how messages travel. */
import type { Connection, Peer } from './jsonrpc/connection';
import type { Client, Dialect } from './dialect';
import type { Fields } from './json/fields';

export interface ClientInfo {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
}

/** A connection's way to read and answer what an agent sends in one version's form. */
export interface Interpreter extends Pick<Peer, 'onRequest' | 'onNotification'> {
  /** What the agent offers, from its answer to `initialize`, and how it is asked for that. Called once. */
  dialect(answer: Fields, connection: Connection): Dialect;
}

export interface InterpreterOptions {
  /** ms; the time limit of every request but the prompt's */
  readonly timeoutMs: number;
  /** Part of every id we mint: a session outlives its connection, and the next one must not mint the same. */
  readonly mark?: string;
}

export interface ProtocolVersion {
  /** As `protocolVersion` has it. */
  readonly version: number;
  /** The params of an `initialize` that proposes this version. */
  initializeParams(info: ClientInfo): object;
  /** A new one for each connection. `client` gets what the agent sends. */
  interpreter(client: Client, options: InterpreterOptions): Interpreter;
}
