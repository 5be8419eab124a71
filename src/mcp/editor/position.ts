/**
 * The position that a model means: a symbol and the text of its line, because models miscount lines; or a line and a column from 1. A column counts
 * characters and not UTF-16 units.
 */
import { z } from 'zod';
import { fileField } from './files';
import { RetryError } from './retry';

/** The fields of a tool's input for a position in a file. */
export const positionFields = {
  file: fileField,
  symbol: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('The name at the position, such as parseConfig. Preferred, together with lineText.'),
  lineText: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('The text of a line that contains the symbol, copied from the file. White space does not matter.'),
  line: z.int().min(1).optional().describe('1-based line, instead of lineText, or to choose between equal lines.'),
  column: z.int().min(1).optional().describe('1-based column in the line, instead of symbol.'),
};

export interface PositionInput {
  readonly symbol?: string | undefined;
  readonly lineText?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A place in a text as VS Code counts: from 0, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** The maximum number of lines in an error. */
const MAX_LISTED = 20;
const MAX_PREVIEW = 200;
/** The maximum number of UTF-16 units of a name before a position. */
const MAX_NAME = 1000;
const WORD_START = /^[\p{L}\p{N}\p{M}_$]/u;
const WORD_END = /[\p{L}\p{N}\p{M}_$]$/u;

/** Splits like VS Code: at `\r\n`, `\n` and a `\r` alone. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * Returns the position that `input` means.
 * @param shown the file's name in errors
 * @throws RetryError when there is none, or more than one
 */
export function locate(text: string, input: PositionInput, shown: string): Position {
  const lines = splitLines(text);
  const { symbol, lineText, line, column } = input;
  if (line !== undefined && line > lines.length) {
    throw new RetryError(
      `${shown} has ${lines.length} lines, so there is no line ${line}. Give the symbol and the text of its line instead.`,
    );
  }
  if (symbol !== undefined) {
    return locateSymbol(lines, symbol, input, shown);
  }
  if (lineText !== undefined || line === undefined || column === undefined) {
    throw new RetryError('Give symbol and lineText (the text of a line that contains the symbol), or line and column, both 1-based.');
  }
  const at = lines[line - 1]!;
  const character = unitOf(at, column);
  if (character === undefined) {
    throw new RetryError(
      `Line ${line} of ${shown} has ${countOf(at)} characters, so there is no column ${column}: ${previewOf(at)}\nGive symbol and lineText instead.`,
    );
  }
  return { line: line - 1, character };
}

/** Returns the 0-based line that `input` means. @throws RetryError */
export function locateLine(text: string, input: PositionInput, shown: string): number {
  if (input.symbol !== undefined || (input.line !== undefined && input.column !== undefined)) {
    return locate(text, input, shown).line;
  }
  const lines = splitLines(text);
  if (input.lineText !== undefined) {
    const found = linesLike(lines, input.lineText, () => true);
    return one(
      lines,
      found,
      input.line,
      shown,
      () => `No line of ${shown} is ${quoted(input.lineText!)}. Read the file and copy the line.`,
    );
  }
  if (input.line === undefined) {
    throw new RetryError('Give lineText (the text of the line) or line (1-based).');
  }
  if (input.line > lines.length) {
    throw new RetryError(`${shown} has ${lines.length} lines, so there is no line ${input.line}.`);
  }
  return input.line - 1;
}

/** Returns the 1-based column of a UTF-16 offset in a line. */
export function columnOf(line: string, character: number): number {
  return countOf(line.slice(0, character)) + 1;
}

/** Returns the number of characters. Lines of generated files have millions of them, so no list of them is made. */
function countOf(text: string): number {
  let pairs = 0;
  for (const _ of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) {
    pairs++;
  }
  return text.length - pairs;
}

/** Returns the name that begins at an offset, or has it in its middle. */
export function wordAround(line: string, character: number): string {
  let start = character;
  // Two units hold any character. An expression for the whole beginning of a long line would try each of its places.
  for (let unit = unitsBefore(line, start); unit > 0 && character - start < MAX_NAME; unit = unitsBefore(line, start)) {
    start -= unit;
  }
  return line.slice(start, character) + /^[\p{L}\p{N}\p{M}_$]*/u.exec(line.slice(character))![0];
}

/** Returns the number of UTF-16 units of the character before an offset; 0 when it belongs to no name. */
function unitsBefore(line: string, at: number): number {
  const units = /[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(line.slice(Math.max(0, at - 2), at)) ? 2 : 1;
  return WORD_END.test(line.slice(Math.max(0, at - units), at)) ? units : 0;
}

/** Returns a line for an answer: trimmed and shortened. */
export function previewOf(line: string): string {
  const trimmed = line.trim();
  if (trimmed.length <= MAX_PREVIEW) {
    return trimmed;
  }
  const isSplit = /[\uD800-\uDBFF]/.test(trimmed[MAX_PREVIEW - 1]!);
  return `${trimmed.slice(0, isSplit ? MAX_PREVIEW - 1 : MAX_PREVIEW)}…`;
}

function locateSymbol(lines: readonly string[], symbol: string, { lineText, line }: PositionInput, shown: string): Position {
  const isIn = (text: string): boolean => offsetOf(text, symbol) >= 0;
  const atLine = (index: number): Position => ({ line: index, character: offsetOf(lines[index]!, symbol) });
  const holding = (): number[] => lines.flatMap((text, index) => (isIn(text) ? [index] : []));
  const where = (): string => {
    const found = holding();
    return found.length === 0
      ? `${symbol} is not in ${shown}. Search for it, then name its file.`
      : `${symbol} is in these lines of ${shown}:\n${listed(lines, found)}\nGive one of them as lineText.`;
  };
  if (lineText !== undefined) {
    const found = linesLike(lines, lineText, isIn);
    return atLine(one(lines, found, line, shown, () => `No line of ${shown} with ${symbol} is ${quoted(lineText)}. ${where()}`));
  }
  if (line !== undefined) {
    if (!isIn(lines[line - 1]!)) {
      throw new RetryError(`${symbol} is not in line ${line} of ${shown}: ${previewOf(lines[line - 1]!)}\n${where()}`);
    }
    return atLine(line - 1);
  }
  return atLine(one(lines, holding(), undefined, shown, where));
}

/** @throws RetryError unless exactly one of `found` is meant */
function one(lines: readonly string[], found: readonly number[], line: number | undefined, shown: string, none: () => string): number {
  if (found.length === 0) {
    throw new RetryError(none());
  }
  if (found.length === 1) {
    return found[0]!;
  }
  if (line !== undefined && found.includes(line - 1)) {
    return line - 1;
  }
  throw new RetryError(`${found.length} lines of ${shown} match:\n${listed(lines, found)}\nGive line too, to choose one.`);
}

/** Returns the lines that `lineText` means, by the strictest comparison that finds any. */
function linesLike(lines: readonly string[], lineText: string, isCandidate: (line: string) => boolean): number[] {
  const given = splitLines(lineText).filter((line) => line.trim() !== '');
  const wanted = given.find(isCandidate) ?? given[0] ?? '';
  const candidates = lines.flatMap((line, index) => (isCandidate(line) ? [index] : []));
  const matching = (read: (line: string) => string, matches: (line: string, text: string) => boolean, text = wanted): number[] => {
    const target = read(text);
    return target === '' ? [] : candidates.filter((index) => matches(read(lines[index]!), target));
  };
  const isSame = (a: string, b: string): boolean => a === b;
  // Tools that show files put the number of a line in front of it, and models copy it.
  const withoutNumber = wanted.replace(/^\s*\d+\s*[:|→\t]\s?/, '');
  const attempts = [
    () => matching(collapsed, isSame),
    () => matching(squeezed, isSame),
    () => (withoutNumber === wanted ? [] : matching(squeezed, isSame, withoutNumber)),
    () => matching(squeezed, (line, text) => line.includes(text)),
  ];
  for (const attempt of attempts) {
    const found = attempt();
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

function collapsed(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, '');
}

/** Returns the offset of a whole name in a line, or -1. A name that is no word is found anywhere. */
function offsetOf(line: string, symbol: string): number {
  const startsWord = WORD_START.test(symbol);
  const endsWord = WORD_END.test(symbol);
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    const end = at + symbol.length;
    // Two units hold any character.
    const isCut =
      (startsWord && WORD_END.test(line.slice(Math.max(0, at - 2), at))) || (endsWord && WORD_START.test(line.slice(end, end + 2)));
    if (!isCut) {
      return at;
    }
  }
  return -1;
}

/** Returns the offset of a 1-based column; the end of the line is a column, too. Undefined beyond it. */
function unitOf(line: string, column: number): number | undefined {
  let unit = 0;
  for (let at = 1; at < column; at++) {
    const code = line.codePointAt(unit);
    if (code === undefined) {
      return undefined;
    }
    unit += code > 0xffff ? 2 : 1;
  }
  return unit;
}

function listed(lines: readonly string[], found: readonly number[]): string {
  const rows = found.slice(0, MAX_LISTED).map((index) => `${index + 1}: ${previewOf(lines[index]!)}`);
  const left = found.length - rows.length;
  return rows.join('\n') + (left > 0 ? `\n… and ${left} more` : '');
}

function quoted(text: string): string {
  return JSON.stringify(previewOf(text));
}
