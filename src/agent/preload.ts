/**
 * A separate program that `packageRunner.ts` makes Node load into a package runner. The runner starts in an empty folder of the extension, where no
 * project's files influence it. The agent that it then starts works in the intended folder, without the variables of this program.
 */
import childProcess from 'node:child_process';
import { realpathSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { delimiter } from 'node:path';

/** The variables through which `packageRunner.ts` configures this program. */
const {
  ACP_HOST_AGENT_FOLDER: folder,
  ACP_HOST_RUNNER_FOLDER: empty,
  ACP_HOST_NODE_OPTIONS: own,
  ACP_HOST_PRELOAD: mode,
  ACP_HOST_NODE_FOLDER: nodeFolder,
  NODE_OPTIONS: ours,
} = process.env;

const VARIABLES = ['ACP_HOST_AGENT_FOLDER', 'ACP_HOST_RUNNER_FOLDER', 'ACP_HOST_NODE_OPTIONS', 'ACP_HOST_PRELOAD', 'ACP_HOST_NODE_FOLDER'];

type Env = NodeJS.ProcessEnv;
interface Options {
  readonly cwd?: string | URL;
  readonly env?: Env;
  readonly stdio?: unknown;
}

if (mode === 'path') {
  useEnvironment(withoutNodeFolder(agentEnvironment(process.env)));
} else if (folder && empty && mode === 'start') {
  if (sameFolder(process.cwd())) {
    process.chdir(folder);
    useEnvironment(withoutNodeFolder(agentEnvironment(process.env)));
  }
} else if (folder && empty) {
  const spawn = childProcess.spawn as (...all: unknown[]) => unknown;
  (childProcess as { spawn: unknown }).spawn = function (this: unknown, file: unknown, ...rest: unknown[]): unknown {
    const args = Array.isArray(rest[0]) ? rest[0] : [];
    const options = ((Array.isArray(rest[0]) ? rest[1] : (rest[1] ?? rest[0])) ?? {}) as Options;
    // Only the agent gets the runner's own stdin. Other programs that a runner starts are part of the installation.
    const agent = sharesInput(options.stdio) && sameFolder(options.cwd ?? process.cwd());
    return spawn.call(this, file, args, agent ? { ...options, cwd: folder, env: startEnvironment(options.env ?? process.env) } : options);
  };
  syncBuiltinESMExports();
}

function useEnvironment(environment: Env): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in environment)) {
      delete process.env[name];
    }
  }
  Object.assign(process.env, environment);
}

/** The environment in which the runner starts the agent. With a Node.js of its own, the agent loads this program, and removes it from its PATH. */
function startEnvironment(environment: Env): Env {
  const result = agentEnvironment(environment);
  if (!nodeFolder) {
    return result;
  }
  const options = result['NODE_OPTIONS'];
  return {
    ...result,
    NODE_OPTIONS: options ? `${loadOption()} ${options}` : loadOption(),
    ACP_HOST_NODE_OPTIONS: options ?? '',
    ACP_HOST_PRELOAD: 'path',
    ACP_HOST_NODE_FOLDER: nodeFolder,
  };
}

function withoutNodeFolder(environment: Env): Env {
  const name = Object.keys(environment).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH';
  const parts = (environment[name] ?? '').split(delimiter);
  const index = nodeFolder ? parts.indexOf(nodeFolder) : -1;
  return index < 0 ? environment : { ...environment, [name]: parts.filter((_, at) => at !== index).join(delimiter) };
}

function sharesInput(stdio: unknown): boolean {
  const input: unknown = Array.isArray(stdio) ? stdio[0] : stdio;
  return input === 'inherit' || input === 0 || input === process.stdin;
}

function sameFolder(path: string | URL): boolean {
  try {
    return realpathSync(path) === realpathSync(empty!);
  } catch {
    return false;
  }
}

/** The option that loads this program. */
function loadOption(): string {
  return (ours ?? '').slice(0, own ? -own.length - 1 : undefined);
}

function agentEnvironment(environment: Env): Env {
  const result: Env = { ...environment };
  for (const name of VARIABLES) {
    delete result[name];
  }
  // Options that the runner has added itself are for the agent.
  const options = (result['NODE_OPTIONS'] ?? '').replace(loadOption(), '').trim();
  delete result['NODE_OPTIONS'];
  if (options) {
    result['NODE_OPTIONS'] = options;
  }
  for (const name of ['PWD', 'INIT_CWD']) {
    if (folder && result[name] !== undefined) {
      result[name] = folder;
    }
  }
  return result;
}
