/** A client over a transport of remote agents, without our protocol code, and a server whose answers are written by hand. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { nodeHttp } from '../../../src/acp/transport/remote/nodeHttp';
import { openSocket } from '../../../src/acp/transport/remote/nodeSocket';
import { streamableHttpTransport } from '../../../src/acp/transport/remote/streamableHttp';
import { webSocketTransport } from '../../../src/acp/transport/remote/webSocket';
import type { MessageTransport, TransportEnd } from '../../../src/core/model/transport';
import { systemClock } from '../../../src/util/clock';

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly update?: { readonly content: { readonly text: string } } };
  readonly result?: { readonly agentInfo: { readonly name: string }; readonly sessionId: string; readonly stopReason: string };
  readonly error?: { readonly code: number; readonly message: string; readonly data: { readonly retryAfter?: number } };
}

/** A client over a transport: requests by their ids, and what arrives. */
export class Client {
  readonly seen: Message[] = [];
  readonly skipped: number[] = [];
  /** Texts that are no JSON. */
  readonly broken: string[] = [];
  end: TransportEnd | undefined;
  private next = 1;
  private readonly waiters = new Set<() => void>();

  constructor(readonly transport: MessageTransport) {
    const arrived = () => this.waiters.forEach((wake) => wake());
    transport.read({
      message: (text) => {
        const message = parsed(text);
        if (!message) {
          this.broken.push(text);
          arrived();
          return;
        }
        this.seen.push(message);
        if (message.method === 'session/request_permission') {
          transport.write(
            JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { outcome: { outcome: 'selected', optionId: 'yes' } } }),
          );
        }
        arrived();
      },
      skipped: (bytes) => {
        this.skipped.push(bytes);
        arrived();
      },
      closing: () => undefined,
      end: (end) => {
        this.end = end;
        arrived();
      },
    });
  }

  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) {
        return found;
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.waiters.delete(wake);
          resolve();
        };
        this.waiters.add(wake);
      });
    }
  }

  async request(method: string, params: object): Promise<Message> {
    const id = this.next++;
    this.transport.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.until(() => this.seen.find((message) => message.id === id && message.method === undefined) ?? (this.end && {}));
  }

  ended = (): Promise<TransportEnd> => this.until(() => this.end);
  start = () => this.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
}

function parsed(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}

const HEADERS = { Authorization: 'Bearer secret' };
/** The limits of {@link over}. */
export const LIMITS = { maxBytes: 1024 * 1024, openTimeoutMs: 5000, answerTimeoutMs: 5000 };
/** Both transports, by their names. */
export const over = {
  WebSocket: (url: string) => webSocketTransport({ url, headers: HEADERS, ...LIMITS }, openSocket, systemClock),
  'Streamable HTTP': (url: string) =>
    streamableHttpTransport({ url, headers: HEADERS, ...LIMITS }, nodeHttp(() => false).send, systemClock),
};

/** A server that has to be closed. */
export interface OddServer {
  /** Without the scheme. */
  readonly at: string;
  close(): Promise<unknown>;
}

/** @param upgrade answers a request for a WebSocket; absent: as any other request */
export async function oddServer(
  answer: http.RequestListener,
  upgrade?: (socket: Duplex, request: http.IncomingMessage) => void,
): Promise<OddServer> {
  const server = http.createServer(answer);
  if (upgrade) {
    server.on('upgrade', (request, socket) => {
      socket.on('error', () => undefined);
      upgrade(socket, request);
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    at: `127.0.0.1:${(server.address() as AddressInfo).port}/acp`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
