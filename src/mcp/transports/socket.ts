/**
 * The socket for the stdio bridge: one listener of the window, in a folder that only this user can open. A connection begins with one line that has
 * the session's token. The listener opens with the first session and closes with the last one.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { makeSocketFolder, MAX_SOCKET_PATH } from '../../util/sockets/socketFolder';
import { isSameToken, newToken } from './token';

export interface SocketEndpoint {
  /** The socket's path, or the name of a pipe on Windows. */
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly serve: (socket: Socket) => void;
  readonly open: Set<Socket>;
}

interface Listening {
  readonly address: string;
  readonly server: Server;
  /** Absent for a pipe. */
  readonly folder?: string;
}

/** The last line for a bridge whose session has ended. It does not wait for another window then. */
const SESSION_ENDED = '{"jsonrpc":"2.0","method":"notifications/acp-host/ended"}';

/** ms until a connection without a token is closed. */
const TOKEN_MS = 5000;
/** ms in which a client may read the rest when its session has ended. */
const END_MS = 1000;
/** Bytes of the line with the token. */
const MAX_LINE = 256;
const MAX_CONNECTIONS = 256;
const PREFIX = 'mcp-';
const NAME = 's';

export class BridgeSocket {
  private readonly sessions = new Set<Session>();
  private listening: Promise<Listening> | undefined;

  constructor(
    private readonly onError: (error: Error) => void,
    /** The folder for the socket. One that only this user can read is best. */
    private readonly folder: string,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {}

  /** @param serve gets only connections with the session's token, paused */
  async open(serve: (socket: Socket) => void): Promise<SocketEndpoint> {
    const session: Session = { token: newToken(), serve, open: new Set() };
    this.sessions.add(session);
    try {
      const { address } = await this.listen();
      return { address, token: session.token, close: () => this.close(session) };
    } catch (error) {
      this.sessions.delete(session);
      throw error;
    }
  }

  private listen(): Promise<Listening> {
    this.listening ??= this.start();
    this.listening.catch(() => (this.listening = undefined));
    return this.listening;
  }

  private async start(): Promise<Listening> {
    // A pipe's name is a secret, and its token guards it, too.
    const folder = this.platform === 'win32' ? undefined : await this.ownFolder();
    const address = folder === undefined ? `\\\\.\\pipe\\acp-host-${newToken()}` : path.join(folder, NAME);
    const server = createServer((socket) => this.accept(socket));
    server.maxConnections = MAX_CONNECTIONS;
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ path: address }, () => {
          server.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      void (folder !== undefined && (await rm(folder, { recursive: true, force: true })));
      throw error;
    }
    server.on('error', this.onError);
    server.unref();
    return { address, server, ...(folder !== undefined && { folder }) };
  }

  /** Makes a folder that only this user may enter. */
  private async ownFolder(): Promise<string> {
    if (path.join(this.folder, `${PREFIX}123456`, NAME).length > MAX_SOCKET_PATH) {
      return makeSocketFolder(PREFIX);
    }
    await mkdir(this.folder, { recursive: true });
    await this.removeStale();
    return mkdtemp(path.join(this.folder, PREFIX));
  }

  /** Removes the folders of windows that ended without closing their sockets. */
  private async removeStale(): Promise<void> {
    const names = await readdir(this.folder);
    const folders = names.filter((name) => name.startsWith(PREFIX)).map((name) => path.join(this.folder, name));
    await Promise.all(
      folders.map(async (folder) => {
        if (await isRefused(path.join(folder, NAME))) {
          await rm(folder, { recursive: true, force: true });
        }
      }),
    ).catch(this.onError);
  }

  private async close(session: Session): Promise<void> {
    this.sessions.delete(session);
    session.open.forEach(endConnection);
    const { listening } = this;
    if (this.sessions.size > 0 || !listening) {
      return;
    }
    this.listening = undefined;
    const { server, folder } = await listening;
    await new Promise((resolve) => server.close(resolve));
    void (folder !== undefined && (await rm(folder, { recursive: true, force: true })));
  }

  /** Reads the token, and leaves the rest to the session. */
  private accept(socket: Socket): void {
    let read = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(), TOKEN_MS);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
    const onData = (data: Buffer): void => {
      read = Buffer.concat([read, data]);
      const end = read.indexOf('\n');
      if (end < 0 && read.length <= MAX_LINE) {
        return;
      }
      socket.off('data', onData);
      clearTimeout(timer);
      const session = end < 0 ? undefined : this.sessionOf(read.subarray(0, end).toString());
      if (!session) {
        endConnection(socket);
        return;
      }
      session.open.add(socket);
      socket.once('close', () => session.open.delete(socket));
      socket.pause();
      const rest = read.subarray(end + 1);
      if (rest.length > 0) {
        socket.unshift(rest);
      }
      session.serve(socket);
    };
    socket.on('data', onData);
  }

  private sessionOf(token: string): Session | undefined {
    // Compares with each, so that the time does not name one.
    return [...this.sessions].filter((session) => isSameToken(session.token, token)).at(0);
  }
}

/** Closes a connection, whose bridge then does not connect again. */
function endConnection(socket: Socket): void {
  socket.write(`${SESSION_ENDED}\n`);
  socket.destroySoon();
  // A client that does not read would keep the connection, and the calls of the session would not end.
  const timer = setTimeout(() => socket.destroy(), END_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** True when no process listens on the socket. */
function isRefused(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
