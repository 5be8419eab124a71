/** Locates the texts of an agent's change in a file. Most agents send a passage of the file without its position. Pure. */
import type { FileChange } from '../model/content';

/** The state of a change. `before`: not made, or not yet. `after`: made. `unknown`: either. */
export type ChangePhase = 'before' | 'after' | 'unknown';

/** Derives the phase of a change from its tool call's status. */
export function phaseOf(status: string): ChangePhase {
  switch (status) {
    case 'completed':
      return 'after';
    case 'pending':
    case 'failed':
    case 'cancelled':
      return 'before';
    default:
      return 'unknown';
  }
}

/**
 * Returns the line (1-based) at which the change's texts begin in `file`, the file's present text. Undefined when they do not occur in it, or occur
 * more than once: no number is better than a wrong one.
 * @param file undefined when the file does not exist
 * @param reported lines named by the agent; they decide between several occurrences
 */
export function lineOfChange(
  file: string | undefined,
  { oldText, newText }: Pick<FileChange, 'oldText' | 'newText'>,
  phase: ChangePhase,
  reported: readonly number[] = [],
): number | undefined {
  if ((oldText ?? undefined) === undefined) {
    return newText === undefined ? undefined : 1; // The whole of a new file.
  }
  const before = unified(oldText!);
  const after = unified(newText ?? '');
  const text = unified(file ?? '');
  if (text === before || (text === after && file !== undefined)) {
    const isExpected = text === after ? phase === 'after' : phase === 'before';
    // When the file has the text that does not fit the status, and also contains the other one, the texts may be passages that match by chance.
    return isExpected || before === '' || !text.includes(text === before ? after : before) ? 1 : undefined;
  }
  const isOld = place(text, before, reported);
  const isNew = place(text, after, reported);
  switch (phase) {
    case 'after':
      return isNew === undefined ? undefined : lineAt(text, isNew);
    case 'before':
      // When the new text surrounds the old one, the change may have been written already.
      return isOld === undefined ||
        (isNew !== undefined && isNew <= isOld && isOld + before.length <= isNew + after.length && after !== before)
        ? undefined
        : lineAt(text, isOld);
    case 'unknown':
      if (isOld !== undefined && !text.includes(after || before + after)) {
        return lineAt(text, isOld);
      }
      return isNew !== undefined && !text.includes(before) ? lineAt(text, isNew) : undefined;
  }
}

interface Passage {
  readonly oldText: string;
  readonly newText: string;
  /** The line (1-based) at which the texts begin, where it is known. */
  readonly line?: number | undefined;
}

/**
 * Derives the whole texts before and after changes that were reported as passages, from the file's present text. The changes may be made or still to
 * be made. Undefined when the passages do not occur in the file as reported. Lines end with line feeds.
 */
export function wholeTexts(
  file: string,
  passages: readonly Passage[],
  phase: ChangePhase,
): { readonly before: string; readonly after: string } | undefined {
  const text = unified(file);
  const isMade = () => {
    const before = replaced(
      text,
      passages.map(({ oldText, newText, line }) => ({ from: newText, to: oldText, line })),
    );
    return before === undefined ? undefined : { before, after: text };
  };
  const isToBeMade = () => {
    const after = replaced(
      text,
      passages.map(({ oldText, newText, line }) => ({ from: oldText, to: newText, line })),
    );
    return after === undefined ? undefined : { before: text, after };
  };
  return phase === 'after' ? (isMade() ?? isToBeMade()) : (isToBeMade() ?? isMade());
}

/**
 * Returns `text` with each passage replaced. Undefined when a passage does not occur in it, or has no unique position. Starts with the last passage,
 * because a later passage may contain the result of an earlier one.
 */
function replaced(text: string, passages: readonly { from: string; to: string; line: number | undefined }[]): string | undefined {
  let result: string | undefined = text;
  for (const { from, to, line } of passages.toReversed()) {
    const start: number | undefined = result === undefined ? undefined : place(result, unified(from), line === undefined ? [] : [line]);
    result = start === undefined ? undefined : result!.slice(0, start) + unified(to) + result!.slice(start + unified(from).length);
  }
  return result;
}

/**
 * Returns the offset of `part` in `text`. When it occurs several times, the occurrence that begins in one of these lines; undefined if there are
 * more.
 */
function place(text: string, part: string, lines: readonly number[]): number | undefined {
  const first = part === '' ? -1 : text.indexOf(part);
  if (first < 0) {
    return undefined;
  }
  if (text.indexOf(part, first + 1) < 0) {
    return first;
  }
  const found = [...new Set(lines)].flatMap((line) => {
    const start = startOf(text, line);
    const end = start < 0 ? -1 : text.indexOf('\n', start);
    const at = start < 0 ? -1 : text.indexOf(part, start);
    return at >= 0 && (end < 0 || at <= end) ? [at] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the offset at which a line (1-based) begins; -1 when there are fewer lines. */
export function startOf(text: string, line: number): number {
  let start = 0;
  for (let number = 1; number < line; number++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) {
      return -1;
    }
  }
  return start;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) {
    line++;
  }
  return line;
}

/** Returns the text with line feeds only and without the byte order mark. */
export function unified(text: string): string {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll('\r\n', '\n');
}
