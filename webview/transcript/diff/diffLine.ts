/** The line numbers of a difference in its file, when the agent sent only a passage of the file. */
import type { FileChange, Location, ToolContent } from '../../../src/core/model/content';
import type { FileDiff } from './hunks';

/**
 * Returns the line that the agent has sent for `content[index]`. Several passages of one file need the same number of locations, in the same order.
 * Otherwise the assignment is unknown.
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
 * Returns the number of the texts' first line; undefined when it is unknown, because no number is better than a wrong one.
 *
 * `told` is the line that the agent has sent. For a whole file it may be the line of its first change. The texts are known to be a whole file only
 * when they end within a line.
 */
export function firstNumber(
  { oldText, line }: Pick<FileChange, 'oldText' | 'line'>,
  { hunks }: Pick<FileDiff, 'hunks'>,
  reportedLine: number | undefined,
): number | undefined {
  if (line !== undefined) {
    return line; // The host has looked the line up in the file.
  }
  if ((oldText ?? undefined) === undefined) {
    return 1; // The file is new.
  }
  const change = hunks[0]?.lines.find(({ sign }) => sign !== ' ');
  if (reportedLine === 1 || (reportedLine !== undefined && change?.index === reportedLine - 1)) {
    return 1;
  }
  return oldText!.endsWith('\n') || oldText === '' ? undefined : reportedLine;
}

/** Returns the line to open for a change: the first changed line. */
export function firstChangedLine(diff: FileDiff | undefined, first: number | undefined): number | undefined {
  const at = diff?.hunks[0]?.lines.findIndex(({ sign }) => sign !== ' ') ?? -1;
  // Removed lines no longer exist, so the line after them is used.
  return first === undefined || at < 0 ? first : first + (diff!.hunks[0]!.lines[at]?.index ?? 0);
}
