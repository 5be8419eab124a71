/**
 * The HTTP way to the editor's server: one listener of the window on 127.0.0.1. Each session has a path and a token of its own. The listener opens
 * with the first session and closes with the last one.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSameToken, newToken } from './token';

/** An endpoint of one session. */
export interface HttpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Closes the session's connections, and the listener with the last session. */
  close(): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly answer: (request: Request) => Promise<Response>;
  readonly open: Set<ServerResponse>;
}

/** The only address that the listener has: no other machine reaches it. */
const HOST = '127.0.0.1';
/** Connections at once, of all sessions. */
const MAX_CONNECTIONS = 256;
/** Bytes of a request's head. */
const MAX_HEAD = 16 * 1024;

export class LoopbackHttp {
  private readonly sessions = new Map<string, Session>();
  private listener: Promise<Server> | undefined;

  /** @param onError called with errors that no client receives */
  constructor(private readonly onError: (error: Error) => void) {}

  /** Opens an endpoint. @param answer gets only requests with the session's token */
  async open(answer: (request: Request) => Promise<Response>): Promise<HttpEndpoint> {
    const path = `/mcp/${newToken()}`;
    const session: Session = { token: newToken(), answer, open: new Set() };
    this.sessions.set(path, session);
    try {
      const { port } = (await this.listen()).address() as AddressInfo;
      return {
        url: `http://${HOST}:${port}${path}`,
        headers: { Authorization: `Bearer ${session.token}` },
        close: () => this.close(path),
      };
    } catch (error) {
      this.sessions.delete(path);
      throw error;
    }
  }

  private listen(): Promise<Server> {
    this.listener ??= new Promise<Server>((resolve, reject) => {
      const server = createServer({ maxHeaderSize: MAX_HEAD }, (request, response) => {
        this.handle(request, response).catch((error: unknown) => {
          this.onError(error instanceof Error ? error : new Error(String(error)));
          response.destroy();
        });
      });
      server.maxConnections = MAX_CONNECTIONS;
      server.once('error', reject);
      server.listen(0, HOST, () => {
        server.off('error', reject);
        server.on('error', this.onError);
        // The window may close although a client is connected.
        server.unref();
        resolve(server);
      });
    });
    this.listener.catch(() => (this.listener = undefined));
    return this.listener;
  }

  private async close(path: string): Promise<void> {
    const session = this.sessions.get(path);
    this.sessions.delete(path);
    session?.open.forEach((response) => response.destroy());
    const { listener } = this;
    if (this.sessions.size > 0 || !listener) {
      return;
    }
    this.listener = undefined;
    const server = await listener;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, socket } = incoming;
    const own = `${HOST}:${socket.localPort}`;
    // A page may give its own name the address 127.0.0.1 ("DNS rebinding"). Its requests then have that name, and an origin.
    if (headers.host !== own && headers.host !== `localhost:${socket.localPort}`) {
      return refuse(response, 403, 'Forbidden host');
    }
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
      return refuse(response, 403, 'Web pages may not use this server');
    }
    const session = this.sessions.get(incoming.url ?? '');
    const [, token] = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    // Without a session the comparison takes as long.
    const isAllowed = isSameToken(session?.token ?? newToken(), token ?? '');
    if (!session || !isAllowed) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'The token of the session is missing or wrong');
    }
    const gone = new AbortController();
    session.open.add(response);
    response.once('close', () => {
      session.open.delete(response);
      gone.abort();
    });
    const answer = await session.answer(webRequest(incoming, method, `http://${own}${incoming.url}`, gone.signal));
    await send(answer, response);
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  // The unread rest of a body would keep the connection busy.
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(message);
}

function webRequest(incoming: IncomingMessage, method: string, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  Object.entries(incoming.headers).forEach(([name, value]) => headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? '')));
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const } : {};
  return new Request(url, { method, headers, signal, ...body });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  // Sends the head of a stream before its first event.
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response);
  } catch (error) {
    if (!response.destroyed) {
      throw error;
    }
  }
}
