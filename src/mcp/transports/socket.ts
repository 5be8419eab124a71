/**
 * The socket for the stdio bridge: one listener of the window, in a folder that only this user can open. A connection begins with one line that has
 * the session's token. The listener opens with the first session and closes with the last one.
 */
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Transport } from '@modelcontextprotocol/server';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MAX_MESSAGE } from '../editor/server';
import { isSameToken, newToken } from './token';

export interface SocketEndpoint {
  /** The socket's path, or the name of a pipe on Windows. */
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly serve: (transport: Transport) => void;
  readonly open: Set<Socket>;
}

interface Listening {
  readonly address: string;
  readonly server: Server;
  /** Absent for a pipe. */
  readonly folder?: string;
}

/** ms until a connection without a token is closed. */
const TOKEN_MS = 5000;
/** Bytes of the line with the token. */
const MAX_LINE = 256;
const MAX_CONNECTIONS = 256;

export class BridgeSocket {
  private readonly sessions = new Set<Session>();
  private listening: Promise<Listening> | undefined;

  constructor(
    private readonly onError: (error: Error) => void,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {}

  /** @param serve gets only connections with the session's token */
  async open(serve: (transport: Transport) => void): Promise<SocketEndpoint> {
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
    // `mkdtemp` makes a folder that only this user may enter. A pipe's name is a secret, and its token guards it, too.
    const folder = this.platform === 'win32' ? undefined : await mkdtemp(path.join(tmpdir(), 'acp-host-'));
    const address = folder === undefined ? `\\\\.\\pipe\\acp-host-${newToken()}` : path.join(folder, 'mcp');
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

  private async close(session: Session): Promise<void> {
    this.sessions.delete(session);
    session.open.forEach((socket) => socket.destroy());
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
        socket.destroy();
        return;
      }
      session.open.add(socket);
      socket.once('close', () => session.open.delete(socket));
      socket.pause();
      const rest = read.subarray(end + 1);
      if (rest.length > 0) {
        socket.unshift(rest);
      }
      const transport = new StdioServerTransport(socket, socket, { maxBufferSize: MAX_MESSAGE });
      session.serve(transport);
      // The transport stops reading when it closes, and leaves the stream open.
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        socket.destroySoon();
      };
      socket.resume();
    };
    socket.on('data', onData);
  }

  private sessionOf(token: string): Session | undefined {
    // Compares with each, so that the time does not name one.
    return [...this.sessions].filter((session) => isSameToken(session.token, token)).at(0);
  }
}
