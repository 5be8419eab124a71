/** The page on this machine to which the browser returns after a sign-in. It takes one answer and closes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameToken } from '../transports/token';

export interface Callback {
  readonly port: number;
  /** The parameters with the right state. Never settles without them. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

const HOST = '127.0.0.1';
export const CALLBACK_PATH = '/callback';
/** Bytes of a request's head. */
const MAX_HEAD = 32 * 1024;

/**
 * Listens for the browser.
 *
 * @param ports the first that is free; 0: any
 * @param text the page that the user sees
 */
export async function listenForCallback(ports: readonly number[], state: string, text: string): Promise<Callback> {
  let taken: ((parameters: URLSearchParams) => void) | undefined;
  const answer = new Promise<URLSearchParams>((resolve) => (taken = resolve));
  const server = createServer({ maxHeaderSize: MAX_HEAD }, (request, response) => {
    const parameters = parametersOf(request, state);
    if (!parameters || !taken) {
      // A page of another site must not end the sign-in.
      send(response, 400, 'Bad request');
      return;
    }
    send(response, 200, text);
    taken(parameters);
    taken = undefined;
  });
  server.maxConnections = 16;
  for (const [index, port] of ports.entries()) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, HOST, () => {
          server.off('error', reject);
          resolve();
        });
      });
      break;
    } catch (error) {
      if (index === ports.length - 1) {
        throw error;
      }
    }
  }
  server.on('error', () => undefined);
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    answer,
    close: () => {
      server.close();
      // The browser keeps its connection open.
      server.closeIdleConnections();
    },
  };
}

/** Returns the answer, when its state is that of the request. */
export function answerOf(query: string, state: string): URLSearchParams | undefined {
  const parameters = new URLSearchParams(query);
  return isSameToken(state, parameters.get('state') ?? '') ? parameters : undefined;
}

function parametersOf({ method, url = '', headers, socket }: IncomingMessage, state: string): URLSearchParams | undefined {
  // Another name of this address would be that of a hostile page. A forwarded port has the number of the user's machine.
  const isOwn = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '') && socket.localAddress === HOST;
  const [path, query = ''] = url.split('?', 2);
  return method === 'GET' && isOwn && path === CALLBACK_PATH ? answerOf(query, state) : undefined;
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(text);
}
