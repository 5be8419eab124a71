/** A command line in pieces: the commands that need an answer, and the rest. Pure. */
import type { AdviceSegment } from '../advice/advice';

interface CommandPiece {
  readonly text: string;
  readonly asks: boolean;
}

/**
 * Cuts a command line into the commands that need an answer and the text between them. No command is marked when each one needs an answer. Segments that
 * do not fit the line are left out, so that no text is lost.
 */
export function commandPieces(line: string, segments: readonly AdviceSegment[] = []): readonly CommandPiece[] {
  const pieces: CommandPiece[] = [];
  let at = 0;
  const asking = segments.every(({ asks }) => asks) ? [] : segments.filter(({ asks }) => asks);
  for (const { start, end } of asking.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > line.length) {
      continue;
    }
    pieces.push({ text: line.slice(at, start), asks: false }, { text: line.slice(start, end), asks: true });
    at = end;
  }
  return [...pieces, { text: line.slice(at), asks: false }].filter(({ text }) => text !== '');
}
