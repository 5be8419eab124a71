/** A transport whose code is loaded when it is needed. It queues messages until then. */
import { Fault } from '../../core/model/failure';
import type { MessageReader, MessageTransport, TransportDescription, TransportEnd } from '../../core/model/transport';

/** @param description until the transport is loaded */
export function lateTransport(load: () => Promise<MessageTransport>, description: TransportDescription): MessageTransport {
  let loaded: MessageTransport | undefined;
  let waiting: string[] | undefined = [];
  let isClosed = false;
  return {
    read: (reader: MessageReader & { end(end: TransportEnd): void }) => {
      load().then(
        (transport) => {
          loaded = transport;
          if (isClosed) {
            transport.close(); // The transport may have started programs.
            reader.end({});
            return;
          }
          transport.read(reader);
          const texts = waiting ?? [];
          waiting = undefined;
          texts.forEach((text) => transport.write(text));
        },
        (error: unknown) => {
          isClosed = true;
          reader.end({ failure: error instanceof Fault ? error.failure : { code: 'connection.closed', detail: String(error) } });
        },
      );
    },
    write: (json) => {
      if (isClosed) {
        return false;
      }
      if (waiting) {
        waiting.push(json);
        return true;
      }
      return loaded?.write(json) ?? false;
    },
    close: () => {
      isClosed = true;
      if (!waiting) {
        loaded?.close();
      }
    },
    handling: (isHandling) => loaded?.handling?.(isHandling),
    describe: (): TransportDescription => loaded?.describe() ?? description,
  };
}
