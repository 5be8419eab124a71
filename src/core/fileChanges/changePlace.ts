/** Where in a file the texts of an agent's change stand: most agents send a passage of the file, and do not say which. Pure. */
import type { FileChange } from '../model/content';

/** before: the change was not made yet, or will not be; after: it was made; unknown: it may be either. */
export type ChangePhase = 'before' | 'after' | 'unknown';

/** What is known of a change from its tool call's status. */
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
 * The line (1-based) at which the change's texts begin in `file`, the text that the file has now; undefined when they are not in it, or in more than one
 * place: no number is better than a wrong one.
 * @param file undefined: there is none
 * @param told lines that the agent has named, which decide between several places
 */
export function lineOfChange(
  file: string | undefined,
  { oldText, newText }: Pick<FileChange, 'oldText' | 'newText'>,
  phase: ChangePhase,
  told: readonly number[] = [],
): number | undefined {
  if ((oldText ?? undefined) === undefined) {
    return newText === undefined ? undefined : 1; // The whole of a new file.
  }
  const before = unified(oldText!);
  const after = unified(newText ?? '');
  const text = unified(file ?? '');
  if (text === before || (text === after && file !== undefined)) {
    const isExpected = text === after ? phase === 'after' : phase === 'before';
    // Where the status lets one expect the other text, and the file holds that as well, they may be passages: equal by chance.
    return isExpected || before === '' || !text.includes(text === before ? after : before) ? 1 : undefined;
  }
  const isOld = place(text, before, told);
  const isNew = place(text, after, told);
  switch (phase) {
    case 'after':
      return isNew === undefined ? undefined : lineAt(text, isNew);
    case 'before':
      // Where the new text stands around the old one, it may have been written already.
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
  /** 1-based, when it is known where the texts begin. */
  readonly line?: number | undefined;
}

/**
 * The whole file before and after changes that were told as passages of it, from the text that it has now: made already, or to be made. Undefined when the
 * passages are not in it as they were told. Lines end with line feeds.
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

/** `text` with each passage in the place of the other; undefined when one is not there, or not in one place. The last comes first: it may stand on an earlier one. */
function replaced(text: string, passages: readonly { from: string; to: string; line: number | undefined }[]): string | undefined {
  let result: string | undefined = text;
  for (const { from, to, line } of passages.toReversed()) {
    const start: number | undefined = result === undefined ? undefined : place(result, unified(from), line === undefined ? [] : [line]);
    result = start === undefined ? undefined : result!.slice(0, start) + unified(to) + result!.slice(start + unified(from).length);
  }
  return result;
}

/** Where `part` stands in `text`: the one place, or of several the one that begins in one of these lines. */
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

/** Where a line (1-based) begins; -1 when there are not so many. */
function startOf(text: string, line: number): number {
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

/** With line feeds only, and without the mark that says how a file is encoded. */
function unified(text: string): string {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll('\r\n', '\n');
}
