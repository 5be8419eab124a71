/** The text of a file before the pending changes of several sessions. Pure. */
import { baselineOf } from '../../core/fileChanges/hunks';
import type { LiveHunks } from '../hunks/liveHunks';

/** Undefined where changes of two sessions overlap, or the sessions know different texts. */
export function mergedBaseline(all: readonly Pick<LiveHunks, 'text' | 'hunks'>[]): string | undefined {
  const [first, ...others] = all;
  if (!first || others.some(({ text }) => text !== first.text)) {
    return undefined;
  }
  const hunks = all.flatMap((live) => live.hunks).sort((one, other) => one.start - other.start || one.end - other.end);
  const isApart = hunks.every(({ start, end }, index) => {
    const before = hunks[index - 1];
    // The order of a deletion and of what touches it is not known.
    const isTouching = before !== undefined && start === before.end;
    return before === undefined || start > before.end || (isTouching && start < end && before.start < before.end);
  });
  return isApart ? baselineOf(first.text, hunks) : undefined;
}
