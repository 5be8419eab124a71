/** The tool that reads the window's terminals: the last commands with their exit code and output. */
import { z } from 'zod';
import { tailOf, withRetries } from '../answerText';
import { previewOf } from '../position';
import { RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer } from '../tool';

export interface TerminalInfo {
  /** From 1, in the order of the window. */
  readonly number: number;
  readonly name: string;
  readonly isActive: boolean;
  /** True when VS Code reports the commands of this terminal. */
  readonly hasShellIntegration: boolean;
  /** Oldest first. */
  readonly commands: readonly TerminalCommand[];
}

export interface TerminalCommand {
  readonly command: string;
  readonly isRunning: boolean;
  readonly exitCode: number | undefined;
  /** The text without control sequences. */
  readonly output: string;
}

export interface TerminalsPort {
  list(): readonly TerminalInfo[];
}

const input = z.object({
  terminal: z
    .union([z.int().min(1), z.string().min(1).max(500)])
    .optional()
    .describe('The number or the name of a terminal. Default: the terminal that was active last.'),
  commands: z.int().min(1).max(20).optional().describe('How many of the last commands. Default: 1.'),
});

const MAX_OUTPUT = 16 * 1024;

export function terminalTools(port: TerminalsPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'terminal_output',
      category: 'terminals',
      title: 'Read a terminal',
      description:
        "Answers the last commands that ran in one of the user's terminals, with exit code and output, and lists the terminals. It needs VS Code's " +
        'shell integration, and it knows the commands that began after the first session with these tools.',
      isReadOnly: true,
      input,
      timeout: 10_000,
      run: ({ terminal, commands = 1 }) => Promise.resolve(terminalOutput(port.list(), terminal, commands)),
    }),
  ]);
}

function terminalOutput(all: readonly TerminalInfo[], wanted: number | string | undefined, count: number): ToolAnswer {
  if (all.length === 0) {
    return { text: 'No terminal is open.', data: { terminals: [], commands: [] } };
  }
  const terminal = chosen(all, wanted);
  const list = all.map(
    ({ number, name, isActive, hasShellIntegration }) =>
      `${number}: ${previewOf(name)}${isActive ? ' (active)' : ''}${hasShellIntegration ? '' : ' (no shell integration)'}`,
  );
  const last = terminal.commands.slice(-count);
  const share = Math.floor(MAX_OUTPUT / Math.max(1, last.length));
  const commands = last.map((each) => ({ ...each, exitCode: each.exitCode ?? null, output: tailOf(each.output.trimEnd(), share) }));
  const rows = commands.map(({ command, isRunning, exitCode, output }) => {
    const end = isRunning ? '[still running]' : exitCode === null ? '[exit code unknown]' : `[exit code ${exitCode}]`;
    return [`$ ${previewOf(command)}`, ...(output === '' ? [] : [output]), end].join('\n');
  });
  const none = terminal.hasShellIntegration
    ? 'No command has run in it since the first session with these tools began.'
    : "VS Code's shell integration is not active in it, so its commands and output cannot be read. Ask the user for the text.";
  return {
    text: [`Terminal ${terminal.number}: ${previewOf(terminal.name)}`, ...(rows.length === 0 ? [none] : rows), 'Terminals:', ...list].join(
      '\n',
    ),
    data: { terminal: terminal.number, commands, terminals: all.map(({ commands: _commands, ...info }) => info) },
  };
}

/** @throws RetryError */
function chosen(all: readonly TerminalInfo[], wanted: number | string | undefined): TerminalInfo {
  if (wanted === undefined) {
    return all.find(({ isActive }) => isActive) ?? all.at(-1)!;
  }
  const found = all.filter(({ number, name }) => number === wanted || String(number) === wanted || name === wanted);
  if (found.length === 1) {
    return found[0]!;
  }
  const known = all.map(({ number, name }) => `${number}: ${previewOf(name)}`).join(', ');
  throw new RetryError(
    `${found.length === 0 ? 'There is no terminal' : 'Several terminals are named'} ${wanted}. Give a number of: ${known}.`,
  );
}
