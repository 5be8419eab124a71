/** What a file that was written for the agent counts for. Apart from what counts whole turns, which is loaded later. */
import { lineCounts } from './lineCounts';
import type { WrittenFile } from './turnFiles';

/** Of one write. */
const UNITS = 8 * 1024 * 1024;
const STEPS = 200_000;

/** What a write counts for: `before` is undefined where there was no file. */
export function writtenFile(path: string, before: string | undefined, after: string): WrittenFile {
  return {
    path,
    operation: before === undefined ? 'add' : 'modify',
    ...lineCounts(before ?? '', after, { units: UNITS, steps: STEPS }),
  };
}
