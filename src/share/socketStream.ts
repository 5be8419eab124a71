/** A WebSocket of a client as a stream of messages with bounds in both directions. */
import type { Stream } from '@agentclientprotocol/sdk';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { isRecord } from './wire/wireContent';

/** Bytes that wait in the socket before the next message waits for the client. */
const HIGH_WATER = 1024 * 1024;
/** Bytes that wait in the socket at most. Responses and requests do not wait, so a client could make them grow. */
const MAX_WAITING = 16 * 1024 * 1024;
/** ms that a client has to read what waits */
export const SLOW_MS = 30_000;
/** Messages of the client that wait to be handled before the socket is paused. */
const MAX_INCOMING = 32;

/** Close codes of the protocol. */
export const CLOSE = { normal: 1000, goingAway: 1001, invalid: 1007, policy: 1008, tooBig: 1009 } as const;

type Message = Stream extends { readable: ReadableStream<infer M> } ? M : never;

export interface SocketStreamOptions {
  readonly clock: Clock;
  /** Removes secrets from a text that leaves this machine. */
  readonly redact: (text: string) => string;
  /** Called once when the bounds are exceeded. The socket has been closed. */
  readonly exceeded: (reason: string) => void;
}

export function socketStream(socket: WebSocket, { clock, redact, exceeded }: SocketStreamOptions): Stream {
  let slow: Disposable | undefined;
  let isOver = false;
  const end = (reason: string): void => {
    exceeded(reason);
    socket.terminate();
  };
  /** True while a write waits for the client to read. */
  let isFull = false;
  const readMore = (): void => {
    if (socket.isPaused && !isFull) {
      socket.resume();
    }
  };
  /** The client has read something. */
  const progress = (): void => {
    slow?.dispose();
    slow = isFull ? clock.after(SLOW_MS, () => end('no reading for too long')) : undefined;
  };
  const readable = new ReadableStream<Message>(
    {
      start: (controller) => {
        socket.on('message', (data, isBinary) => {
          const message = isBinary ? undefined : parsed(String(data));
          if (isBinary || isOver) {
            return; // Binary frames are ignored, as the transport says.
          }
          if (message === undefined) {
            exceeded('a message that is not valid');
            socket.close(CLOSE.invalid);
            return;
          }
          controller.enqueue(message);
          if ((controller.desiredSize ?? 0) <= 0) {
            socket.pause();
          }
        });
        socket.once('close', () => {
          slow?.dispose();
          if (!isOver) {
            isOver = true;
            controller.close();
          }
        });
      },
      pull: readMore,
      cancel: () => void (isOver = true),
    },
    new CountQueuingStrategy({ highWaterMark: MAX_INCOMING }),
  );
  const writable = new WritableStream<Message>({
    write: (message) => {
      if (socket.readyState !== socket.OPEN) {
        throw new Error('The client has left.');
      }
      // String by string, because a secret may have characters that JSON escapes.
      const text = JSON.stringify(message, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value));
      if (socket.bufferedAmount + text.length > MAX_WAITING) {
        end('too much that it has not read');
        throw new Error('The client does not read.');
      }
      if (socket.bufferedAmount + text.length <= HIGH_WATER) {
        socket.send(text, progress);
        return undefined;
      }
      isFull = true;
      // A client that does not read must not cause further responses.
      socket.pause();
      progress();
      return new Promise<void>((resolve) =>
        socket.send(text, () => {
          isFull = false;
          progress();
          readMore();
          resolve();
        }),
      );
    },
    close: () => socket.close(CLOSE.normal),
    abort: () => socket.terminate(),
  });
  return { readable, writable };
}

/** Undefined for a text that is no message of JSON-RPC. The SDK would send it back. The protocol has no batches. */
function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') {
    return false;
  }
  const { id, method } = value;
  const isId = id === null || typeof id === 'string' || Number.isFinite(id);
  return (id === undefined || isId) && (method === undefined || typeof method === 'string');
}
