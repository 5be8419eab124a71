/**
 * What git knows of a folder. Only asked, never told: no command here writes the index, a ref or an object, and none waits for a lock that the
 * user's own git may want. What the repository says should run besides (a file system monitor) does not run.
 */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Git, LIST_SUBMODULES, READING, submodulePath } from '../../util/git';
import { isMissing } from '../../util/realPath';

/** Runs git and gives what it prints; undefined when it failed. Never rejects. */
export type RunGit = (cwd: string, args: readonly string[], input?: string) => Promise<Buffer | undefined>;

/** One file that is not as the last commit has it. */
export interface StatusEntry {
  /** From the repository's top, with `/`. */
  readonly path: string;
  /** Before a rename that the index knows. */
  readonly oldPath?: string;
  /** The last commit's object; undefined when it has none. */
  readonly headOid: string | undefined;
  readonly headMode: number;
  readonly untracked: boolean;
}

export interface GitStatus {
  /** The last commit; undefined before the first. */
  readonly head: string | undefined;
  readonly entries: readonly StatusEntry[];
  /** Repositories of their own that are no submodules, from the top: nothing is told of what is in them. */
  readonly nested: readonly string[];
}

/** A file of a commit. */
export interface TreeEntry {
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
}

/** Bytes that nobody reads. */
const MAX_OUTPUT = 256 * 1024 * 1024;

export function readingGit(git: Git): RunGit {
  return (cwd, args, input = '') =>
    git.run(cwd, [...READING, ...args], { input, maxBytes: MAX_OUTPUT, env: { GIT_LFS_SKIP_SMUDGE: '1' } }).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
}

/** Whether git would find a repository for `folder`, without a process: where there is none it need not be asked. True when in doubt. */
export async function isInRepository(folder: string): Promise<boolean> {
  try {
    for (let at = await realpath(folder), below = ''; at !== below; below = at, at = path.dirname(at)) {
      const found = await lstat(path.join(at, '.git')).catch((error: unknown) => !isMissing(error));
      if (found) {
        return true;
      }
    }
    return false;
  } catch {
    return true;
  }
}

/** The top folder of the repository that `folder` is in; undefined when it is in none, or git is not there. */
export async function topOf(run: RunGit, folder: string): Promise<string | undefined> {
  const output = await run(folder, ['rev-parse', '--show-toplevel']);
  return output?.toString().replace(/\n$/, '') || undefined;
}

/** Below `folder`; ignored files are left out. */
export async function gitStatus(run: RunGit, folder: string): Promise<GitStatus | undefined> {
  const output = await run(folder, [
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--untracked-files=all',
    '--ignore-submodules=all',
    '--',
    '.',
  ]);
  return output && parseStatus(output.toString());
}

export function parseStatus(output: string): GitStatus {
  const fields = output.split('\0');
  const entries: StatusEntry[] = [];
  const nested: string[] = [];
  let head: string | undefined;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    const words = field.split(' ');
    switch (words[0]) {
      case '#':
        head = words[1] === 'branch.oid' && words[2] !== '(initial)' ? words[2] : head;
        break;
      case '1':
        entries.push({ path: words.slice(8).join(' '), ...headOf(words[3]!, words[6]!), untracked: false });
        break;
      case '2':
        entries.push({ path: words.slice(9).join(' '), oldPath: fields[++index]!, ...headOf(words[3]!, words[6]!), untracked: false });
        break;
      case 'u':
        entries.push({ path: words.slice(10).join(' '), headOid: undefined, headMode: 0, untracked: false });
        break;
      case '?':
        if (field.endsWith('/')) {
          nested.push(field.slice(2, -1));
        } else {
          entries.push({ path: field.slice(2), headOid: undefined, headMode: 0, untracked: true });
        }
        break;
    }
  }
  return { head, entries, nested };
}

function headOf(mode: string, oid: string): Pick<StatusEntry, 'headOid' | 'headMode'> {
  return { headOid: /^0*$/.test(oid) ? undefined : oid, headMode: Number.parseInt(mode, 8) };
}

/** Where the working tree of a repository says that its submodules are, from the top; they need not be there. */
export async function submodulePaths(run: RunGit, top: string): Promise<string[]> {
  const output = await run(top, LIST_SUBMODULES);
  return (output?.toString().split('\0') ?? []).map(submodulePath).filter(Boolean);
}

/** What a commit has below these paths, from the top. */
export async function treeEntries(run: RunGit, top: string, commit: string, paths: readonly string[]): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  // A command line has a length.
  for (let at = 0; at < paths.length; at += 200) {
    const output = await run(top, ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', ...paths.slice(at, at + 200)]);
    for (const line of output?.toString().split('\0') ?? []) {
      const [, mode, , oid, path] = /^(\d+) (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
      if (path !== undefined) {
        found.push({ path, oid: oid!, mode: Number.parseInt(mode!, 8) });
      }
    }
  }
  return found;
}

/** The paths, from the top, in which two commits differ. */
export async function changedBetween(run: RunGit, top: string, before: string, after: string): Promise<string[]> {
  const output = await run(top, ['diff-tree', '-r', '-z', '--no-renames', '--name-only', before, after]);
  return output?.toString().split('\0').filter(Boolean) ?? [];
}
