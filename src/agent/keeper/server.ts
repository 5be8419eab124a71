/**
 * The keeper's socket. Only a program of the same user can open it, because its folder is closed to others, and only one that knows the token is
 * connected. A browser is refused: it sends `Origin`, and names another host.
 */
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { createHash, timingSafeEqual } from 'node:crypto';
import { WebSocketServer } from 'ws';
import type { Disposable } from '../../core/platform/disposable';
import type { WindowSocket } from './keeper';

export interface KeeperServerDependencies {
  readonly address: string;
  readonly token: string;
  /** Bytes of the longest message. */
  readonly maxBytes: number;
  /** True while a window is connected: a second one is refused. */
  hasWindow(): boolean;
  onWindow(window: WindowSocket): void;
  onMessage(text: string): void;
  onLeft(window: WindowSocket): void;
}

const MAX_CONNECTIONS = 16;
/** ms in which a client must send its request. */
const REQUEST_MS = 5000;
const HOST = 'localhost';

/** Listens on the socket. Rejects when its folder belongs to another user, or others can enter it. */
export async function serveKeeper(deps: KeeperServerDependencies): Promise<Disposable> {
  const isPipe = process.platform === 'win32';
  if (!isPipe) {
    ownFolder(path.dirname(deps.address));
    rmSync(deps.address, { force: true });
  }
  const server = createServer(
    { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 },
    (_, response) => {
      response.writeHead(404, { connection: 'close' }).end();
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (_error, socket) => socket.destroy());
  const sockets = new WebSocketServer({ noServer: true, maxPayload: deps.maxBytes, perMessageDeflate: false, clientTracking: true });
  server.on('upgrade', (request, socket, head) => {
    const status = refusal(request, deps);
    if (status !== undefined) {
      refuse(socket, status);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connected) => {
      if (deps.hasWindow()) {
        connected.close(4009, 'Another window is connected');
        return;
      }
      const window: WindowSocket = {
        send: (text, sent) => connected.send(text, { binary: false }, () => sent()),
        get buffered() {
          return connected.bufferedAmount;
        },
        close: () => connected.close(1000),
      };
      connected.on('message', (data, isBinary) => {
        if (isBinary) {
          connected.close(1003);
        } else {
          deps.onMessage((data as Buffer).toString('utf8')); // The library's default for messages.
        }
      });
      connected.on('error', () => undefined);
      connected.on('close', () => deps.onLeft(window));
      deps.onWindow(window);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: deps.address }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (!isPipe) {
    chmodSync(deps.address, 0o600);
  }
  return {
    dispose: () => {
      sockets.clients.forEach((client) => client.terminate());
      server.close();
      if (!isPipe) {
        rmSync(path.dirname(deps.address), { recursive: true, force: true });
      }
    },
  };
}

function refusal({ headers }: IncomingMessage, { token, hasWindow }: KeeperServerDependencies): number | undefined {
  if (headers.origin !== undefined || headers.host !== HOST) {
    return 403;
  }
  const given = /^Bearer (.{1,200})$/.exec(headers.authorization ?? '')?.[1];
  if (given === undefined || !isSameToken(token, given)) {
    return 401;
  }
  return hasWindow() ? 409 : undefined;
}

function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** Makes the folder, and checks that only this user can enter it. @throws Error for another user's folder */
export function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.()) {
    throw new Error('The folder of the socket belongs to another user.');
  }
  if ((mode & 0o077) !== 0) {
    throw new Error('The folder of the socket is open to other users.');
  }
}

/** Compares in a time that does not depend on the texts. */
function isSameToken(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
