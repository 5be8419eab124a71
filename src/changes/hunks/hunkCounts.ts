/** Counts the lines of pending changes. Pure. */
import { type CountBudget, type LineCounts, lineCounts } from '../../core/fileChanges/lineCounts';
import type { LiveHunks } from './liveHunks';

/** The lines that the hunks add and remove. A hunk beyond the budget counts with all its lines. */
export function hunkCounts({ text, hunks }: LiveHunks, budget: CountBudget): LineCounts {
  let [added, removed] = [0, 0];
  for (const { start, end, oldText } of hunks) {
    const newText = text.slice(start, end);
    const isOneSided = oldText === '' || newText === '';
    const counts = isOneSided ? undefined : lineCounts(oldText, newText, budget);
    added += counts?.added ?? linesOf(newText);
    removed += counts?.removed ?? linesOf(oldText);
  }
  return { added, removed };
}

/** The number of lines; a last line without a line feed counts. */
export function linesOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return text === '' || text.endsWith('\n') ? count : count + 1;
}
