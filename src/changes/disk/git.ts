/**
 * Read-only git queries of a folder. No command writes the index, a ref or an object, or waits for a lock that the user's own git may need. The
 * repository's file system monitor does not run.
 */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Git, LIST_SUBMODULES, READING, submodulePath } from '../../util/git';
import { isMissing } from '../../util/realPath';
import { Pace } from './pace';

/** Runs git and returns its output; undefined when it failed. Never rejects. */
export type RunGit = (cwd: string, args: readonly string[], input?: string) => Promise<Buffer | undefined>;

/** A file that differs from the last commit. */
export interface StatusEntry {
  /** The path from the repository's top, with `/`. */
  readonly path: string;
  /** The path before a rename in the index. */
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
  /** Repositories inside this one that are not submodules, from the top. Git does not list their files. */
  readonly nested: readonly string[];
  /** Ignored files, and folders with a `/` at the end, from the top. Empty unless requested; undefined when there are too many. */
  readonly ignored: readonly string[] | undefined;
}

/** A repository's folders, absolute. */
export interface Repository {
  readonly top: string;
  /** The folder of HEAD and of its reflog; undefined when git did not print it. */
  readonly gitDir: string | undefined;
  /** The folder of the refs that all worktrees share. */
  readonly commonDir: string | undefined;
}

/** A file of a commit. */
export interface TreeEntry {
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
}

/** The most bytes of a command's output that are read. */
const MAX_OUTPUT = 256 * 1024 * 1024;
const MAX_IGNORED = 100_000;

export function readingGit(git: Git): RunGit {
  return (cwd, args, input = '') =>
    git.run(cwd, [...READING, ...args], { input, maxBytes: MAX_OUTPUT, env: { GIT_LFS_SKIP_SMUDGE: '1' } }).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
}

/** True when git would find a repository for `folder`, or when that is unclear. Starts no process. */
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

/** Returns the top folder of the repository that `folder` is in; undefined when it is in none, or git failed. */
export async function topOf(run: RunGit, folder: string): Promise<string | undefined> {
  const output = await run(folder, ['rev-parse', '--show-toplevel']);
  return output?.toString().replace(/\n$/, '') || undefined;
}

/** Returns the repository that `folder` is in; undefined when it is in none, or git failed. */
export async function repositoryOf(run: RunGit, folder: string): Promise<Repository | undefined> {
  const output = await run(folder, ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir']);
  const [top, gitDir, commonDir, ...rest] = output?.toString().replace(/\n$/, '').split('\n') ?? [];
  if (commonDir !== undefined && rest.length === 0) {
    return { top: path.normalize(top!), gitDir: path.normalize(gitDir!), commonDir: path.resolve(folder, commonDir) };
  }
  // A name with a line feed looks like two lines of output.
  const known = output && (await topOf(run, folder));
  return known ? { top: path.normalize(known), gitDir: undefined, commonDir: undefined } : undefined;
}

/** Returns the status below `folder`; undefined when git failed. @param ignored true to list the ignored files and folders, too */
export async function gitStatus(run: RunGit, folder: string, { ignored = false } = {}): Promise<GitStatus | undefined> {
  const output = await run(folder, [
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--untracked-files=all',
    ...(ignored ? ['--ignored=matching'] : []),
    '--ignore-submodules=all',
    '--',
    '.',
  ]);
  if (!output) {
    return undefined;
  }
  const parser = new StatusParser();
  const pace = new Pace();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    if (end < 0) {
      return undefined;
    }
    parser.add(output.toString('utf8', at, end));
    at = end + 1;
    await pace.step();
  }
  return parser.status;
}

export function parseStatus(output: string): GitStatus {
  const parser = new StatusParser();
  output.split('\0').forEach((field) => parser.add(field));
  return parser.status;
}

class StatusParser {
  private readonly entries: StatusEntry[] = [];
  private readonly nested: string[] = [];
  private readonly ignored: string[] = [];
  private head: string | undefined;
  /** The entry of a rename, whose old path is the next field. */
  private renamed: Omit<StatusEntry, 'oldPath'> | undefined;

  get status(): GitStatus {
    const { head, entries, nested, ignored } = this;
    return { head, entries, nested, ignored: ignored.length > MAX_IGNORED ? undefined : ignored };
  }

  add(field: string): void {
    if (this.renamed) {
      this.entries.push({ ...this.renamed, oldPath: field });
      this.renamed = undefined;
      return;
    }
    switch (field[0]) {
      case '#': {
        const words = field.split(' ');
        this.head = words[1] === 'branch.oid' && words[2] !== '(initial)' ? words[2] : this.head;
        break;
      }
      case '1': {
        const words = field.split(' ');
        this.entries.push({ path: words.slice(8).join(' '), ...headOf(words[3]!, words[6]!), untracked: false });
        break;
      }
      case '2': {
        const words = field.split(' ');
        this.renamed = { path: words.slice(9).join(' '), ...headOf(words[3]!, words[6]!), untracked: false };
        break;
      }
      case 'u':
        this.entries.push({ path: field.split(' ').slice(10).join(' '), headOid: undefined, headMode: 0, untracked: false });
        break;
      case '!':
        if (this.ignored.length <= MAX_IGNORED) {
          this.ignored.push(field.slice(2));
        }
        break;
      case '?':
        if (field.endsWith('/')) {
          this.nested.push(field.slice(2, -1));
        } else {
          this.entries.push({ path: field.slice(2), headOid: undefined, headMode: 0, untracked: true });
        }
        break;
    }
  }
}

function headOf(mode: string, oid: string): Pick<StatusEntry, 'headOid' | 'headMode'> {
  return { headOid: /^0*$/.test(oid) ? undefined : oid, headMode: Number.parseInt(mode, 8) };
}

/** Returns the folders that `.gitmodules` names, from the top. They need not exist. */
export async function submodulePaths(run: RunGit, top: string): Promise<string[]> {
  const output = await run(top, LIST_SUBMODULES);
  return (output?.toString().split('\0') ?? []).map(submodulePath).filter(Boolean);
}

/** Returns the paths, from the top, in which two commits differ, without submodules; undefined when git failed. */
export async function changedBetween(run: RunGit, top: string, before: string, after: string): Promise<string[] | undefined> {
  const output = await run(top, ['diff-tree', '-r', '-z', '--no-renames', '--ignore-submodules=all', '--name-only', before, after, '--']);
  return output?.toString().split('\0').filter(Boolean);
}

/** True when `file` is below `folder`: both absolute. A folder is not below itself. */
export function isBelow(file: string, folder: string): boolean {
  return file.length > folder.length && file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
