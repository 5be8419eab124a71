/** The text of a response, within bounds of size and time, and the names of headers. */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { ByteList } from './byteList';
import type { HttpResponse } from './ports';

/** Bytes of an error's text that are read. */
const MAX_ERROR_BYTES = 8 * 1024;

/** The beginning of a text of an error. A stream that breaks gives what it had. */
export async function firstText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const { text } = await boundedText(body, MAX_ERROR_BYTES).catch(() => ({ text: '' }));
  return text;
}

/** The text of at most `limit` bytes. `isCut`: there was more, which was not read. */
export async function boundedText(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const read = new ByteList();
  for await (const part of body) {
    read.add(part);
    if (read.size > limit) {
      break;
    }
  }
  return { text: read.bytes.toString('utf8', 0, Math.min(read.size, limit)), isCut: read.size > limit };
}

/** Passes the chunks of a body on, and throws `late()` after `ms` without one. */
export async function* inTime(
  body: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'after'>,
  ms: number,
  late: () => Error,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      let timer: Disposable | undefined;
      const timeout = new Promise<never>((_, reject) => (timer = clock.after(ms, () => reject(late()))));
      const next = await Promise.race([chunks.next(), timeout]).finally(() => timer?.dispose());
      if (next.done) {
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: it waits for a chunk that may never arrive.
    void chunks.return?.().catch(() => undefined);
  }
}

/** The first value of a header. @param name in lower case */
export function oneHeader({ headers }: Pick<HttpResponse, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** HTTP/2 knows lower-case names only, and ours replace the user's. */
export function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
