/** WebSockets over the library `ws`, which uses `http` and `https` of Node.js, so that VS Code's proxy and certificates apply. */
import WebSocket, { type ClientOptions } from 'ws';
import { openOwn } from './ownServer';
import { openPinned } from './pinnedCertificate';
import type { OpenSocket, Socket } from './ports';

/** ms between two pings; a server that has not answered until the next one is gone. Proxies close connections that are silent for a minute. */
const PING_MS = 25_000;

/** Errors of the library: a message over the limit, and one of so many small parts that they would fill the memory. */
const TOO_BIG: ReadonlySet<unknown> = new Set(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'WS_ERR_TOO_MANY_BUFFERED_PARTS']);

export const openSocket: OpenSocket = (url, options, events) => {
  const on = (connection: ClientOptions): Socket => open(connection, url, options, events);
  if (options.fingerprint !== undefined) {
    return openPinned(url, options.fingerprint, events, on);
  }
  return options.isOwnOnly === true ? openOwn(url, events, on) : on({});
};

function open(connection: ClientOptions, ...[url, { headers, subprotocol, maxBytes }, events]: Parameters<OpenSocket>): Socket {
  const socket = new WebSocket(url, subprotocol === undefined ? [] : [subprotocol], {
    headers,
    maxPayload: maxBytes,
    perMessageDeflate: false,
    followRedirects: false,
    ...connection,
  });
  let failed: unknown;
  let isRefused = false;
  let isAlive = true;
  let pings: NodeJS.Timeout | undefined;
  socket.on('open', () => {
    pings = setInterval(() => {
      if (!isAlive) {
        failed = Object.assign(new Error('The server no longer answers.'), { code: 'ETIMEDOUT' });
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
    }, PING_MS);
    pings.unref();
    events.open();
  });
  socket.on('pong', () => (isAlive = true));
  socket.on('message', (data, isBinary) => {
    isAlive = true;
    if (!isBinary) {
      events.text(data as Buffer); // The library's default for messages.
    }
  });
  socket.on('unexpected-response', (_request, response) => {
    isRefused = true;
    events.refused({ status: response.statusCode ?? 0, headers: response.headers, body: response });
  });
  socket.on('error', (error) => (failed ??= error));
  socket.on('close', (code, reason) => {
    clearInterval(pings);
    if (isRefused) {
      return;
    }
    const tooBig = TOO_BIG.has((failed as { code?: unknown } | undefined)?.code);
    events.closed(tooBig ? { code: 1009 } : { ...(failed !== undefined && { error: failed }), code, reason: reason.toString() });
  });
  return {
    send: (text) => socket.send(text, () => undefined),
    close: () => (socket.readyState === WebSocket.CONNECTING ? socket.terminate() : socket.close(1000)),
  };
}
