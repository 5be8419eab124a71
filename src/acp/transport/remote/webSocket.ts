/** The WebSocket transport (proposal "Streamable HTTP and WebSocket transport"): each text message is one JSON text. */
import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { MessageReader, MessageTransport, TransportEnd } from '../../../core/model/transport';
import { DISCONNECTED } from '../../../core/share/shareMeta';
import { failureOfError, failureOfStatus } from './remoteFailures';
import type { HttpResponse, OpenSocket, Socket } from './ports';
import { firstText } from './responseText';

export interface WebSocketOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly subprotocol?: string;
  readonly fingerprint?: string;
  /** True when the server must be one of this user. */
  readonly isOwnOnly?: boolean;
  /** Longer messages are skipped; a much longer one ends the connection, because the protocol cannot skip it. */
  readonly maxBytes: number;
  readonly openTimeoutMs: number;
}

/** The end of the connection after a close by us, in ms, when the server does not answer the close. */
const CLOSE_MS = 2000;
/** Close code "message too big". */
const TOO_BIG = 1009;
/** Close codes that no server sends: a close without a code, and a connection that broke. */
const UNSAID: ReadonlySet<number> = new Set([1005, 1006]);
const HEAD = 64 * 1024;
const TAIL = 1024;

export function webSocketTransport(options: WebSocketOptions, open: OpenSocket, clock: Clock): MessageTransport {
  return new WebSocketTransport(options, open, clock);
}

class WebSocketTransport implements MessageTransport {
  private reader: (MessageReader & { end(end: TransportEnd): void }) | undefined;
  private socket: Socket | undefined;
  /** Messages that wait for the connection. */
  private waiting: string[] | undefined = [];
  private isOver = false;
  private timer: Disposable | undefined;

  constructor(
    private readonly options: WebSocketOptions,
    private readonly open: OpenSocket,
    private readonly clock: Clock,
  ) {}

  read(reader: MessageReader & { end(end: TransportEnd): void }): void {
    this.reader = reader;
    const { url, headers, subprotocol, fingerprint, isOwnOnly, maxBytes, openTimeoutMs } = this.options;
    const host = new URL(url).host;
    this.timer = this.clock.after(openTimeoutMs, () => {
      this.end({ failure: { code: 'remote.unreachable', params: { host, seconds: `${openTimeoutMs / 1000}` } } });
      this.socket?.close();
    });
    const settings = {
      headers,
      maxBytes: maxBytes * 2,
      ...(subprotocol !== undefined && { subprotocol }),
      ...(fingerprint !== undefined && { fingerprint }),
      ...(isOwnOnly !== undefined && { isOwnOnly }),
    };
    try {
      this.socket = this.open(url, settings, {
        open: () => {
          this.timer?.dispose();
          const waiting = this.waiting ?? [];
          this.waiting = undefined;
          waiting.forEach((text) => this.socket?.send(text));
        },
        text: (data) => this.receive(data),
        refused: (response) => void this.refused(response, host),
        closed: ({ error, code, reason }) => {
          this.timer?.dispose();
          if (code === TOO_BIG) {
            this.end({ failure: { code: 'remote.too_large', params: { host, megabytes: `${Math.floor(maxBytes / 1024 / 1024)}` } } });
          } else if (error !== undefined) {
            this.end({ failure: failureOfError(error, host) });
          } else if (code === DISCONNECTED.code && reason === DISCONNECTED.reason) {
            this.end({ failure: { code: 'remote.disconnected', params: { host } } });
          } else {
            const detail = [code === undefined || UNSAID.has(code) ? undefined : code, reason]
              .filter((part) => part !== undefined && part !== '')
              .join(' ');
            this.end({ failure: { code: 'remote.closed', params: { host }, ...(detail !== '' && { detail }) } });
          }
        },
      });
    } catch (error) {
      queueMicrotask(() => this.end({ failure: failureOfError(error, host) }));
    }
  }

  write(json: string): boolean {
    if (this.isOver) {
      return false;
    }
    if (this.waiting) {
      this.waiting.push(json);
    } else {
      this.socket?.send(json);
    }
    return true;
  }

  close(): void {
    if (this.isOver) {
      return;
    }
    this.timer?.dispose();
    this.timer = this.clock.after(CLOSE_MS, () => this.end({}));
    this.waiting = undefined;
    this.socket?.close();
  }

  describe(): { address: string } {
    return { address: this.options.url };
  }

  private receive(data: Uint8Array): void {
    if (this.isOver || !this.reader) {
      return;
    }
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (bytes.length > this.options.maxBytes) {
      this.reader.skipped(bytes.length, bytes.toString('utf8', 0, HEAD), bytes.toString('utf8', bytes.length - TAIL));
      return;
    }
    const text = bytes.toString('utf8');
    if (text.trim() !== '') {
      this.reader.message(text, text.includes('\ufffd') && !isUtf8(bytes));
    }
  }

  private async refused(response: HttpResponse, host: string): Promise<void> {
    // The timer still runs: the text may never end.
    const body = await firstText(response.body);
    this.end({ failure: failureOfStatus(response.status, response.headers, body, host) });
    this.socket?.close();
  }

  private end(end: TransportEnd): void {
    if (!this.isOver) {
      this.isOver = true;
      this.timer?.dispose();
      this.waiting = undefined;
      this.reader?.end(end);
    }
  }
}
