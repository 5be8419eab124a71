/** What a launch runs, exactly: the same for the agent itself and for its program in a terminal, where the user signs in. */
import { fault } from '../core/failure';
import type { AgentLaunch } from '../core/ports';
import { displayCommand } from '../util/commandLine';
import { cleanEnvironment, overlayEnvironment, variable, type Environment } from '../util/environment';
import { findExecutable } from '../util/executable';
import { hasLineBreak, isBatchFile, windowsCommand } from '../util/windowsCommand';

/** `runAsNode`: the program is Electron and shall be plain Node. */
export type PlacedLaunch = AgentLaunch & { readonly cwd: string; readonly runAsNode?: boolean };

export interface PreparedProgram {
  /** Absolute, but for `cmd.exe`. */
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: `args` are already quoted and must be joined with spaces as they are. */
  readonly verbatim: boolean;
  /** Complete. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the program on the PATH that it will get, in the cleaned environment with the launch's own laid over; batch files go through `cmd.exe`.
 * @param environment of the extension host
 * @throws Fault `agent.bad_cwd`, `agent.not_found`, `agent.not_executable`, `agent.line_break_in_argument`, with {@link launchParams}
 */
export async function prepareProgram(launch: PlacedLaunch, environment: Environment): Promise<PreparedProgram> {
  const own = overlayEnvironment(cleanEnvironment(environment), { ...launch.env, ...(launch.runAsNode && { ELECTRON_RUN_AS_NODE: '1' }) });
  const { command, args, cwd } = launch;
  const { stat } = await import('node:fs/promises');
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw fault('agent.bad_cwd', launchParams(launch));
  }
  const found = await findExecutable(command, { cwd, environment: own });
  if (!found) {
    throw fault('agent.not_found', launchParams(launch));
  }
  if (!found.executable) {
    throw fault('agent.not_executable', launchParams(launch));
  }
  if (process.platform !== 'win32') {
    return { file: found.file, args, verbatim: false, environment: own };
  }
  if (isBatchFile(found.file) && hasLineBreak(args)) {
    throw fault('agent.line_break_in_argument', launchParams(launch));
  }
  return { ...windowsCommand(found.file, args, variable(own, 'ComSpec')), environment: own };
}

/** What a failure says of a launch; no value of the environment. */
export function launchParams({ command, args, cwd }: PlacedLaunch): { readonly command: string; readonly commandLine: string; readonly cwd: string } {
  return { command, commandLine: displayCommand(command, args), cwd };
}
