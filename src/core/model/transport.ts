/** How messages come from an agent and go to it: what a process, a socket or a test offers, and what the wire's code builds on. */
import type { Failure } from './failure';

/** Why a transport closed. */
export interface TransportEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  /** The last lines of stderr since the last frame. */
  readonly stderrTail?: string;
  readonly failure?: Failure;
}

/** A way to an agent and back. */
export interface Transport<Reader, Data> {
  /** Once, in the turn that made the transport: `reader` hears all that comes, in order, and at last its end. Never from inside `write`. */
  read(reader: Reader & { end(end: TransportEnd): void }): void;
  /** False when the transport is closed; otherwise the data is queued. */
  write(data: Data): boolean;
  /** Ends it, and what runs for it at the other end. The reader still hears of the end. Closing again does nothing. */
  close(): void;
  /** What is at the other end, for people: a command line, an address. */
  describe(): string;
}

export interface ByteReader {
  /** Cut anywhere, also inside a character. */
  chunk(bytes: Uint8Array): void;
}

/** What has no messages of its own, as a process's pipes: a framing makes a {@link MessageTransport} of it. */
export type ByteTransport = Transport<ByteReader, Uint8Array | string>;

export interface MessageReader {
  /** One JSON text, or what stands in the place of one; never blank. `damaged`: some of its characters are U+FFFD for bytes that are no UTF-8. */
  message(text: string, damaged: boolean): void;
  /** A message over the limit was not read. `bytes` is its whole length, `head` its beginning, `tail` its end; they may overlap. */
  skipped(bytes: number, head: string, tail: string): void;
  /** Where it is known before the end: the other end hears nothing any more, its last messages are still to come. */
  closing(): void;
}

/** What carries whole messages, as a WebSocket does. JSON texts both ways, those that are written without raw line breaks. */
export type MessageTransport = Transport<MessageReader, string>;
