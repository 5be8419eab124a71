/**
 * The HTTP way to the editor's server: one listener on 127.0.0.1 for each session, with a path and a token of its own. It closes with the session. A
 * later window continues a session at the same port, also when other sessions of that window stay where they are.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isOtherUser } from '../../util/sockets/peerUser';
import { isSameToken, newToken } from './token';
import { whenFree } from './whenFree';

/** The address of an endpoint, as its agent has it. The headers are secret. */
export interface HttpAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An endpoint of one session. */
export interface HttpEndpoint extends HttpAddress {
  /** Closes the session's connections and its listener. */
  close(): Promise<void>;
}

/** The parts of an endpoint that can be replaced in tests. */
export interface HttpOptions {
  /** ms between two attempts to listen where an earlier window did. */
  readonly pause?: number;
  /** True for the connection of a program of another user. */
  isOther?(socket: Socket): boolean;
}

interface Session {
  /** True when the agent has the address from an earlier window. Another program may have listened there meanwhile, and know the token. */
  readonly isContinued: boolean;
  readonly path: string;
  /** The header with the token. */
  readonly authorization: string;
  readonly answer: (request: Request) => Promise<Response>;
}

/** The only address that the listener has: no other machine reaches it. */
const HOST = '127.0.0.1';
/** Connections at once. */
const MAX_CONNECTIONS = 256;
/** Bytes of a request's head. */
const MAX_HEAD = 16 * 1024;

export class LoopbackHttp {
  /** @param onError called with errors that no client receives */
  constructor(
    private readonly onError: (error: Error) => void,
    private readonly options: HttpOptions = {},
  ) {}

  /**
   * Opens an endpoint.
   * @param answer gets only requests with the session's token
   * @param earlier the address that an agent has from an earlier window. Rejects when another program listens there.
   */
  async open(answer: (request: Request) => Promise<Response>, earlier?: HttpAddress): Promise<HttpEndpoint> {
    const { port: wanted, pathname: path } = earlier ? new URL(earlier.url) : { port: '', pathname: `/mcp/${newToken()}` };
    const headers = earlier?.headers ?? { Authorization: `Bearer ${newToken()}` };
    const session: Session = { isContinued: earlier !== undefined, path, authorization: headers['Authorization']!, answer };
    const server = await (wanted === ''
      ? this.listen(session, 0)
      : whenFree(() => this.listen(session, Number(wanted)), this.options.pause));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://${HOST}:${port}${path}`,
      headers,
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  private listen(session: Session, port: number): Promise<Server> {
    return new Promise<Server>((resolve, reject) => {
      const server = createServer({ maxHeaderSize: MAX_HEAD }, (request, response) => {
        this.handle(session, request, response).catch((error: unknown) => {
          this.onError(error instanceof Error ? error : new Error(String(error)));
          response.destroy();
        });
      });
      server.maxConnections = MAX_CONNECTIONS;
      server.once('error', reject);
      server.listen(port, HOST, () => {
        server.off('error', reject);
        server.on('error', this.onError);
        // The window may close although a client is connected.
        server.unref();
        resolve(server);
      });
    });
  }

  private async handle(session: Session, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, socket } = incoming;
    const own = `${HOST}:${socket.localPort}`;
    // A page may give its own name the address 127.0.0.1 ("DNS rebinding"). Its requests then have that name, and an origin.
    if (headers.host !== own && headers.host !== `localhost:${socket.localPort}`) {
      return refuse(response, 403, 'Forbidden host');
    }
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
      return refuse(response, 403, 'Web pages may not use this server');
    }
    // Both are compared, so that the time names neither.
    const [isPath, isToken] = [
      isSameToken(session.path, incoming.url ?? ''),
      isSameToken(session.authorization, headers.authorization ?? ''),
    ];
    if (!isPath || !isToken || !headers.authorization) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'The token of the session is missing or wrong');
    }
    if (session.isContinued && (this.options.isOther ?? isOtherUser)(socket)) {
      return refuse(response, 403, 'Only programs of this user may use this server');
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
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
