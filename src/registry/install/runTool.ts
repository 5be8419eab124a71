/** Runs a package manager, and ends it with everything that it started. */
import { spawn } from 'node:child_process';
import type { Environment } from '../../util/environment';
import { markedEnvironment, newMark } from '../../util/processes/processMark';
import { ProcessTree } from '../../util/processes/processTree';
import { installFault } from '../registryReasons';

export interface ToolRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: string;
  /** The end of both outputs. */
  readonly output: string;
}

const MAX_OUTPUT = 16 * 1024;
/** ms of an installation. The largest agents take two minutes on a slow line. */
const LIMIT_MS = 20 * 60_000;
const TERM_GRACE_MS = 1000;

/** @throws Fault `install.failed` when the run was cancelled, took too long, or could not start */
export async function runTool({ command, args, cwd, environment, signal }: ToolRun): Promise<ToolResult> {
  if (signal?.aborted) {
    throw installFault('cancelled');
  }
  const mark = newMark();
  const child = spawn(command, args, {
    cwd,
    env: markedEnvironment(environment, mark),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid, mark);
  let stdout = '';
  let output = '';
  const read = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-MAX_OUTPUT));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout = (stdout + chunk.toString()).slice(-MAX_OUTPUT);
    read(chunk);
  });
  child.stderr.on('data', read);
  let stopped: 'cancelled' | 'too_slow' | undefined;
  const stop = (reason: 'cancelled' | 'too_slow'): void => {
    stopped ??= reason;
    void tree?.end({ graceMs: TERM_GRACE_MS });
  };
  const cancel = (): void => stop('cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => stop('too_slow'), LIMIT_MS);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => reject(installFault('package_manager_failed', {}, error.message)));
      child.on('close', (code) => resolve(code ?? -1));
    });
    tree?.exited();
    // A tool's own children must not write into a folder that is about to be deleted.
    await tree?.end({ graceMs: TERM_GRACE_MS });
    if (stopped) {
      throw installFault(stopped);
    }
    return { exitCode, stdout, output };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Variables by which a user configures npm. Others of this prefix come from a running script, and would change where and what npm installs. */
const NPM_CONFIG =
  /^npm_config_(?:registry|userconfig|globalconfig|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl|cache|min_release_age|before|fetch_\w+|offline|prefer_offline|ignore_scripts|_auth\w*|@.+|\/\/.+)$/i;

/** Returns the environment of a package manager: the user's, without variables of a running script. */
export function toolEnvironment(environment: Environment): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && name !== 'INIT_CWD' && (!/^npm_/i.test(name) || NPM_CONFIG.test(name))) {
      result[name] = value;
    }
  }
  return result;
}
