/** A command of the user and its output, as text for an agent. Pure. */
import { withoutSequences } from '../text/ansi/sequences';
import { withoutControls } from '../text/characters/characters';

export interface CommandRun {
  readonly command: string;
  /** The raw terminal output. */
  output: string;
  /** True when the beginning is missing. */
  isCut: boolean;
  isRunning: boolean;
  /** Undefined while the command runs, and when the shell did not report it. */
  exitCode: number | undefined;
}

/** Returns the output without colours and without overwritten parts of lines. */
export function plainOutput(output: string): string {
  return withoutSequences(output)
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(/[^\n\t]+/g, (part) => withoutControls(part, ''))
    .trimEnd();
}

/** Returns a command with its output and its end. */
export function commandText({ command, output, isCut, isRunning, exitCode }: CommandRun): string {
  const plain = plainOutput(output);
  const end = isRunning ? '[still running]\n' : exitCode === undefined ? '' : `[exit code ${exitCode}]\n`;
  return `$ ${command}\n${isCut ? '[…]\n' : ''}${plain}${plain === '' ? '' : '\n'}${end}`;
}
