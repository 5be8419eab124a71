/** Where in its file a difference stands, when what the agent sent is a passage of the file. */
import type { Location, ToolContent } from '../../../src/core/model/content';
import type { FileDiff } from './hunks';

/**
 * The line that the agent has told for `content[index]`: the place in its file. Of several passages of one file each has its place in the same
 * order, or nobody knows which one is meant.
 */
export function lineOf(content: readonly ToolContent[], index: number, locations: readonly Location[]): number | undefined {
  const each = content[index];
  const path = each?.type === 'diff' ? each.changes[0]?.path : undefined;
  if (path === undefined) {
    return undefined;
  }
  const lines = locations.filter((location) => location.path === path).map(({ line }) => line);
  const passages = content.flatMap((other, at) => (other.type === 'diff' && other.changes[0]?.path === path ? [at] : []));
  return lines.length === passages.length ? lines[passages.indexOf(index)] : undefined;
}

/**
 * The number of the texts' first line; undefined when nobody knows it: no number is better than a wrong one. A place that is told with a whole file
 * may be that of its first change.
 */
export function firstNumber({ passage, hunks }: Pick<FileDiff, 'passage' | 'hunks'>, line: number | undefined): number | undefined {
  if (!passage) {
    return 1;
  }
  const change = hunks[0]?.lines.find(({ sign }) => sign !== ' ');
  return line !== undefined && change?.index === line - 1 ? 1 : line;
}
