/** A command of the user's and what it printed, as an agent reads it. Pure. */
import { withoutSequences } from '../text/ansi/sequences';
import { withoutControls } from '../text/characters/characters';

export interface CommandRun {
  readonly command: string;
  /** As the terminal got it. */
  output: string;
  /** Its beginning is missing. */
  isCut: boolean;
  isRunning: boolean;
  /** Undefined while it runs, and where the shell did not say. */
  exitCode: number | undefined;
}

/** Without colours, and without what a line was overwritten with. */
export function commandText({ command, output, isCut, isRunning, exitCode }: CommandRun): string {
  const plain = withoutSequences(output)
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(/[^\n\t]+/g, (part) => withoutControls(part, ''))
    .trimEnd();
  const end = isRunning ? '[still running]\n' : exitCode === undefined ? '' : `[exit code ${exitCode}]\n`;
  return `$ ${command}\n${isCut ? '[…]\n' : ''}${plain}${plain === '' ? '' : '\n'}${end}`;
}
