/** An agent at an address whose every byte after `initialize` is written by hand, over either transport. */
import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { oddServer } from './rawClient';

/** The agent's side of a connection. */
export interface Wire {
  /** Sends a message. */
  send(message: object): void;
  /** Sends the beginning of a message, and ends the connection in the middle of it. */
  sendHalf(text: string): void;
  /** Sends a message of this length, without holding it. Resolves when it is written. */
  sendLong(bytes: number): Promise<void>;
}

export interface Request {
  readonly id?: number;
  readonly method?: string;
}

const HELLO = { protocolVersion: 1, agentInfo: { name: 'odd', version: '1' } };
const CHUNK = Buffer.alloc(1024 * 1024, 'x');

/** @param answer answers each request after `initialize` */
export async function oddAgent(
  kind: 'WebSocket' | 'Streamable HTTP',
  answer: (request: Request, wire: Wire) => unknown,
): Promise<{ readonly url: string; close(): Promise<unknown> }> {
  if (kind === 'WebSocket') {
    const sockets = new WebSocketServer({ noServer: true });
    const server = await oddServer(
      (_request, response) => response.writeHead(400).end(),
      (socket, request) => sockets.handleUpgrade(request, socket, Buffer.alloc(0), (opened) => listen(opened, socket, answer)),
    );
    const close = (): Promise<unknown> => {
      sockets.clients.forEach((client) => client.terminate());
      return server.close();
    };
    return { url: `ws://${server.at}`, close };
  }
  let stream: http.ServerResponse | undefined;
  const server = await oddServer((request, response) => {
    const isOfSession = request.headers['acp-session-id'] !== undefined;
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      stream = isOfSession ? stream : response;
      return;
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const message = text === '' ? {} : (JSON.parse(text) as Request);
      if (message.method === 'initialize') {
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: HELLO }));
        return;
      }
      response.writeHead(202).end();
      if (stream) {
        answer(message, eventsOn(stream));
      }
    });
  });
  return { url: `http://${server.at}`, close: () => server.close() };
}

function listen(opened: WebSocket, socket: Duplex, answer: (request: Request, wire: Wire) => unknown): void {
  const wire: Wire = {
    send: (message) => opened.send(JSON.stringify({ jsonrpc: '2.0', ...message })),
    sendHalf: (text) => {
      // A text frame that announces twice the bytes that follow.
      socket.write(Buffer.concat([Buffer.from([0x81, 126, (text.length * 2) >> 8, (text.length * 2) & 255]), Buffer.from(text)]));
      setTimeout(() => socket.destroy(), 50);
    },
    sendLong: async (bytes) => {
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(bytes));
      socket.write(Buffer.concat([Buffer.from([0x81, 127]), length]));
      await pour(socket, bytes);
    },
  };
  opened.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Request;
    if (message.method === 'initialize') {
      wire.send({ id: message.id, result: HELLO });
    } else {
      answer(message, wire);
    }
  });
}

function eventsOn(stream: http.ServerResponse): Wire {
  return {
    send: (message) => void stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`),
    sendHalf: (text) => {
      stream.write(`data: ${text}`);
      setTimeout(() => stream.destroy(), 50);
    },
    sendLong: async (bytes) => {
      stream.write('data: ');
      await pour(stream, bytes);
      stream.write('\n\n');
    },
  };
}

/** Writes this number of bytes as fast as the other end takes them, until it leaves. */
export async function pour(to: NodeJS.WritableStream & { readonly destroyed?: boolean }, bytes: number): Promise<void> {
  for (let left = bytes; left > 0 && !to.destroyed; left -= CHUNK.length) {
    if (!to.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)))) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          to.removeListener('drain', go);
          to.removeListener('close', go);
          resolve();
        };
        to.once('drain', go);
        to.once('close', go);
      });
    }
  }
}
