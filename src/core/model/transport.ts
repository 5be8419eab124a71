/** The transport of messages from and to an agent. A process, a socket or a test implements it, and the protocol code builds on it. */
import type { Failure } from './failure';

/** The reason why a transport closed. Only a process has an exit code, a signal and stderr. */
export interface TransportEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  /** The last lines of stderr, if there are some after the last frame or in the last seconds. */
  readonly stderrTail?: string;
  readonly failure?: Failure;
}

/** The other end of a transport for display, as far as it has one. Contains no secrets. */
export interface TransportDescription {
  /** The command line of a process. */
  readonly commandLine?: string;
  readonly address?: string;
}

/** A two-way connection to an agent. */
export interface Transport<Reader, Data> {
  /**
   * Starts reading. Call it once, in the same tick that made the transport: `reader` receives everything in order, and then the end. Never calls
   * `reader` from inside `write`.
   */
  read(reader: Reader & { end(end: TransportEnd): void }): void;
  /** Returns false when the transport is closed; otherwise the data is queued. */
  write(data: Data): boolean;
  /**
   * Called before and after the listeners of each message run, in the order of the messages. A transport whose other end repeats messages learns by
   * it which one caused an event.
   */
  handling?(isHandling: boolean): void;
  /** Closes the connection and ends the process at the other end. The reader still receives the end. A second call does nothing. */
  close(): void;
  describe(): TransportDescription;
  /** The bytes that were written and that the other end has not read yet. Absent: not known. */
  readonly backlog?: () => number;
}

export interface ByteReader {
  /** The bytes may be cut anywhere, also inside a character. */
  chunk(bytes: Uint8Array): void;
}

/** A transport without message boundaries, such as a process's pipes. A framing makes a {@link MessageTransport} of it. */
export type ByteTransport = Transport<ByteReader, Uint8Array | string>;

export interface MessageReader {
  /** One JSON text, or an invalid text; never blank. `damaged`: some characters are U+FFFD, for bytes that are not UTF-8. */
  message(text: string, damaged: boolean): void;
  /** Reports a message over the limit, which was not read. `bytes` is its whole length, `head` its beginning, `tail` its end; the two may overlap. */
  skipped(bytes: number, head: string, tail: string): void;
  /** Reports, where it is known early, that the other end no longer receives messages. Its last messages are still to come. */
  closing(): void;
}

/** A transport of whole messages, such as a WebSocket. It carries JSON texts both ways. The written ones have no raw line breaks. */
export type MessageTransport = Transport<MessageReader, string>;
