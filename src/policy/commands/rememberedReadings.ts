/** Readings of command lines, kept for the next question: an agent repeats its commands, and a question reads its line several times. */
import type { CommandReading, LineReader } from './reading';

/** The most lines, and the most UTF-16 units of their texts. */
const MAX_LINES = 100;
const MAX_SIZE = 64 * 1024;

/** A reading depends on the text and the folders alone, so it never becomes wrong. */
export function remembering(reader: LineReader): LineReader {
  /** The least recently read line first. */
  const readings = new Map<string, CommandReading>();
  let size = 0;
  return {
    read: (line, folders) => {
      const key = folders ? [folders.cwd, folders.session, line].join('\0') : line;
      const known = readings.get(key);
      const reading = known ?? reader.read(line, folders);
      // Deleted first, so that the line becomes the most recent one.
      size += readings.delete(key) ? 0 : key.length;
      readings.set(key, reading);
      for (const oldest of readings.keys()) {
        if (readings.size <= MAX_LINES && size <= MAX_SIZE) {
          break;
        }
        readings.delete(oldest);
        size -= oldest.length;
      }
      return reading;
    },
  };
}
