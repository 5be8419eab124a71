/** The server of a sharing: the WebSocket side of the proposal "Streamable HTTP and WebSocket transport". It listens only while something is shared. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ShareAccess, ShareRight } from '../core/share/share';
import { isOtherUser } from '../util/sockets/peerUser';
import { type Admission, type AdmissionRequest, confirmedProtocol, SHARE_PATH } from './admission';

/** Connections of all kinds. Further ones are closed at once. */
const MAX_CONNECTIONS = 64;
/** Attached clients. */
export const MAX_CLIENTS = 16;
/** ms for the request of a connection */
const REQUEST_MS = 5000;
/** Bytes of a message of a client. A reader sends no prompts. */
const MAX_MESSAGE: Readonly<Record<ShareRight, number>> = { answer: 8 * 1024 * 1024, read: 64 * 1024 };
/** Bytes of the headers of a request. */
const MAX_HEADERS = 8 * 1024;
/** ms between two pings. A client that has not answered until the next one is gone. */
const PING_MS = 25_000;

export interface ServerOptions {
  /** The address to listen at. */
  readonly host: string;
  /** A free port when it is absent. */
  readonly port?: number | undefined;
  /** Required for an address of the network. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly admission: Admission;
  /** True when there is room for another client. */
  readonly hasRoom: () => boolean;
  readonly connected: (socket: WebSocket, access: ShareAccess, address: string) => void;
  readonly refused: (address: string, reason: string) => void;
}

export class ShareServer {
  private readonly server: http.Server;
  private readonly sockets: Readonly<Record<ShareRight, WebSocketServer>>;

  constructor(private readonly options: ServerOptions) {
    const { tls } = options;
    const settings = {
      maxHeaderSize: MAX_HEADERS,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1000,
    };
    this.server = tls
      ? https.createServer({ ...settings, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: REQUEST_MS })
      : http.createServer(settings);
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.keepAliveTimeout = 1;
    this.sockets = { read: this.socketServer('read'), answer: this.socketServer('answer') };
    this.server.on('request', (request, response) => this.onRequest(request, response));
    this.server.on('upgrade', (request, socket, head) => this.onUpgrade(request, socket, head));
    this.server.on('clientError', (_error, socket) => socket.destroy());
    this.server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  /** Resolves to the address for clients. */
  async listen(): Promise<string> {
    const { host, port: wanted = 0, tls } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(wanted, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    const { port } = this.server.address() as AddressInfo;
    return `${tls ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${port}${SHARE_PATH}`;
  }

  /** Ends all connections. Nothing listens when this has resolved. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    Object.values(this.sockets).forEach((server) => server.clients.forEach((socket) => socket.terminate()));
    this.server.closeAllConnections();
    await closed;
  }

  private socketServer(right: ShareRight): WebSocketServer {
    const server = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE[right],
      perMessageDeflate: false,
      handleProtocols: confirmedProtocol,
    });
    server.on('headers', (headers) => headers.push(`Acp-Connection-Id: ${randomUUID()}`));
    return server;
  }

  private onRequest(request: http.IncomingMessage, response: http.ServerResponse): void {
    const decision = this.decide(request);
    const status = 'status' in decision ? decision.status : 426;
    response.writeHead(status, { Connection: 'close', ...(status === 426 && { Upgrade: 'websocket' }) }).end();
  }

  private onUpgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const decision = this.decide(request);
    if ('status' in decision) {
      refuse(socket, decision.status);
      return;
    }
    if (!this.options.hasRoom()) {
      this.options.refused(addressOf(request), 'too many clients');
      refuse(socket, 503);
      return;
    }
    this.sockets[decision.right].handleUpgrade(request, socket, head, (client) => {
      watchLife(client);
      this.options.connected(client, decision, addressOf(request));
    });
  }

  private decide(request: http.IncomingMessage): ReturnType<Admission['decide']> {
    const { url, headers, socket } = request;
    const given: AdmissionRequest = { url, headers, address: addressOf(request), isOtherUser: () => isOtherUser(socket) };
    const decision = this.options.admission.decide(given);
    if ('status' in decision) {
      this.options.refused(given.address, decision.reason);
    }
    return decision;
  }
}

function addressOf(request: http.IncomingMessage): string {
  return request.socket.remoteAddress ?? '?';
}

function refuse(socket: Duplex, status: number): void {
  const challenge = status === 401 ? 'WWW-Authenticate: Bearer\r\n' : '';
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

/** Ends a socket whose client is gone. */
function watchLife(socket: WebSocket): void {
  let isAlive = true;
  const pings = setInterval(() => {
    // A paused socket cannot receive the answer. The stream limits the time of a pause.
    if (!isAlive && !socket.isPaused) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, PING_MS);
  pings.unref();
  socket.on('pong', () => (isAlive = true));
  socket.on('message', () => (isAlive = true));
  socket.on('error', () => socket.terminate());
  socket.once('close', () => clearInterval(pings));
}
