import type { Readable } from 'node:stream';

/** ms of a listener's work after which the event loop gets a turn. */
const SLICE_MS = 6;

/**
 * Gives `listener` the stream's chunks in order, with room for others in between: one turn of the loop hands over up to 2 MB of a pipe that is
 * full, and without a pause all the work these cause would be one stretch in which no key press is heard.
 */
export function readInTimeSlices(stream: Readable, listener: (chunk: Buffer) => void, now: () => number = () => performance.now()): void {
  let spent = 0;
  let turning = false;
  stream.on('data', (chunk: Buffer) => {
    if (!turning) {
      turning = true;
      setImmediate(() => {
        turning = false;
        spent = 0;
        stream.resume();
      });
    }
    const start = now();
    listener(chunk);
    spent += now() - start;
    if (spent > SLICE_MS) {
      stream.pause();
    }
  });
}
