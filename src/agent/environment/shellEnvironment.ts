/**
 * The environment of the user's login shell. VS Code reads it at its start, but not when that fails or takes too long. It is read here once for
 * the window, when a program is not found without it.
 */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../util/environment';

/** `reason`: no shell is known, it did not start or failed, it took too long, or it printed no environment. */
export interface ShellFailure {
  readonly shell: string;
  readonly reason: 'none' | 'failed' | 'timeout' | 'silent';
  /** The end of the shell's error output. */
  readonly detail?: string;
}

export type ShellEnvironment = { readonly environment: Environment } | { readonly failure: ShellFailure };

export interface ShellDependencies {
  /** The environment of the extension host. */
  readonly environment: Environment;
  /** The program that prints the environment: VS Code's own Node. */
  readonly node: string;
  /** ms. */
  readonly timeoutMs?: number;
}

/** ms for a shell with slow startup files. VS Code gives up after the same time. */
export const SHELL_MS = 10_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
const MAX_DETAIL = 600;
/** ms between the first and the last signal. */
const KILL_MS = 500;

/** Variables that describe the run of the shell itself. */
const OF_THE_RUN = ['VSCODE_RESOLVING_ENVIRONMENT', 'ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'SHLVL', 'PWD', 'OLDPWD', '_'];

/** Starts the user's shell as a login shell and an interactive one, and returns the environment in it. Never rejects. */
export async function readShellEnvironment({ environment, node, timeoutMs = SHELL_MS }: ShellDependencies): Promise<ShellEnvironment> {
  const shell = environment['SHELL'] || (await loginShell());
  if (process.platform === 'win32' || !shell || !path.isAbsolute(shell) || /[\\/](?:nologin|false)$/.test(shell)) {
    return { failure: { shell: shell ?? '', reason: 'none' } };
  }
  const mark = randomBytes(12).toString('hex');
  const script = `"${mark}" + JSON.stringify(process.env) + "${mark}"`;
  const name = path.basename(shell);
  const { spawn } = await import('node:child_process');
  const child = spawn(shell, argumentsOf(name, node, script), {
    cwd: homedir(),
    // A session of its own, so that an interactive shell does not take the terminal of VS Code.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...definedIn(environment),
      // Startup files check this variable to leave out work that needs a terminal.
      VSCODE_RESOLVING_ENVIRONMENT: '1',
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_NO_ATTACH_CONSOLE: '1',
    },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout = (output.stdout + text).slice(-MAX_OUTPUT)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr = (output.stderr + text).slice(-MAX_DETAIL)));
  const failed = (reason: ShellFailure['reason']): ShellEnvironment => {
    const detail = output.stderr.trim();
    return { failure: { shell: name, reason, ...(detail && { detail }) } };
  };
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(failed('timeout')), timeoutMs);
    const finish = (result: ShellEnvironment): void => {
      clearTimeout(timer);
      endGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(result);
    };
    // A program of the startup files can keep the pipe open, so the second mark ends the reading.
    child.stdout.on('data', () => {
      const parsed = environmentIn(output.stdout, mark, environment);
      if (parsed) {
        finish({ environment: parsed });
      }
    });
    child.on('error', () => finish(failed('failed')));
    child.on('exit', (code) => setTimeout(() => finish(failed(code === 0 ? 'silent' : 'failed')), KILL_MS));
  });
}

/** Returns a function that reads the environment once. */
export function shellEnvironmentOnce(deps: ShellDependencies): () => Promise<ShellEnvironment> {
  let known: Promise<ShellEnvironment> | undefined;
  return () => (known ??= readShellEnvironment(deps).catch(() => ({ failure: { shell: '', reason: 'failed' } })));
}

function argumentsOf(shell: string, node: string, script: string): readonly string[] {
  switch (shell) {
    case 'csh':
    case 'tcsh':
      return ['-ic', `${quoted(node)} -p ${quoted(script)}`];
    case 'pwsh':
    case 'powershell':
      return ['-Login', '-Command', `& '${node.replaceAll("'", "''")}' -p '${script.replaceAll("'", "''")}'`];
    case 'nu':
      return ['-i', '-l', '-c', `^'${node}' -p '${script}'`];
    default:
      return ['-i', '-l', '-c', `${quoted(node)} -p ${quoted(script)}`];
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the environment between the marks, without variables of this run. */
function environmentIn(output: string, mark: string, before: Environment): Environment | undefined {
  const [, json] = output.split(mark, 3);
  if (json === undefined || output.split(mark).length < 3) {
    return undefined;
  }
  try {
    const read = JSON.parse(json) as Record<string, string>;
    const result: Record<string, string | undefined> = { ...read };
    for (const name of OF_THE_RUN) {
      result[name] = before[name];
    }
    return result;
  } catch {
    return undefined;
  }
}

async function loginShell(): Promise<string | undefined> {
  const { userInfo } = await import('node:os');
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}

function definedIn(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, 'SIGTERM');
    // An interactive shell ignores SIGTERM.
    setTimeout(() => {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // The group has ended.
      }
    }, KILL_MS).unref();
  } catch {
    // The group has ended.
  }
}
