/** Where in its file a difference stands, when what the agent sent is a passage of the file. */
import type { FileChange, Location, ToolContent } from '../../../src/core/model/content';
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
 * The number of the texts' first line; undefined when nobody knows it: no number is better than a wrong one. `told`: the line that the agent has named. Of a
 * whole file that may be the line of its first change, and whether the texts are a whole file is seen only where they end within a line.
 */
export function firstNumber(
  { oldText, line }: Pick<FileChange, 'oldText' | 'line'>,
  { hunks }: Pick<FileDiff, 'hunks'>,
  told: number | undefined,
): number | undefined {
  if (line !== undefined) {
    return line; // It was looked up in the file.
  }
  if ((oldText ?? undefined) === undefined) {
    return 1; // A new file.
  }
  const change = hunks[0]?.lines.find(({ sign }) => sign !== ' ');
  if (told === 1 || (told !== undefined && change?.index === told - 1)) {
    return 1;
  }
  return oldText!.endsWith('\n') || oldText === '' ? undefined : told;
}

/** The line to go to for a change: the first that it touches. */
export function firstChangedLine(diff: FileDiff | undefined, first: number | undefined): number | undefined {
  const at = diff?.hunks[0]?.lines.findIndex(({ sign }) => sign !== ' ') ?? -1;
  // Lines taken out are not there any more: it is where they were.
  return first === undefined || at < 0 ? first : first + (diff!.hunks[0]!.lines[at]?.index ?? 0);
}
