/** The `git` command line: one program without a shell, in a folder that is named, with bounded output and time. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { fault } from '../core/model/failure';
import { cleanEnvironment, type Environment } from './environment';
import { findExecutable } from './executable';

export interface GitOptions {
  /** Written to its stdin. */
  readonly input?: Buffer | string;
  /** Variables besides the cleaned environment, for the few that mean this one call. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers; 0 always is. */
  readonly codes?: readonly number[];
  /** ms */
  readonly timeoutMs?: number;
  /** Of its stdout. */
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
/** For what only looks; what checks files out is given longer by who asks. */
const TIMEOUT_MS = 60_000;
/** ms that Git gets to put its lock files away. */
const END_MS = 3000;

/** In front of a command that only reads: a repository's own file system monitor and its check of signatures are programs, and paths come as they are. */
export const READING: readonly string[] = ['core.fsmonitor=false', 'core.quotePath=false', 'log.showSignature=false'].flatMap((each) => [
  '-c',
  each,
]);

/** Lists the submodules that the working tree of a repository names, run at its top; none is an exit code of 1. */
export const LIST_SUBMODULES: readonly string[] = ['config', '--file', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$'];

/** @param entry one of what {@link LIST_SUBMODULES} prints, up to its NUL: a name, a line feed and the path from the top */
export function submodulePath(entry: string): string {
  return entry.slice(entry.indexOf('\n') + 1);
}

/** @param environment VS Code's own; no `GIT_*` of it counts, since they would name another repository */
export function gitEnvironment(environment: Environment): Record<string, string> {
  const entries = Object.entries(cleanEnvironment(environment)).filter(([name]) => !/^GIT_/i.test(name));
  // Nobody sees a question; what only looks takes no lock that a user's own command needs; words are for being read by us.
  return { ...Object.fromEntries(entries), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

export class Git {
  private program: Promise<string> | undefined;

  /**
   * @param environment VS Code's own; no `GIT_*` of it counts, since they would name another repository
   * @param find git's path, which nobody but the user chose; undefined when there is none. Absent: the one of the PATH
   */
  constructor(
    private readonly environment: Environment = process.env,
    private readonly find: () => Promise<string | undefined> = () => onPath(environment),
  ) {}

  /** @throws Fault `git.not_found`, `git.failed` with the end of what Git said, `git.timeout`, `git.too_much`, `request.cancelled` */
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
      // It may end without reading what it is given.
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

  /** Its stdout as a text without the last line feed. */
  async text(cwd: string, args: readonly string[], options?: GitOptions): Promise<string> {
    return (await this.run(cwd, args, options)).stdout.toString().replace(/\r?\n$/, '');
  }

  /** Parts that end with a NUL, as `-z` writes them. */
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

/** Looked for from the user's home: no project brings its own. */
async function onPath(environment: Environment): Promise<string | undefined> {
  const found = await findExecutable('git', { cwd: homedir(), environment });
  return found?.executable ? found.file : undefined;
}
