/**
 * Connections without TLS to a server on this machine. Any user of the machine can listen at a port that is free, such as that of a window which
 * reloads, and would receive the token and the files. So the user of the server is checked before anything is sent.
 */
import http from 'node:http';
import net from 'node:net';
import type { ClientOptions } from 'ws';
import { isLoopback, plainName } from '../../../core/platform/privateAddress';
import { isServerOfOther } from '../../../util/sockets/peerUser';
import type { Socket, SocketEvents } from './ports';

/** The code of the error for a server of another user. */
export const OTHER_USER = 'ERR_OTHER_USER';

/** The port of `ws://` without one. */
const PORT = 80;

type IsOther = (socket: net.Socket) => boolean;

/** True for an address at which only the user of the server can be known. */
export function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (protocol === 'ws:' || protocol === 'http:') && isLoopback(hostname);
}

/** Opens a WebSocket on a connection that was checked. */
export function openOwn(
  url: string,
  events: SocketEvents,
  open: (connection: ClientOptions) => Socket,
  isOther: IsOther = isServerOfOther,
): Socket {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  let isOver = false;
  const end = (error?: unknown): void => {
    if (!isOver && !socket) {
      isOver = true;
      connection.destroy();
      events.closed(error === undefined ? {} : { error });
    }
  };
  const connection = net.connect({ host: plainName(hostname), port: port === '' ? PORT : Number(port) });
  connection.on('error', end);
  connection.once('close', () => end());
  connection.once('connect', () => {
    if (isOther(connection)) {
      end(otherUser());
    } else if (!isOver) {
      socket = open({ createConnection: () => connection });
    }
  });
  return {
    send: (text) => socket?.send(text),
    close: () => (socket ? socket.close() : end()),
  };
}

/** An agent of HTTP whose connections are checked. */
export function ownServerAgent(options: http.AgentOptions, isOther: IsOther = isServerOfOther): http.Agent {
  const createConnection = (to: net.NetConnectOpts, created: (error: Error | null, socket?: net.Socket) => void): void => {
    const connection = net.connect(to);
    connection.once('error', created);
    connection.once('connect', () => {
      connection.removeListener('error', created);
      if (isOther(connection)) {
        connection.destroy();
        created(otherUser());
      } else {
        created(null, connection);
      }
    });
  };
  return Object.assign(new http.Agent(options), { createConnection });
}

function otherUser(): Error {
  return Object.assign(new Error('The server belongs to another user of this machine.'), { code: OTHER_USER });
}
