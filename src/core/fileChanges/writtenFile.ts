/** Summarizes a file written for the agent. Separate from the summary of whole turns, which is loaded later. */
import { lineCounts } from './lineCounts';
import type { WrittenFile } from './turnFiles';

/** The budget for one write. */
const UNITS = 8 * 1024 * 1024;
const STEPS = 200_000;

/**
 * Returns the summary of one write. `before` is undefined when the file did not exist.
 * @param subagentId the subagent that writes; absent for the agent itself
 */
export function writtenFile(path: string, before: string | undefined, after: string, subagentId?: string): WrittenFile {
  return {
    path,
    operation: before === undefined ? 'add' : 'modify',
    ...lineCounts(before ?? '', after, { units: UNITS, steps: STEPS }),
    ...(subagentId !== undefined && { subagents: [subagentId] }),
  };
}
