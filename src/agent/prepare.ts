/** Resolves the exact program of a launch, for the agent itself and for its program in a terminal, where the user signs in. */
import { homedir } from 'node:os';
import { fault } from '../core/model/failure';
import type { ProcessLaunch } from '../core/model/agentLaunch';
import { displayCommand } from '../util/commandLine';
import { cleanEnvironment, overlayEnvironment, variable, type Environment } from '../util/environment';
import { findExecutable } from '../util/executable';
import { hasLineBreak, isBatchFile, windowsCommand } from '../util/windows/windowsCommand';
import { packageRunnerOf, runnerStart, type RunnerFolder, type RunnerStart } from './packageRunner';
import { liesIn, withoutProjectPath } from './searchPath';

export type ResolvedLaunch = ProcessLaunch & {
  readonly cwd: string;
  /** True when the program is Electron and must run as plain Node. */
  readonly runAsNode?: boolean;
  /** Absolute folders whose files must not influence what runs: the workspace's, and the session's own. Default: `cwd`. */
  readonly projects?: readonly string[];
  /** Creates the folder in which package runners start. */
  runnerFolder?(): Promise<RunnerFolder>;
};

export interface PreparedProgram {
  /** Absolute, except `cmd.exe`. */
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: true when `args` are already quoted and must be joined with spaces without changes. */
  readonly verbatim: boolean;
  /** The folder to start in. A package runner's differs from the agent's. */
  readonly cwd: string;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the program on the PATH that it will get, in the cleaned environment with the launch's own variables. Batch files run through `cmd.exe`. No
 * project's files influence the result: neither on the PATH, nor by a relative command, nor through a package runner.
 * @param environment of the extension host
 * @throws Fault `agent.bad_cwd`, `agent.not_found`, `agent.not_executable`, `agent.line_break_in_argument`, with {@link launchParams}
 */
export async function prepareProgram(launch: ResolvedLaunch, environment: Environment): Promise<PreparedProgram> {
  const { command, args, cwd } = launch;
  const { stat } = await import('node:fs/promises');
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw fault('agent.bad_cwd', launchParams(launch));
  }
  const own = await environmentOf(launch, environment);
  const found = isRelative(command) ? undefined : await findExecutable(command, { cwd, environment: own });
  if (!found) {
    throw fault('agent.not_found', launchParams(launch));
  }
  if (!found.executable) {
    throw fault('agent.not_executable', launchParams(launch));
  }
  const start = await startOf(launch, own);
  const resolved = { cwd: start?.cwd ?? cwd, environment: start ? overlayEnvironment(own, start.env) : own };
  if (process.platform !== 'win32') {
    return { file: found.file, args, verbatim: false, ...resolved };
  }
  if (isBatchFile(found.file) && hasLineBreak(args)) {
    throw fault('agent.line_break_in_argument', launchParams(launch));
  }
  const system = `${variable(own, 'SystemRoot') ?? 'C:\\Windows'}\\System32\\cmd.exe`;
  return { ...windowsCommand(found.file, args, variable(own, 'ComSpec') ?? system), ...resolved };
}

/** The environment of a launch. The user's own entry is applied, except relative folders on its PATH. */
async function environmentOf(launch: ResolvedLaunch, environment: Environment): Promise<Record<string, string>> {
  const home = homedir();
  const base = await withoutProjectPath(cleanEnvironment(environment), projectsOf(launch), home);
  const own = overlayEnvironment(base, {
    // Prevents `cmd.exe` from searching the current folder first.
    ...(process.platform === 'win32' && { NoDefaultCurrentDirectoryInExePath: '1' }),
    ...launch.env,
    ...(launch.runAsNode && { ELECTRON_RUN_AS_NODE: '1' }),
  });
  return withoutProjectPath(own, [], home);
}

/**
 * Returns how to start a package runner; undefined for other programs, and in a folder of no project. The user has chosen such a folder, so the
 * runner may read its files.
 */
async function startOf(launch: ResolvedLaunch, own: Environment): Promise<RunnerStart | undefined> {
  const runner = packageRunnerOf(launch);
  if (runner === undefined || !(await liesIn(launch.cwd, projectsOf(launch)))) {
    return undefined;
  }
  if (!launch.runnerFolder) {
    throw fault('agent.spawn_failed', launchParams(launch), { message: 'There is no folder to start a package runner in.' });
  }
  return runnerStart(runner, launch.cwd, await launch.runnerFolder(), variable(own, 'NODE_OPTIONS'));
}

function projectsOf({ projects, cwd }: ResolvedLaunch): readonly string[] {
  return projects ?? [cwd];
}

/** True for a command like `./agent`, which would run a file of the project. */
function isRelative(command: string): boolean {
  return process.platform === 'win32'
    ? /[\\/:]/.test(command) && !/^(?:[a-z]:[\\/]|\\\\)/i.test(command)
    : command.includes('/') && !command.startsWith('/');
}

/** The params of a failure about a launch, without values of the environment. */
export function launchParams({ command, args, cwd }: ResolvedLaunch): {
  readonly command: string;
  readonly commandLine: string;
  readonly cwd: string;
} {
  return { command, commandLine: displayCommand(command, args), cwd };
}
