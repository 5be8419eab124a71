/** Shell code blocks, and the commands that are typed into a terminal from them. Pure. */
import { BLANK_RUNS, withoutUnseen } from '../characters/characters';

/** The language names behind a fence for shells and for terminal output. */
const SHELLS = new Set(
  (
    'bash sh shell zsh fish ksh dash csh tcsh nu nushell shellscript powershell pwsh ps ps1 cmd bat batch dos ' +
    'console terminal shell-session shellsession sh-session bash-session'
  ).split(' '),
);

/** The most UTF-16 units of a block. Users do not read longer ones before they run. */
const MAX_COMMAND = 32 * 1024;
/** The most rows of a block that a narrow page shows without scrolling, and the characters of a row. The page wraps the lines of a shell's block. */
const SEEN_ROWS = 20;
const ROW_WIDTH = 60;
/** The columns of a tab. */
const TAB_WIDTH = 4;
/** The number of blanks in a line, or before its text, that can push the rest out of sight. */
const HIDING_RUN = 8;
const HIDING_INDENT = 40;
/** The most lines and UTF-16 units of a command that a question shows. A command that it cannot show whole does not run. */
const MAX_ASKED_LINES = 60;
const MAX_ASKED = 6000;

/** A shell's prompt: `$`, `%`, `user@host:~$`, `PS C:\>`, `C:\>`. Not `#`, which begins a comment. */
const PROMPT = /^[ \t]*(?:[\w.-]+@[\w.-]+(?:[: ]\S*)? ?[$%#]|[$%❯]|PS(?: [^>\n]{0,200})?>|[A-Za-z]:\\[^>\n]{0,200}>)[ \t]+(?=\S)/;
/** A shell's prompt before the further lines of a command. */
const CONTINUED = /^[ \t]*>[ \t]/;

/** @param language the first word behind the fence */
export function isShell(language: string): boolean {
  return SHELLS.has(language.toLowerCase());
}

/**
 * Returns the commands of a block, without prompts and the output between them. A terminal executes control characters, so a block with invisible
 * characters is refused.
 */
export function shellCommand(block: string): { readonly command: string } | { readonly refused: 'unseen' | 'empty' | 'too_long' } {
  const text = block.replaceAll('\r\n', '\n');
  if (text.length > MAX_COMMAND) {
    return { refused: 'too_long' };
  }
  if (text.includes('\r') || withoutUnseen(text, () => '') !== text) {
    return { refused: 'unseen' };
  }
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '');
  const typed = first !== undefined && PROMPT.test(first) ? typedLines(lines) : withoutComments(lines);
  const command = typed
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return command.trim() === '' ? { refused: 'empty' } : { command };
}

/** True when a reader of the page sees the whole block: it is not too tall, and no blanks push a part of it out of sight. */
export function isSeenWhole(block: string): boolean {
  const lines = block.replace(/\r\n/g, '\n').trimEnd().split('\n');
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / ROW_WIDTH)), 0);
  return rows <= SEEN_ROWS && lines.every((line) => runsIn(line).length === 0);
}

/**
 * Returns the lines of a command for a question, with the number of hiding blanks in their place. Undefined when the question cannot show all of it.
 */
export function askedLines(command: string): readonly string[] | undefined {
  const lines = command
    .split('\n')
    .map((line) =>
      runsIn(line).reduceRight(
        (shown, { index, text }) => `${shown.slice(0, index)} ⟨␣×${widthOf(text)}⟩ ${shown.slice(index + text.length)}`,
        line,
      ),
    );
  return lines.length <= MAX_ASKED_LINES && lines.reduce((sum, { length }) => sum + length, 0) <= MAX_ASKED ? lines : undefined;
}

/** Returns the runs of blanks in a line that can hide the text after them. */
function runsIn(line: string): readonly { readonly index: number; readonly text: string }[] {
  const end = line.trimEnd().length;
  return [...line.matchAll(BLANK_RUNS)]
    .map(({ index, 0: text }) => ({ index, text }))
    .filter(({ index, text }) => index + text.length <= end && widthOf(text) >= (index === 0 ? HIDING_INDENT : HIDING_RUN));
}

/** Returns the width in columns. */
function widthOf(text: string): number {
  return [...text].reduce((sum, char) => sum + (char === '\t' ? TAB_WIDTH : 1), 0);
}

/** Returns the typed lines of terminal output: those with a prompt, and their continuation lines. */
function typedLines(lines: readonly string[]): string[] {
  const typed: string[] = [];
  let goesOn = false;
  for (const line of lines) {
    const prompt = PROMPT.exec(line);
    if (prompt || goesOn) {
      typed.push(prompt ? line.slice(prompt[0].length) : line.replace(CONTINUED, ''));
      goesOn = /(?:\\|`|\^|\||&&)\s*$/.test(typed.at(-1)!);
    } else if (CONTINUED.test(line) && typed.length > 0) {
      typed.push(line.replace(CONTINUED, ''));
    }
  }
  return typed;
}

/** Removes comment lines, because not every shell accepts them at its prompt. In a here-document or a quoted text they belong to the text. */
function withoutComments(lines: readonly string[]): readonly string[] {
  return lines.some((line) => line.includes('<<') || /["'`]/.test(line)) ? lines : lines.filter((line) => !/^\s*#/.test(line));
}
