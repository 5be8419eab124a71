/**
 * Drops the messages of a client that nothing waits for. The SDK writes a line to the console for each of them, with the id that the client has chosen,
 * so a client could fill the console of the window.
 */
import type { Stream } from '@agentclientprotocol/sdk';
import { isRecord } from './wire/wireContent';

type Message = Stream extends { readable: ReadableStream<infer M> } ? M : never;

/** The only notification of clients that is handled. */
const CANCEL = 'session/cancel';

/** Returns the stream without answers to no request, and without notifications that have no valid parameters. */
export function expectedOnly({ readable, writable }: Stream): Stream {
  /** The ids of our requests without an answer. */
  const asked = new Set<unknown>();
  const writer = writable.getWriter();
  const isExpected = (message: Message): boolean => {
    if (!('method' in message)) {
      return 'id' in message && asked.delete(message.id);
    }
    return message.method !== CANCEL || (isRecord(message.params) && typeof message.params['sessionId'] === 'string');
  };
  return {
    readable: readable.pipeThrough(
      new TransformStream<Message, Message>(
        { transform: (message, controller) => void (isExpected(message) && controller.enqueue(message)) },
        undefined,
        new CountQueuingStrategy({ highWaterMark: 0 }),
      ),
    ),
    writable: new WritableStream<Message>({
      write: (message) => {
        if ('method' in message && 'id' in message) {
          asked.add(message.id);
        }
        return writer.write(message);
      },
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
  };
}
