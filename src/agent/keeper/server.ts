/**
 * The keeper's socket. Only a program of the same user can open it, because its folder is closed to others, and only one that knows the token is
 * connected. Both ends prove that, and none sends the token: where a killed keeper listened, another program may listen. A browser is refused: it
 * sends `Origin`, and names another host.
 */
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CHALLENGE_HEADER, controlText, readMessage, type ToKeeper } from '../../core/keeper/messages';
import type { Disposable } from '../../core/platform/disposable';
import { type Challenges, isChallenge, isProof, newChallenge, proofOf } from '../../util/sockets/mutualProof';
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
/** ms in which a client must send its request, and then its proof. */
const REQUEST_MS = 5000;
/** Bytes of a client before its proof. */
const MAX_UNPROVEN = 8 * 1024;
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
      connected.on('error', () => undefined);
      const challenges = [String(request.headers[CHALLENGE_HEADER]), newChallenge()] as const;
      afterProof(connected, socket, challenges, deps.token, () => serve(connected, deps));
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

/** Calls `proven` when the client has sent its proof. Ends one that does not, before it can fill the memory. */
function afterProof(connected: WebSocket, socket: Duplex, challenges: Challenges, token: string, proven: () => void): void {
  let received = 0;
  const count = (data: Buffer): void => {
    received += data.length;
    if (received > MAX_UNPROVEN) {
      connected.terminate();
    }
  };
  const timer = setTimeout(() => connected.terminate(), REQUEST_MS);
  connected.once('close', () => clearTimeout(timer));
  socket.on('data', count);
  connected.once('message', (data, isBinary) => {
    clearTimeout(timer);
    socket.off('data', count);
    const message = isBinary ? undefined : readMessage<ToKeeper>((data as Buffer).toString('utf8'));
    const proof = message && 'control' in message && message.control.type === 'proof' ? message.control.proof : undefined;
    if (isProof(proof, token, 'connecting', challenges)) {
      proven();
    } else {
      connected.close(1008, 'The proof is wrong');
    }
  });
  const [, challenge] = challenges;
  connected.send(controlText({ type: 'challenge', challenge, proof: proofOf(token, 'listening', challenges) }));
}

function serve(connected: WebSocket, deps: KeeperServerDependencies): void {
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
  connected.on('close', () => deps.onLeft(window));
  deps.onWindow(window);
}

function refusal({ headers }: IncomingMessage, { hasWindow }: KeeperServerDependencies): number | undefined {
  if (headers.origin !== undefined || headers.host !== HOST) {
    return 403;
  }
  if (!isChallenge(headers[CHALLENGE_HEADER])) {
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
