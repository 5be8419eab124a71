/** The network as the transports of remote agents use it. `node.ts` implements it; a test can. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** True when the server must be one of this user. See `ownServer.ts`. */
  readonly isOwnOnly?: boolean | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Bytes in their order. Leaving the iteration closes the stream. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request and follows no redirect. Rejects when no answer arrives. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;

export interface SocketEvents {
  open(): void;
  /** A text message. Binary ones are ignored, as the protocol says. */
  text(data: Uint8Array): void;
  /** The server has answered the request for a WebSocket with something else. */
  refused(response: HttpResponse): void;
  /** Called once; `error` is absent after a clean close. `code` is the close code of the protocol. */
  closed(end: { readonly error?: unknown; readonly code?: number; readonly reason?: string }): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

/** @param maxBytes a longer message closes the socket with code 1009 */
export type OpenSocket = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly subprotocol?: string;
    /** See `WebSocketEndpoint`. */
    readonly fingerprint?: string;
    /** See `HttpRequest`. */
    readonly isOwnOnly?: boolean;
    readonly maxBytes: number;
  },
  events: SocketEvents,
) => Socket;
