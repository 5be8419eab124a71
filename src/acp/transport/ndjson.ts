/**
 * The framing of the stdio transport: one JSON text per line, UTF-8 (protocol page "Transports"). The reader takes bytes in chunks of any size and
 * emits whole lines in order. It parses nothing; the connection interprets the lines.
 */
import type { ByteTransport, MessageTransport } from '../../core/model/transport';
import { DEFAULT_MAX_LINE_BYTES, FrameReader, LONGEST_STRING } from '../../util/frames/frameReader';

const MEGABYTE = 1024 * 1024;

/** The default limit for the length of a line. */
export const DEFAULT_MAX_LINE_MEGABYTES = DEFAULT_MAX_LINE_BYTES / MEGABYTE;
const MAX_MEGABYTES = Math.floor(LONGEST_STRING / MEGABYTE);

/** Converts a setting in megabytes to bytes: the nearest possible limit, or the default when it is not a number. */
export function lineLimitOf(megabytes: unknown): number {
  return typeof megabytes === 'number' && !Number.isNaN(megabytes)
    ? Math.min(Math.max(Math.floor(megabytes), 1), MAX_MEGABYTES) * MEGABYTE
    : DEFAULT_MAX_LINE_BYTES;
}

/** Transports messages over bytes, one per line. `maxLineBytes`: longer lines are skipped without being buffered. */
export function ndjson(bytes: ByteTransport, maxLineBytes: number = DEFAULT_MAX_LINE_BYTES): MessageTransport {
  let frames: FrameReader | undefined;
  return {
    read: (reader) => {
      const lines = new FrameReader(
        {
          line: (text, damaged) => reader.message(text, damaged),
          skipped: (length, head, tail) => reader.skipped(length, head, tail),
        },
        maxLineBytes,
      );
      frames = lines;
      bytes.read({
        chunk: (chunk) => lines.push(chunk),
        end: (end) => {
          // The last line may have no line end. The process has ended, so its messages get no answers.
          reader.closing();
          lines.end();
          reader.end(end);
        },
      });
    },
    write: (json) => bytes.write(json + '\n'),
    close: () => {
      frames?.stop();
      bytes.close();
    },
    describe: () => bytes.describe(),
    ...(bytes.backlog && { backlog: bytes.backlog }),
  };
}
