/** The transport over a stream that was handed in. It has no process, so its end has no exit code and no stderr. */
import type { StreamPair, StreamReader } from '../../core/agents/endpoint';
import type { ByteTransport, TransportEnd } from '../../core/model/transport';

export function streamTransport({ readable, writable }: StreamPair): ByteTransport {
  const input = readable.getReader();
  const output = writable.getWriter();
  const encoder = new TextEncoder();
  let onEnd: ((end: TransportEnd) => void) | undefined;
  let isClosed = false;
  const close = (end: TransportEnd): void => {
    if (!isClosed) {
      isClosed = true;
      // The other end may have closed or broken its half already.
      void output.close().catch(() => undefined);
      void input.cancel().catch(() => undefined);
      onEnd?.(end);
    }
  };
  const broken = (error: unknown): void => close({ failure: { code: 'connection.closed', detail: String(error) } });
  return {
    read: (reader) => {
      onEnd = (end) => reader.end(end);
      readAll(input, (bytes) => isClosed || reader.chunk(bytes)).then(() => close({}), broken);
    },
    write: (bytes) => {
      if (isClosed) {
        return false;
      }
      output.write(typeof bytes === 'string' ? encoder.encode(bytes) : bytes).catch(broken);
      return true;
    },
    close: () => queueMicrotask(() => close({})),
    describe: () => ({}),
  };
}

async function readAll(input: StreamReader, chunk: (bytes: Uint8Array) => void): Promise<void> {
  for (let next = await input.read(); !next.done; next = await input.read()) {
    if (next.value) {
      chunk(next.value);
    }
  }
}
