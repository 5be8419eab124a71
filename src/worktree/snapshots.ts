/** Stores working trees as tree objects, including uncommitted and new files. Index and objects are temporary: the user's repository is only read. */
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { Reader } from './reader';
import { lstatInside } from './realFolders';
import { flaggedFiles, STATUS_MS, statusOf, unflag } from './status';
import { filledSubmodules } from './submodules';
import { copyIndex, type TemporaryStore } from './temporaryStore';

export interface FileChange {
  /** Relative, with slashes. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted';
  /** Lines; undefined for a binary file. */
  readonly added?: number;
  readonly removed?: number;
  /** True for a file that replaces a submodule. */
  readonly replacesSubmodule?: boolean;
}

export interface WorktreeSnapshot {
  readonly tree: string;
  /** Submodules with another commit than in the base, or with changed files. `tree` has the base's commits. */
  readonly submodules: readonly string[];
  /** Nested repositories that are not submodules. `tree` does not have them. */
  readonly nested: readonly string[];
  /** New and large files, if `largeFrom` is set. `tree` has them as in the index. */
  readonly unstaged: readonly FileChange[];
  /** True when there are uncommitted changes. */
  readonly isDirty: boolean;
}

export interface TakeOptions {
  /** The size in bytes from which a file is only listed. After 16 times as many bytes, all further files are only listed. */
  readonly largeFrom?: number;
  /** True for a command of the user: the repository's filters run then. */
  readonly filters?: boolean;
}

/** Needed because configuration and `.gitmodules` may hide submodules from a diff. */
export const ALL_SUBMODULES = '--ignore-submodules=none';
const NO_DRIVERS = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color', ALL_SUBMODULES];
/** The maximum content of all staged files together, as a multiple of `largeFrom`. */
const MAX_LISTED = 16;
/** Git treats a file with a NUL in these first bytes as binary. */
const TEXT_BYTES = 8000;
const NEWLINE = 10;
const GITLINK = '160000';

interface RawChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The id of the previous object; zeros when there was none. */
  readonly oid: string;
  readonly letter: string;
}

export class Snapshots {
  constructor(private readonly git: Git) {}

  /** @param base a commit @throws Fault */
  async take(
    folder: string,
    base: string,
    store: TemporaryStore,
    { largeFrom = Infinity, filters = false }: TakeOptions = {},
  ): Promise<WorktreeSnapshot> {
    const { git } = this;
    const reader = await Reader.in(git, folder, { filters });
    const env = { ...store.env, GIT_INDEX_FILE: store.file('index') };
    await copyIndex(reader, env.GIT_INDEX_FILE);
    await unflag(reader, await flaggedFiles(reader), env);
    const { changed, untracked, nested } = await statusOf(reader, { env });
    const unstaged: FileChange[] = [];
    let rest = largeFrom * MAX_LISTED;
    const isSmall = async (name: string, status: FileChange['status']): Promise<boolean> => {
      const size = largeFrom === Infinity ? 0 : ((await lstat(path.join(folder, name)).catch(() => undefined))?.size ?? 0);
      rest -= size < largeFrom ? size : 0;
      return (size < largeFrom && rest >= 0) || !unstaged.push({ path: name, status });
    };
    const edited = changed.filter(({ isEdited, isSubmodule }) => isEdited && !isSubmodule);
    const files: string[] = [];
    for (const name of edited.flatMap((entry) => (entry.isDeleted ? [] : [entry.path]))) {
      if (await isSmall(name, 'modified')) {
        files.push(name);
      }
    }
    const inBase = largeFrom < Infinity && untracked.length > 0 ? await this.missing(reader, base, env) : undefined;
    for (const name of untracked) {
      if (!inBase || inBase.has(name)) {
        void ((!inBase || (await isSmall(name, 'modified'))) && files.push(name));
      } else if (await isSmall(name, 'added')) {
        // The lines are counted here, because Git takes half a minute for thousands of temporary objects.
        unstaged.push({ path: name, status: 'added', ...(await linesOf(path.join(folder, name))) });
      }
    }
    await stage(
      reader,
      edited.flatMap((entry) => (entry.isDeleted ? [entry.path] : [])),
      files,
      env,
    );
    const links = await this.resetLinks(reader, base, env);
    const others = changed.flatMap(({ path: name, isEdited, isSubmodule }) => (isEdited && isSubmodule ? [name] : []));
    const dirty = await this.dirtySubmodules(folder, nested);
    const repositories = new Set(nested);
    const submodules = [...new Set([...links, ...others, ...dirty])].filter((name) => !repositories.has(name)).sort();
    const tree = await reader.text(['write-tree'], { env });
    return { tree, submodules, nested, unstaged, isDirty: changed.length + untracked.length + nested.length + dirty.length > 0 };
  }

  /**
   * Stores the main tree as in `HEAD` and its index, with the current content of `paths`. Other files are not read, however large they are.
   * @throws Fault
   */
  async partial(folder: string, paths: readonly string[], store: TemporaryStore): Promise<string> {
    const reader = await Reader.in(this.git, folder, { filters: true });
    const env = { ...store.env, GIT_INDEX_FILE: store.file('index') };
    await copyIndex(reader, env.GIT_INDEX_FILE);
    const unmerged = await reader.parts(['ls-files', '--unmerged', '-z'], { env });
    const wanted = new Set([...paths, ...unmerged.map((part) => part.slice(part.indexOf('\t') + 1))]);
    await unflag(
      reader,
      (await flaggedFiles(reader)).filter((name) => wanted.has(name)),
      env,
    );
    const present: string[] = [];
    const absent: string[] = [];
    for (const name of wanted) {
      const found = await lstatInside(folder, name);
      (found && !found.isDirectory() ? present : absent).push(name);
    }
    await stage(reader, absent, present, env);
    return reader.text(['write-tree'], { env });
  }

  /** The changes from one tree or commit to another. */
  async files(folder: string, from: string, to: string, store: TemporaryStore): Promise<readonly FileChange[]> {
    const reader = await Reader.in(this.git, folder);
    const raw = await this.raw(reader, ['diff-tree', '-r', ...NO_DRIVERS, '-z', '--raw', from, to, '--'], store.env);
    const counts = await reader.parts(['diff-tree', '-r', ...NO_DRIVERS, '-z', '--numstat', from, to, '--'], {
      env: store.env,
      timeoutMs: STATUS_MS,
    });
    const known = new Map(raw.map((change) => [change.path, change]));
    return counts.flatMap((part): FileChange[] => {
      const [added = '-', removed = '-', ...rest] = part.split('\t');
      const name = rest.join('\t');
      const { letter, before, after } = known.get(name) ?? {};
      const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
      const lines = added === '-' ? {} : { added: Number(added), removed: Number(removed) };
      return [
        {
          path: name,
          status,
          ...lines,
          ...(before === GITLINK && after !== GITLINK && status === 'modified' && { replacesSubmodule: true }),
        },
      ];
    });
  }

  /** Writes the difference of two trees into a file, for `git apply`. */
  async patch(folder: string, from: string, to: string, file: string, store: TemporaryStore): Promise<void> {
    const reader = await Reader.in(this.git, folder);
    const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
    const args = ['diff-tree', '-r', '-p', '--binary', '--full-index', ...prefixes, ...NO_DRIVERS, `--output=${file}`, from, to, '--'];
    await reader.run(args, { env: store.env, timeoutMs: STATUS_MS });
  }

  /** The submodules with changed or new files. @param nested folders of repositories that are no submodules @throws Fault */
  async dirtySubmodules(folder: string, nested: readonly string[]): Promise<string[]> {
    const dirty: string[] = [];
    for (const each of await filledSubmodules(this.git, folder)) {
      const { changed, untracked, nested: inside } = await statusOf(await Reader.in(this.git, each.folder));
      if (changed.length + untracked.length + inside.length > 0 && !nested.includes(each.path)) {
        dirty.push(each.path);
      }
    }
    return dirty;
  }

  /** Resets each submodule and nested repository in the index to the base. Returns the changed ones. */
  private async resetLinks(reader: Reader, base: string, env: Readonly<Record<string, string>>): Promise<string[]> {
    const raw = await this.raw(reader, ['diff-index', '--cached', '-z', '--no-renames', ALL_SUBMODULES, base, '--'], env);
    const links = raw.filter(({ before, after }) => before === GITLINK || after === GITLINK);
    if (links.length > 0) {
      const input = links.map(({ path: name, before, oid }) => `${before === '000000' ? '0' : before} ${oid}\t${name}\0`).join('');
      // A restored submodule replaces files at its path. The result lists the submodule.
      await reader.run(['update-index', '-z', '--index-info'], { env, input });
    }
    return links.map(({ path: name }) => name);
  }

  /** The files of the base that the index does not have. New files of the user that were taken along are among them. */
  private async missing(reader: Reader, base: string, env: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
    const args = ['diff-index', '--cached', '--name-only', '-z', '--no-renames', '--diff-filter=D', ALL_SUBMODULES, base, '--'];
    return new Set(await reader.parts(args, { env, timeoutMs: STATUS_MS }));
  }

  private async raw(reader: Reader, args: readonly string[], env: Readonly<Record<string, string>>): Promise<RawChange[]> {
    const parts = await reader.parts(args, { env, timeoutMs: STATUS_MS });
    const found: RawChange[] = [];
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const [before = '', after = '', oid = '', , letter = ''] = parts[index]!.replace(/^:/, '').split(' ');
      found.push({ path: parts[index + 1]!, before, after, oid, letter });
    }
    return found;
  }
}

/** The number of lines of a new file; empty for a file that is binary or can't be read. */
async function linesOf(file: string): Promise<Pick<FileChange, 'added' | 'removed'>> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    return { added: 1, removed: 0 };
  }
  const content = found?.isFile() ? await readFile(file).catch(() => undefined) : undefined;
  if (!content || content.subarray(0, TEXT_BYTES).includes(0)) {
    return {};
  }
  let added = content.length > 0 && content.at(-1) !== NEWLINE ? 1 : 0;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) {
    added++;
  }
  return { added, removed: 0 };
}

/** Stages files with their content on disk. @throws Fault `worktree.file_names` when a name is not UTF-8 */
export async function stage(
  reader: Reader,
  deleted: readonly string[],
  present: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const unreadable = [...deleted, ...present].filter((name) => name.includes('\ufffd'));
  if (unreadable.length > 0) {
    throw fault('worktree.file_names', { files: unreadable.slice(0, 20).join(', ') });
  }
  const options = { env, timeoutMs: STATUS_MS };
  if (deleted.length > 0) {
    const input = deleted.map((name) => `${name}\0`).join('');
    await reader.run(['update-index', '--force-remove', '-z', '--stdin'], { ...options, input });
  }
  if (present.length > 0) {
    const input = present.map((name) => `${name}\0`).join('');
    await reader.run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { ...options, input });
  }
}
