/**
 * Lists the files of a folder that are not ignored, by git or ripgrep, because both read all ignore files, including nested ones. Paths are
 * reported while the program runs.
 */
import { spawn } from 'node:child_process';
import { gitEnvironment, LIST_SUBMODULES, READING, submodulePath } from '../util/git';

/** ms after which the program is stopped. */
const TIMEOUT_MS = 60_000;

/** Receives paths relative to the folder, with "/" between folders; a nested repository ends with "/". */
type OnPaths = (paths: readonly string[]) => void;

/** Lists a repository's files. Resolves to false when git failed: no repository, no git. Never rejects. @param program git's path */
export function gitFiles(program: string, folder: string, onPaths: OnPaths, signal: AbortSignal): Promise<boolean> {
  const args = [...READING, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return listed(program, args, folder, gitEnvironment(process.env), onPaths, signal);
}

/** The tracked files of a repository that are not on disk, relative to the folder. Empty when git can't list them. Never rejects. */
export async function gitDeleted(program: string, folder: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const take: OnPaths = (paths) => paths.forEach((path) => found.add(path));
  await listed(program, [...READING, 'ls-files', '-z', '--deleted'], folder, gitEnvironment(process.env), take, signal);
  return found;
}

/** The submodules that `.gitmodules` names, relative to the folder, which is a repository's top. Never rejects. */
export async function gitSubmodules(program: string, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const take: OnPaths = (entries) => found.push(...entries.map(submodulePath));
  await listed(program, [...READING, ...LIST_SUBMODULES], folder, gitEnvironment(process.env), take, signal);
  return found;
}

/**
 * Lists a folder's files. `.gitignore` files also apply without a repository. Resolves to false when ripgrep could not run. Never rejects.
 * @param program ripgrep's path
 */
export function ripgrepFiles(program: string, folder: string, onPaths: OnPaths, signal: AbortSignal): Promise<boolean> {
  const args = ['--files', '--hidden', '--null', '--no-require-git', '--no-config', '--no-messages', '--glob', '!**/.git', '.'];
  return listed(program, args, folder, process.env, onPaths, signal, new Set([0, 1, 2]));
}

function listed(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  onPaths: OnPaths,
  signal: AbortSignal,
  good: ReadonlySet<number> = new Set([0]),
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, windowsHide: true, timeout: TIMEOUT_MS, signal, stdio: ['ignore', 'pipe', 'ignore'] });
    const decoder = new TextDecoder();
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const paths = (rest + decoder.decode(chunk, { stream: true })).split('\0');
      rest = paths.pop()!;
      onPaths(paths.map(fromFolder));
    });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code !== null && good.has(code)));
  });
}

function fromFolder(path: string): string {
  const plain = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return plain.startsWith('./') ? plain.slice(2) : plain;
}
