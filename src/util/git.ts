/** The `git` command line: started without a shell, in a given folder, with limited output and time. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { fault } from '../core/model/failure';
import { cleanEnvironment, type Environment } from './environment';
import { findExecutable } from './executable';

export interface GitOptions {
  /** The input for its stdin. */
  readonly input?: Buffer | string;
  /** Additional variables for this call, beyond the cleaned environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that count as success. 0 always does. */
  readonly codes?: readonly number[];
  /** Milliseconds. */
  readonly timeoutMs?: number;
  /** The most bytes of its stdout. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_STDERR = 4000;
/** The timeout of read-only commands. Callers give a longer one to commands that check files out. */
const TIMEOUT_MS = 60_000;
/** ms that Git gets to delete its lock files. */
const END_MS = 3000;

/**
 * Options for read-only commands. They turn off the repository's file system monitor and its check of signatures, which run programs, and the quoting
 * of paths.
 */
export const READING: readonly string[] = ['core.fsmonitor=false', 'core.quotePath=false', 'log.showSignature=false'].flatMap((each) => [
  '-c',
  each,
]);

/** Lists the submodules of a repository's working tree; run it at the top. The exit code is 1 when there are none. */
export const LIST_SUBMODULES: readonly string[] = ['config', '--file', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$'];

/** @param entry one entry of the output of {@link LIST_SUBMODULES}, up to its NUL: a name, a line feed and the path from the top */
export function submodulePath(entry: string): string {
  return entry.slice(entry.indexOf('\n') + 1);
}

/** @param environment VS Code's own; its `GIT_*` variables are ignored, since they would name another repository */
export function gitEnvironment(environment: Environment): Record<string, string> {
  const entries = Object.entries(cleanEnvironment(environment)).filter(([name]) => !/^GIT_/i.test(name));
  // Git must not prompt, because no user would see it. Reads take no lock that a user's own command needs. Messages are in English, because we parse
  // them.
  return { ...Object.fromEntries(entries), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

export class Git {
  private program: Promise<string> | undefined;

  /**
   * @param environment VS Code's own; its `GIT_*` variables are ignored, since they would name another repository
   * @param find returns git's path, which only the user may choose; undefined when there is none. By default the git on the PATH
   */
  constructor(
    private readonly environment: Environment = process.env,
    private readonly find: () => Promise<string | undefined> = () => onPath(environment),
  ) {}

  /** @throws Fault `git.not_found`, `git.failed` with the end of Git's error output, `git.timeout`, `git.too_much`, `request.cancelled` */
  async run(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const env = { ...gitEnvironment(this.environment), ...options.env };
    const program = await (this.program ??= this.found());
    const { signal, codes = [], timeoutMs = TIMEOUT_MS, maxBytes = MAX_OUTPUT } = options;
    if (signal?.aborted) {
      throw fault('request.cancelled');
    }
    return new Promise((resolve, reject) => {
      const child = spawn(program, ['--no-pager', ...args], { cwd, env, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'] });
      const chunks: Buffer[] = [];
      let size = 0;
      let stderr = '';
      let failure: Error | undefined;
      let ending: NodeJS.Timeout | undefined;
      const end = (why: Error): void => {
        failure ??= why;
        child.kill('SIGTERM');
        ending ??= setTimeout(() => child.kill('SIGKILL'), END_MS);
      };
      const gitCommand = args.find((arg) => /^[a-z][a-z-]+$/.test(arg)) ?? '';
      const timer = setTimeout(() => end(fault('git.timeout', { timeoutMs })), timeoutMs);
      const cancel = (): void => end(fault('request.cancelled'));
      signal?.addEventListener('abort', cancel, { once: true });
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          end(fault('git.too_much', { gitCommand }));
        } else {
          chunks.push(chunk);
        }
      });
      child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-MAX_STDERR)));
      // Git may exit without reading its input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input);
      const settle = (code: number | null, error?: Error): void => {
        clearTimeout(timer);
        clearTimeout(ending);
        signal?.removeEventListener('abort', cancel);
        if (failure ?? error) {
          reject(failure ?? fault('git.failed', { gitCommand }, { detail: String(error) }));
        } else if (code === 0 || (code !== null && codes.includes(code))) {
          resolve({ code, stdout: Buffer.concat(chunks), stderr });
        } else {
          reject(fault('git.failed', { gitCommand, ...(code !== null && { exitCode: code }) }, { detail: stderr.trim() }));
        }
      };
      child.on('error', (error) => settle(null, error));
      child.on('close', (code) => settle(code));
    });
  }

  /** Returns its stdout as a text without the last line feed. */
  async text(cwd: string, args: readonly string[], options?: GitOptions): Promise<string> {
    return (await this.run(cwd, args, options)).stdout.toString().replace(/\r?\n$/, '');
  }

  /** Returns the parts that end with a NUL, as `-z` writes them. */
  async parts(cwd: string, args: readonly string[], options?: GitOptions): Promise<string[]> {
    const text = (await this.run(cwd, args, options)).stdout.toString();
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }

  private async found(): Promise<string> {
    const program = await this.find();
    if (program === undefined) {
      this.program = undefined;
      throw fault('git.not_found');
    }
    return program;
  }
}

/** Searched from the user's home, so that no project can supply its own git. */
async function onPath(environment: Environment): Promise<string | undefined> {
  const found = await findExecutable('git', { cwd: homedir(), environment });
  return found?.executable ? found.file : undefined;
}
