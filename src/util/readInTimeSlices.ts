import type { Readable } from 'node:stream';

/** ms of a listener's work after which the event loop gets a turn. */
const SLICE_MS = 6;

/**
 * Passes the stream's chunks to `listener` in order, with pauses for other work. One turn of the event loop delivers up to 2 MB of a full pipe.
 * Without a pause, the work for these would block every key press.
 * @param isHeld true while the stream must not continue; the caller resumes it
 */
export function readInTimeSlices(
  stream: Readable,
  listener: (chunk: Buffer) => void,
  { now = () => performance.now(), isHeld = () => false }: { now?(): number; isHeld?(): boolean } = {},
): void {
  let spent = 0;
  let turning = false;
  stream.on('data', (chunk: Buffer) => {
    if (!turning) {
      turning = true;
      setImmediate(() => {
        turning = false;
        spent = 0;
        if (!isHeld()) {
          stream.resume();
        }
      });
    }
    const start = now();
    listener(chunk);
    spent += now() - start;
    if (spent > SLICE_MS || isHeld()) {
      stream.pause();
    }
  });
}
