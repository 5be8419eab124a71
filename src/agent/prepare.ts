/** Resolves the exact program of a launch, for the agent itself and for its program in a terminal, where the user signs in. */
import { homedir } from 'node:os';
import path from 'node:path';
import { fault } from '../core/model/failure';
import type { ProcessLaunch } from '../core/model/agentLaunch';
import { displayCommand } from '../util/commandLine';
import { cleanEnvironment, overlayEnvironment, variable, type Environment } from '../util/environment';
import { findExecutable, type Found } from '../util/executable';
import { hasLineBreak, isBatchFile, windowsCommand } from '../util/windows/windowsCommand';
import { ownProgram, type OwnNode } from './ownNode';
import { packageRunnerOf, type PackageRunner, runnerStart, type RunnerFolder, type RunnerStart } from './packageRunner';
import { liesIn } from './environment/liesIn';
import { withoutProjectPath } from './environment/searchPath';
import type { StartServices } from './startServices';

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
 * @param services choose the agent's own Node.js, and add the project's environment. Absent: the program starts in the environment as it is.
 * @throws Fault `agent.bad_cwd`, `agent.not_found`, `agent.not_executable`, `agent.line_break_in_argument`, `agent.spawn_failed` with
 * a cause; with {@link launchParams}
 */
export async function prepareProgram(launch: ResolvedLaunch, environment: Environment, services?: StartServices): Promise<PreparedProgram> {
  const { cwd } = launch;
  const { stat } = await import('node:fs/promises');
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw fault('agent.bad_cwd', launchParams(launch));
  }
  if (isRelative(launch.command)) {
    throw fault('agent.not_found', launchParams(launch));
  }
  const {
    environment: own,
    file,
    args,
    ...start
  } = services && !launch.runAsNode ? await ownStart(launch, environment, services) : await plainStart(launch, environment);
  const resolved = { cwd: start.cwd, environment: own };
  if (process.platform !== 'win32') {
    return { file, args, verbatim: false, ...resolved };
  }
  if (isBatchFile(file) && hasLineBreak(args)) {
    throw fault('agent.line_break_in_argument', launchParams(launch));
  }
  const system = `${variable(own, 'SystemRoot') ?? 'C:\\Windows'}\\System32\\cmd.exe`;
  return { ...windowsCommand(file, args, variable(own, 'ComSpec') ?? system), ...resolved };
}

type Start = Pick<PreparedProgram, 'file' | 'args' | 'cwd' | 'environment'>;

async function plainStart(launch: ResolvedLaunch, environment: Environment): Promise<Start> {
  const { command, args, cwd } = launch;
  const own = await environmentOf(launch, environment);
  const found = await findExecutable(command, { cwd, environment: own });
  if (!found) {
    throw fault('agent.not_found', launchParams(launch));
  }
  return { args, ...(await startIn(launch, own, executable(launch, found))) };
}

/** The start of a program on its own Node.js, in an environment with the programs of the project. */
async function ownStart(launch: ResolvedLaunch, environment: Environment, services: StartServices): Promise<Start> {
  const { command, args, cwd } = launch;
  const runner = packageRunnerOf(launch);
  const lookup = { command, args, cwd, isRunner: runner !== undefined, params: launchParams(launch) };
  const {
    environment: base,
    found,
    node,
  } = await ownProgram({ ...lookup, environmentOf: (each) => environmentOf(launch, each) }, environment, services);
  const file = executable(launch, found);
  const own = await withProject(launch, await environmentOf(launch, base), services);
  const usual = node && (await findExecutable('node', { cwd, environment: own }));
  // The Node.js that the environment has anyway needs no change.
  if (!node || usual?.file === node.file) {
    return { args, ...(await startIn(launch, own, file)) };
  }
  const start = await startIn(launch, own, node.file);
  return { ...start, args: node.args, ...onOwnNode(start, node, launch, runner, services.preload) };
}

/**
 * Puts the Node.js before the PATH where a program finds it by name. The agent of a package runner removes it again. An agent that starts more such
 * programs keeps it.
 */
function onOwnNode(
  start: Omit<Start, 'args'>,
  node: OwnNode,
  { cwd }: ResolvedLaunch,
  runner: PackageRunner | undefined,
  preload: string | undefined,
): Pick<Start, 'cwd' | 'environment'> {
  const { environment } = start;
  if (!node.children && runner === undefined) {
    return start;
  }
  const folder = path.dirname(node.file);
  const before = variable(environment, 'PATH');
  const withNode = overlayEnvironment(environment, { PATH: before ? `${folder}${path.delimiter}${before}` : folder });
  if (node.children || runner === undefined || preload === undefined) {
    return { cwd: start.cwd, environment: withNode };
  }
  // In a folder of no project the runner starts in the agent's folder, and has no preloaded program yet.
  const hasPreload = environment['ACP_HOST_PRELOAD'] !== undefined;
  const added = hasPreload ? undefined : runnerStart(runner, cwd, { folder: cwd, preload }, variable(environment, 'NODE_OPTIONS'));
  return { cwd: start.cwd, environment: overlayEnvironment(withNode, { ...added?.env, ACP_HOST_NODE_FOLDER: folder }) };
}

/** Adds the project's environment. Variables of the user's own entry stay, and so do those that decide what the agent itself loads. */
async function withProject(
  launch: ResolvedLaunch,
  own: Record<string, string>,
  { project }: StartServices,
): Promise<Record<string, string>> {
  if (!project) {
    return own;
  }
  const { applied } = await import('./environment/projectEnvironment');
  const isSet = (name: string): boolean => variable(launch.env, name) !== undefined;
  return applied(own, await project(launch.cwd, own), (name) => isSet(name) || LOADED_BY_AGENTS.test(name));
}

/** Variables from which Node.js, Electron, Python, shells and loaders take code, and package runners the agent itself. */
const LOADED_BY_AGENTS =
  /^(?:NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|ELECTRON_.*|VSCODE_.*|PYTHONHOME|BASH_ENV|ENV|ACP_HOST_.*|NPM_CONFIG_.*|UV_.*|PIP_.*|PIPX_.*|YARN_.*|PNPM_.*|COREPACK_.*|BUN_CONFIG_.*|DENO_.*)$/i;

function executable(launch: ResolvedLaunch, { file, executable: isExecutable }: Found): string {
  if (!isExecutable) {
    throw fault('agent.not_executable', launchParams(launch));
  }
  return file;
}

/** @param own the agent's environment */
async function startIn(launch: ResolvedLaunch, own: Readonly<Record<string, string>>, file: string): Promise<Omit<Start, 'args'>> {
  const start = await startOf(launch, own);
  return { file, cwd: start?.cwd ?? launch.cwd, environment: start ? overlayEnvironment(own, start.env) : own };
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
