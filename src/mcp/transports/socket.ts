/**
 * The socket for the stdio bridge: one listener for each session, in a folder that only this user can open. A connection begins with one line that has
 * the session's token. The listener closes with the session. A later window continues a session at the same path.
 */
import { lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { makeSocketFolder, MAX_SOCKET_PATH } from '../../util/sockets/socketFolder';
import { isSameToken, newToken } from './token';
import { whenFree } from './whenFree';

/** The address of an endpoint, as its bridge has it. The token is secret, and on Windows the address as well. */
export interface SocketAddress {
  /** The socket's path, or the name of a pipe on Windows. */
  readonly address: string;
  readonly token: string;
}

export interface SocketEndpoint extends SocketAddress {
  /** @param isLeft true when a later window may continue the session: its bridge then waits for that one */
  close(isLeft?: boolean): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly serve: (socket: Socket) => void;
  readonly open: Set<Socket>;
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
  constructor(
    private readonly onError: (error: Error) => void,
    /** The folder for the sockets. One that only this user can read is best. */
    private readonly folder: string,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {}

  /**
   * Opens an endpoint.
   * @param serve gets only connections with the session's token, paused
   * @param earlier the address that a bridge has from an earlier window
   */
  async open(serve: (socket: Socket) => void, earlier?: SocketAddress): Promise<SocketEndpoint> {
    const session: Session = { token: earlier?.token ?? newToken(), serve, open: new Set() };
    const { server, address, folder } = await (earlier ? this.listenAgain(session, earlier.address) : this.listenAnew(session));
    server.on('error', this.onError);
    server.unref();
    return {
      address,
      token: session.token,
      close: async (isLeft) => {
        session.open.forEach((socket) => (isLeft ? socket.destroy() : endConnection(socket)));
        await new Promise((resolve) => server.close(resolve));
        // A later window may listen in the folder already.
        await (isLeft && folder !== undefined ? rmdir(folder).catch(() => undefined) : removeFolder(folder));
      },
    };
  }

  private async listenAnew(session: Session): Promise<Listening> {
    // A pipe's name is a secret, and its token guards it, too.
    const folder = this.platform === 'win32' ? undefined : await this.ownFolder();
    const address = folder === undefined ? `\\\\.\\pipe\\acp-host-${newToken()}` : path.join(folder, NAME);
    try {
      return { address, folder, server: await this.listen(session, address) };
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  }

  private async listenAgain(session: Session, address: string): Promise<Listening> {
    const folder = this.platform === 'win32' ? undefined : path.dirname(address);
    const server = await whenFree(async () => {
      if (folder !== undefined) {
        await makeOwnFolder(folder);
        // A window that was killed leaves the file of its socket.
        await ((await isRefused(address)) && rm(address, { force: true }));
      }
      return this.listen(session, address);
    });
    return { address, folder, server };
  }

  private listen(session: Session, address: string): Promise<Server> {
    const server = createServer((socket) => accept(session, socket));
    server.maxConnections = MAX_CONNECTIONS;
    return new Promise<Server>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ path: address }, () => {
        server.off('error', reject);
        resolve(server);
      });
    });
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
}

interface Listening {
  readonly address: string;
  readonly server: Server;
  /** Undefined for a pipe. */
  readonly folder: string | undefined;
}

async function removeFolder(folder: string | undefined): Promise<void> {
  void (folder !== undefined && (await rm(folder, { recursive: true, force: true })));
}

/** Makes the folder of an earlier window's socket again. Rejects when there is one that another user can enter. */
async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
      throw error;
    }
  });
}

/** Reads the token, and leaves the rest to the session. */
function accept(session: Session, socket: Socket): void {
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
    if (end < 0 || !isSameToken(session.token, read.subarray(0, end).toString())) {
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
