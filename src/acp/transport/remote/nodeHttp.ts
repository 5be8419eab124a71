/**
 * HTTP over Node.js. VS Code adds its proxy and certificates to `http`, `https` and `tls` of the extension host. HTTP/2 is used where the server
 * offers it, and no proxy is in between.
 */
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type net from 'node:net';
import tls from 'node:tls';
import { ownServerAgent } from './ownServer';
import type { HttpRequest, HttpResponse, SendHttp } from './ports';

/** ms without use after which a connection of HTTP/2 is closed. */
const IDLE_MS = 60_000;
/** ms for which a free connection of HTTP/1.1 is kept. */
const FREE_MS = 1000;
/** ms for the beginning of a connection. All requests to an address wait for the same one. */
const OPEN_MS = 20_000;

export interface HttpClient {
  readonly send: SendHttp;
  /** Closes connections that are kept for reuse. */
  dispose(): void;
}

interface Connections {
  /** Certificates besides those of Node.js and VS Code. */
  readonly ca?: string;
  /** For tests. See `OPEN_MS`. */
  readonly openMs?: number;
}

/** @param usesProxy true when a proxy may be in between, so that HTTP/2 is not tried */
export function nodeHttp(usesProxy: (url: string) => boolean, connections: Connections = {}): HttpClient {
  const { openMs: _, ...secure } = connections;
  const sessions = new Map<string, Promise<http2.ClientHttp2Session | undefined>>();
  const secureAgent = reusedBriefly(new https.Agent({ keepAlive: true, ...secure }));
  const plainAgent = reusedBriefly(new http.Agent({ keepAlive: true }));
  const ownAgent = reusedBriefly(ownServerAgent({ keepAlive: true }));
  const sessionOf = (url: URL): Promise<http2.ClientHttp2Session | undefined> => {
    const known = sessions.get(url.origin);
    if (known) {
      return known;
    }
    const opened = openHttp2(url, connections);
    sessions.set(url.origin, opened);
    opened.then(
      (session) => {
        session?.once('close', () => sessions.delete(url.origin));
        session?.on('error', () => sessions.delete(url.origin));
      },
      () => sessions.delete(url.origin),
    );
    return opened;
  };
  return {
    send: async (request) => {
      const url = new URL(request.url);
      if (url.protocol === 'https:' && !usesProxy(request.url)) {
        const session = await untilAborted(sessionOf(url), request.signal);
        if (session && !session.closed && !session.destroyed) {
          return sendHttp2(session, url, request);
        }
      }
      return sendHttp1(url, request, url.protocol === 'https:' ? secureAgent : request.isOwnOnly === true ? ownAgent : plainAgent);
    },
    dispose: () => {
      secureAgent.destroy();
      plainAgent.destroy();
      ownAgent.destroy();
      for (const session of sessions.values()) {
        session.then((open) => open?.close()).catch(() => undefined);
      }
      sessions.clear();
    },
  };
}

/**
 * Closes a connection that was free for a second. Servers close them after a few seconds, perhaps while a message is on its way. That message would
 * fail, and cannot be sent again because the server may have it.
 */
function reusedBriefly<A extends http.Agent>(agent: A): A {
  const { keepSocketAlive, reuseSocket } = agent;
  return Object.assign(agent, {
    keepSocketAlive: (socket: net.Socket): unknown => {
      const isKept: unknown = keepSocketAlive.call(agent, socket);
      socket.setTimeout(FREE_MS);
      return isKept;
    },
    reuseSocket: (socket: net.Socket, request: http.ClientRequest): void => {
      socket.setTimeout(0);
      reuseSocket.call(agent, socket, request);
    },
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Returns undefined when the server does not offer HTTP/2. */
function openHttp2(url: URL, { openMs = OPEN_MS, ...secure }: Connections): Promise<http2.ClientHttp2Session | undefined> {
  return new Promise((resolve, reject) => {
    const port = url.port === '' ? 443 : Number(url.port);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const socket = tls.connect({ host, port, ...name, ...secure, ALPNProtocols: ['h2', 'http/1.1'] });
    const timer = setTimeout(() => socket.destroy(Object.assign(new Error('The server does not answer.'), { code: 'ETIMEDOUT' })), openMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      socket.removeListener('error', reject);
      if (socket.alpnProtocol !== 'h2') {
        socket.destroy();
        resolve(undefined);
        return;
      }
      const session = http2.connect(url.origin, { createConnection: () => socket });
      session.setTimeout(IDLE_MS, () => session.close());
      resolve(session);
    });
  });
}

function sendHttp2(session: http2.ClientHttp2Session, url: URL, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const stream = session.request(
      { ...headers, [http2.constants.HTTP2_HEADER_METHOD]: method, [http2.constants.HTTP2_HEADER_PATH]: url.pathname + url.search },
      { signal, endStream: body === undefined },
    );
    stream.once('error', reject);
    stream.once('response', (answered) => {
      stream.removeListener('error', reject);
      resolve({ status: Number(answered[':status']), headers: withoutPseudo(answered), body: stream });
    });
    if (body !== undefined) {
      stream.end(body);
    }
  });
}

function withoutPseudo(headers: http2.IncomingHttpHeaders): HttpResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}

const withListener = new WeakSet<net.Socket>();

/**
 * Adds a listener for errors that no request gets. A socket has none for a moment between an answer and its reuse, and an aborted request can destroy it
 * then. An error without a listener would be one of the extension host.
 */
function guarded(socket: net.Socket): void {
  if (!withListener.has(socket)) {
    withListener.add(socket);
    socket.on('error', () => undefined);
  }
}

function sendHttp1(url: URL, { method, headers, body, signal }: HttpRequest, agent: http.Agent): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      signal,
      agent,
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    request.once('error', reject);
    request.once('socket', guarded);
    request.end(body);
  });
}
