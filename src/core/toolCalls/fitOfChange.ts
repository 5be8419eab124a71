/** Compares a change with the file's present text, where an agent has sent texts that do not fit the file's lines exactly. Pure. */
import type { FileChange } from '../model/content';
import { type ChangePhase, lineOfChange, startOf, unified } from './locateChange';

type Texts = Pick<FileChange, 'oldText' | 'newText'>;

/** The position of a change in the file, and how its texts fit there. */
export type ChangeFit = Pick<FileChange, 'line' | 'match' | 'context' | 'fileText' | 'lineParts'>;

/** Lines of the file around a passage that prove that the new text is the whole file. Fewer may be equal by chance. */
const MIN_CONTEXT = 3;
/** UTF-16 units of a line that are shown around a passage within it. */
const MAX_LINE_PARTS = 500;

/**
 * Returns the fit of a change that was not made yet. A passage counts with any white space in its lines when the file does not have it exactly.
 * @param file undefined when the file does not exist or cannot be read @param reported lines named by the agent, see {@link lineOfChange}
 */
export function fitOfChange(file: string | undefined, change: Texts, reported: readonly number[] = []): ChangeFit {
  const { oldText, newText = '' } = change;
  const line = lineOfChange(file, change, 'before', reported);
  if (file === undefined || typeof oldText !== 'string' || oldText.trim() === '') {
    return line === undefined ? {} : { line };
  }
  const text = unified(file);
  const [before, after] = [unified(oldText), unified(newText)];
  if (line !== undefined) {
    const context = contextOf(text, before, after, line);
    const lineParts = linePartsOf(text, before, line);
    return { line, ...(context && { context }), ...(lineParts && { lineParts }) };
  }
  if (text.includes(before)) {
    return text.indexOf(before) === text.lastIndexOf(before) ? {} : { match: 'several' };
  }
  if (after.trim() !== '' && text.includes(after)) {
    return {}; // The change may have been made already.
  }
  const [found, second] = linesLike(text, before);
  if (found === undefined || second !== undefined) {
    return { match: found === undefined ? 'missing' : 'several' };
  }
  const count = before.split('\n').length - 1;
  const fileText = before.endsWith('\n') ? linesFrom(text, found, count).replace(/\n?$/, '\n') : linesFrom(text, found, count + 1);
  return { line: found, ...(equalLines(after, fileText) > equalLines(after, before) ? { fileText } : { match: 'spaces' }) };
}

/** Returns the fit of a change in any other phase: its line, and the rest of that line. */
export function fitInPhase(file: string | undefined, change: Texts, phase: ChangePhase, reported: readonly number[]): ChangeFit {
  const line = lineOfChange(file, change, phase, reported);
  if (line === undefined || file === undefined || typeof change.oldText !== 'string') {
    return line === undefined ? {} : { line };
  }
  const text = unified(file);
  const [before, after] = [unified(change.oldText), unified(change.newText ?? '')];
  const isMade = phase === 'after' || (phase === 'unknown' && after !== '' && text.includes(after));
  const lineParts = linePartsOf(text, isMade ? after : before, line);
  return { line, ...(lineParts && { lineParts }) };
}

/** Returns the change's texts for display: whole lines, with the white space of the file, and without its other lines in a new text that is the whole file. */
export function alignedTexts({
  oldText: sent,
  newText,
  context,
  fileText,
  lineParts,
}: Texts & Pick<FileChange, 'context' | 'fileText' | 'lineParts'>): Texts {
  const inLine = (text: string): string => (lineParts ? lineParts.before + text + lineParts.after : text);
  const oldText = fileText ?? (typeof sent === 'string' ? inLine(sent) : sent);
  if (!context || newText === undefined) {
    return { ...(oldText !== undefined && { oldText }), ...(newText !== undefined && { newText: inLine(newText) }) };
  }
  const lines = newText.split('\n');
  const own = lines.slice(context.before, lines.length - context.after);
  return { oldText: oldText ?? '', newText: own.join('\n') + (own.length > 0 && oldText?.endsWith('\n') ? '\n' : '') };
}

/** Returns the numbers of lines that `after` has from the file around the passage, if it has the whole rest of the file. */
function contextOf(text: string, before: string, after: string, line: number): FileChange['context'] {
  let start = 0;
  for (let number = 1; number < line; number++) {
    start = text.indexOf('\n', start) + 1;
  }
  const at = text.indexOf(before, start);
  const [head, tail] = [text.slice(0, at), text.slice(at + before.length)];
  const isWhole = after.length >= head.length + tail.length && after.startsWith(head) && after.endsWith(tail);
  if (!isWhole || [...head.split('\n'), ...tail.split('\n')].filter((each) => each.trim() !== '').length < MIN_CONTEXT) {
    return undefined;
  }
  return { before: breaksIn(head), after: breaksIn(tail) + (before.endsWith('\n') ? 1 : 0) };
}

/** Returns the rest of the lines in which a passage begins and ends; undefined for whole lines, and for a very long rest. */
function linePartsOf(text: string, passage: string, line: number): FileChange['lineParts'] {
  const start = startOf(text, line);
  const at = start < 0 || passage === '' ? -1 : text.indexOf(passage, start);
  if (at < 0) {
    return undefined;
  }
  const end = at + passage.length;
  const lineEnd = passage.endsWith('\n') ? end : text.indexOf('\n', end);
  const [before, after] = [text.slice(start, at), text.slice(end, lineEnd < 0 ? undefined : lineEnd)];
  return before + after === '' || before.length + after.length > MAX_LINE_PARTS ? undefined : { before, after };
}

/**
 * Returns the first two lines (1-based) at which lines begin that differ from those of `part` in white space alone. Searches by Knuth, Morris and
 * Pratt, because the engine's own search takes quadratic time for repetitive texts.
 */
function linesLike(text: string, part: string): number[] {
  const bare = (lines: string): string[] => lines.replace(/[^\S\n]+/g, '').split('\n');
  const wanted = bare(part.endsWith('\n') ? part.slice(0, -1) : part);
  /** For each number of equal lines, the number that is still equal when the next line is not. */
  const fallback = [0, 0];
  const advance = (equal: number, line: string): number => {
    let length = equal;
    while (length > 0 && wanted[length] !== line) {
      length = fallback[length]!;
    }
    return wanted[length] === line ? length + 1 : 0;
  };
  for (let at = 1; at < wanted.length; at++) {
    fallback.push(advance(fallback[at]!, wanted[at]!));
  }
  const found: number[] = [];
  let equal = 0;
  for (const [index, line] of bare(text).entries()) {
    equal = advance(equal, line);
    if (equal === wanted.length && found.push(index + 2 - equal) === 2) {
      break;
    }
  }
  return found;
}

function linesFrom(text: string, line: number, count: number): string {
  return text
    .split('\n')
    .slice(line - 1, line - 1 + count)
    .join('\n');
}

/** Returns the number of lines of `text` that `other` has, too. */
function equalLines(text: string, other: string): number {
  const lines = new Set(other.split('\n'));
  return text.split('\n').filter((line) => line.trim() !== '' && lines.has(line)).length;
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
