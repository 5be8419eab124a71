/** The commands that a line may contain, for a line that cannot be read: everything behind a separator or a quote. For denials alone. */
import { type CommandSegment, MAX_SEGMENTS } from './reading';

export function looseSegments(line: string): readonly CommandSegment[] {
  return line
    .split(/[;&|(){}<>"'`\n\r]+|\$\(/)
    .map((part) =>
      part
        .replace(/^\s*(?:do|then|else)\s/i, '')
        .trim()
        .split(/\s+/)
        .filter(Boolean),
    )
    .filter((words) => words.length > 0)
    .slice(0, MAX_SEGMENTS)
    .map((words) => ({ start: 0, end: line.length, words, assigns: [], redirections: [], folder: '', inner: [], isTransparent: false }));
}
