/**
 * Contents whose author can be read from their bytes. Each written line begins with its author's letter and a number that no other line has. The line
 * is found wherever it is moved, and a changed byte in it is detected. Text is Latin-1 here: one character for each byte.
 */

/** u: the user, before or after the turn. a: the agent. c: a canary, which is outside the session's folders. */
export type Letter = 'u' | 'a' | 'c';

/** A line without its line feed. A carriage return belongs to it. */
export function lineOf(letter: Letter, number: number, text = 'line'): string {
  return `${letter}${number}; ${text}`;
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** The bytes that an editor writes for a text. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

const AUTHORED = /^([uac])\d+; /;

/** The lines of one author. */
export function linesBy(letter: Letter, text: string): string[] {
  return text.split('\n').filter((line) => AUTHORED.exec(line)?.[1] === letter);
}

export function authorOf(line: string): Letter | undefined {
  return AUTHORED.exec(line)?.[1] as Letter | undefined;
}

/** Returns `text` with a line inserted before the line `at`, modulo the number of lines. */
export function withLine(text: string, at: number, line: string): string {
  const lines = text.split('\n');
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const ending = lines.some((each) => each.endsWith('\r')) ? '\r' : '';
  lines.splice(at % (end + 1), 0, line + ending);
  return lines.join('\n');
}

/** Returns `text` with the line `at` replaced, or removed when `line` is undefined; undefined when there is no line. */
export function replacingLine(text: string, at: number, line: string | undefined): string | undefined {
  const lines = text.split('\n');
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (end === 0) {
    return undefined;
  }
  const index = at % end;
  const ending = lines[index]!.endsWith('\r') ? '\r' : '';
  lines.splice(index, 1, ...(line === undefined ? [] : [line + ending]));
  return lines.join('\n');
}

/** Returns the text of Latin-1 characters that are bytes of UTF-8; null for no text. */
export function utf8(text: string): string;
export function utf8(text: string | undefined): string | null;
export function utf8(text: string | undefined): string | null {
  return text === undefined ? null : Buffer.from(text, 'latin1').toString('utf8');
}
