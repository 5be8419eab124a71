/** Resolves the command of a `terminal/create` request: a program with its arguments, or a line for the user's shell (protocol page "Terminals"). */
import { fault } from '../core/model/failure';
import { displayCommand } from '../util/commandLine';
import { variable } from '../util/environment';
import { findExecutable } from '../util/executable';
import { hasLineBreak, isBatchFile, windowsCommand } from '../util/windows/windowsCommand';

export interface ResolvedCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: true when `args` are quoted already. */
  readonly verbatim: boolean;
  /** True when the string runs as a line of the user's shell. */
  readonly shell: boolean;
  /** The command line for display. */
  readonly display: string;
  /**
   * The absolute path of the program that the command names. For a shell line, the file of its first word, or undefined when that is not a plain
   * word.
   */
  readonly program: string | undefined;
}

export interface CommandContext {
  /** An absolute path. */
  readonly cwd: string;
  /** The environment of the command, not of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The absolute path of the user's default shell; empty when unknown. */
  readonly defaultShell: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * With arguments, `command` must be a program, and gets exactly these arguments. Without arguments it is a program if one has that name, or else a
 * line for the default shell.
 * @throws Fault `params.invalid` (-32602), `terminal.not_found`
 */
export async function resolveCommand(command: string, args: readonly string[], context: CommandContext): Promise<ResolvedCommand> {
  if (command.trim() === '' || [command, ...args].some((word) => word.includes('\0'))) {
    throw fault('params.invalid', { field: 'command' }, { rpcCode: -32602, message: 'command must be a non-empty string without NUL' });
  }
  const platform = context.platform ?? process.platform;
  const found = await findExecutable(command, { cwd: context.cwd, environment: context.environment, platform });
  if (found?.executable) {
    const display = displayCommand(command, args);
    const program = found.file;
    if (platform !== 'win32') {
      return { file: found.file, args, verbatim: false, shell: false, display, program };
    }
    if (isBatchFile(found.file) && hasLineBreak(args)) {
      throw fault(
        'params.invalid',
        { field: 'args' },
        { rpcCode: -32602, message: 'A batch file cannot take an argument with a line break' },
      );
    }
    return { ...windowsCommand(found.file, args, variable(context.environment, 'ComSpec', platform)), shell: false, display, program };
  }
  if (args.length > 0) {
    const message = found ? `Not executable: ${found.file}` : `Command not found: ${command}`;
    throw fault('terminal.not_found', { command }, { message });
  }
  return {
    ...shellLine(command, context, platform),
    shell: true,
    display: command,
    program: await firstProgram(command, context, platform),
  };
}

/** Returns the program of a shell line that begins with a plain word. For any other line, only the shell knows what runs. */
async function firstProgram(line: string, context: CommandContext, platform: NodeJS.Platform): Promise<string | undefined> {
  const word = /^\s*([\w.+/\\:-]+)(?=\s|$|[;&|])/.exec(line)?.[1];
  const found =
    word === undefined ? undefined : await findExecutable(word, { cwd: context.cwd, environment: context.environment, platform });
  return found?.executable ? found.file : undefined;
}

/** Returns the call with which the user's shell runs `line` and exits. */
function shellLine(line: string, context: CommandContext, platform: NodeJS.Platform): Pick<ResolvedCommand, 'file' | 'args' | 'verbatim'> {
  const windows = platform === 'win32';
  const shell =
    context.defaultShell ||
    (windows ? (variable(context.environment, 'ComSpec', platform) ?? 'cmd.exe') : (context.environment['SHELL'] ?? '/bin/sh'));
  const name = shell
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
  if (name === 'pwsh' || name === 'powershell') {
    return { file: shell, args: ['-NoLogo', '-NoProfile', '-Command', line], verbatim: false };
  }
  if (windows && name === 'cmd') {
    // cmd.exe strips the outer quotes and takes the rest literally.
    return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
  }
  return { file: shell, args: ['-c', line], verbatim: false };
}
