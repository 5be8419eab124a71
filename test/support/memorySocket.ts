/** Both ends of an in-memory connection that carries whole messages, like a WebSocket: no bytes, no lines, no process. */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { MessageReader, MessageTransport, TransportEnd } from '../../src/core/model/transport';

export interface MemorySocket {
  /** Our end. */
  readonly transport: MessageTransport;
  /** The agent's end, for the official SDK. Its output arrives as JSON over several lines, which line framing could not carry. */
  readonly stream: Stream;
  /** Sends this text as one message of the agent. */
  say(text: string): void;
  /** Disconnects the agent. */
  drop(end?: TransportEnd): void;
}

/** @param url the URL that the transport reports */
export function memorySocket(url: string): MemorySocket {
  let reader: (MessageReader & { end(end: TransportEnd): void }) | undefined;
  let isOpen = true;
  const toAgent = new TransformStream<AnyMessage, AnyMessage>();
  const writer = toAgent.writable.getWriter();
  // A socket delivers messages in a later turn of the event loop, and its end after that.
  const later = (tell: () => void): void => void setImmediate(tell);
  const say = (text: string): void => later(() => reader?.message(text, false));
  const drop = (end: TransportEnd = {}): void => {
    if (isOpen) {
      isOpen = false;
      later(() => reader?.end(end));
      void writer.close().catch(() => undefined);
    }
  };
  return {
    transport: {
      read: (listener) => (reader = listener),
      write: (json) => {
        if (isOpen) {
          void writer.write(JSON.parse(json) as AnyMessage).catch(() => undefined);
        }
        return isOpen;
      },
      close: () => drop(),
      describe: () => ({ address: url }),
    },
    stream: {
      readable: toAgent.readable,
      writable: new WritableStream<AnyMessage>({ write: (message) => say(JSON.stringify(message, undefined, 2)) }),
    },
    say,
    drop,
  };
}
