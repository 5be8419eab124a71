/** Blocks of code that are for a shell, and what of them is typed into it. Pure. */
import { withoutUnseen } from '../characters/characters';

/** What people write behind a fence for the shells that there are, and for what a terminal showed. */
const SHELLS = new Set(
  (
    'bash sh shell zsh fish ksh dash csh tcsh nu nushell shellscript powershell pwsh ps ps1 cmd bat batch dos ' +
    'console terminal shell-session shellsession sh-session bash-session'
  ).split(' '),
);

/** UTF-16 units; nobody reads more before it runs. */
const MAX_COMMAND = 32 * 1024;

/** `$`, `%`, `user@host:~$`, `PS C:\>`, `C:\>`: what a shell writes before a command. Not `#`, which begins a comment. */
const PROMPT = /^[ \t]*(?:[\w.-]+@[\w.-]+(?:[: ]\S*)? ?[$%#]|[$%❯]|PS(?: [^>\n]{0,200})?>|[A-Za-z]:\\[^>\n]{0,200}>)[ \t]+(?=\S)/;
/** What it writes before the further lines of one. */
const CONTINUED = /^[ \t]*>[ \t]/;

/** @param language the first word behind the fence */
export function isShell(language: string): boolean {
  return SHELLS.has(language.toLowerCase());
}

/**
 * The commands of a block, without prompts and what was printed between them. Nothing that the reader cannot see goes into a terminal, which obeys
 * control characters: such a block is refused.
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

/** Of what a terminal showed: the lines that have a prompt, and those that go on from one. */
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

/** Not every shell takes comments at its prompt. In a text that is handed on as it is they belong to the text. */
function withoutComments(lines: readonly string[]): readonly string[] {
  return lines.some((line) => line.includes('<<') || /["'`]/.test(line)) ? lines : lines.filter((line) => !/^\s*#/.test(line));
}
