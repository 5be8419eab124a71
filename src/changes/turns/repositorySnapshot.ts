/**
 * A folder in a git repository: what is as the last commit has it needs no copy, the rest is copied. git is asked for the status once when a turn
 * begins, and once when it ends.
 */
import path from 'node:path';
import type { FileState } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import { changedBetween, gitStatus, type GitStatus, type RunGit, treeEntries, type TreeEntry } from '../disk/git';
import { readBlobs } from '../disk/gitBlobs';
import { type FileStates, keptOr, unknown } from './fileStates';
import type { Snapshot } from './snapshot';

/** Files that are read at the same time. */
const AT_ONCE = 32;
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

const LINK_MODE = 0o120000;
const REGULAR_MODE = 0o100000;

/** @param top the repository's. @param status since the turn began. @param since when it began */
export async function snapshotOfRepository(
  run: RunGit,
  states: FileStates,
  root: string,
  top: string,
  status: GitStatus,
  since: number,
): Promise<Snapshot> {
  const copies = new Map<string, FileState>();
  await inPool(pathsOf(status), AT_ONCE, async (file) => {
    copies.set(file, await states.asOf(path.join(top, file), since));
  });
  return new RepositorySnapshot(run, states, root, top, status, copies, since);
}

class RepositorySnapshot implements Snapshot {
  /** What git has told of when the turn ended: it ignores none of that. */
  private reported: ReadonlySet<string> = new Set();

  constructor(
    private readonly run: RunGit,
    private readonly states: FileStates,
    readonly root: string,
    private readonly top: string,
    private readonly start: GitStatus,
    /** By path from the top. */
    private readonly copies: ReadonlyMap<string, FileState>,
    private readonly since: number,
  ) {}

  async changed(): Promise<readonly { readonly path: string; readonly oldPath?: string }[]> {
    const { run, top, start } = this;
    const now = await gitStatus(run, this.root);
    const committed =
      start.head !== undefined && now?.head !== undefined && now.head !== start.head
        ? await changedBetween(run, top, start.head, now.head)
        : [];
    const moves = new Map(now?.entries.flatMap(({ path: file, oldPath }) => (oldPath === undefined ? [] : [[file, oldPath] as const])));
    const cloned = now?.nested.filter((folder) => !start.nested.includes(folder)) ?? [];
    this.reported = new Set([...committed, ...(now ? pathsOf(now) : []), ...cloned]);
    const files = new Set([...this.copies.keys(), ...this.reported]);
    return [...files]
      .filter((file) => this.isBelowRoot(file))
      .map((file) => {
        const oldPath = this.copies.has(file) ? undefined : moves.get(file);
        return { path: path.join(top, file), ...(oldPath !== undefined && { oldPath: path.join(top, oldPath) }) };
      });
  }

  async before(paths: readonly string[]): Promise<readonly (FileState | undefined)[]> {
    const { run, top, start, copies } = this;
    const files = paths.map((each) => path.relative(top, each).split(path.sep).join('/'));
    const clean = files.filter((file) => !copies.has(file));
    const tree = start.head === undefined ? [] : await treeEntries(run, top, start.head, clean);
    const entries = new Map(tree.map((entry) => [entry.path, entry]));
    const wanted = files.flatMap((file) => entries.get(file) ?? []);
    const contents = await readBlobs(run, top, wanted, this.states.limits.fileBytes);
    const found = new Map<string, FileState>();
    await inPool([...wanted.entries()], AT_ONCE, async ([index, entry]) => {
      found.set(entry.path, await this.committed(entry, contents[index]));
    });
    return Promise.all(
      files.map(async (file) => copies.get(file) ?? found.get(file) ?? ((await this.isNew(file)) ? { kind: 'none' } : undefined)),
    );
  }

  /** What git neither has nor tells of is ignored; and it may have been ignored until somebody changed that. */
  private async isNew(file: string): Promise<boolean> {
    if (!this.reported.has(file)) {
      return false;
    }
    const isIgnoringChanged = [...this.reported].some((each) => path.posix.basename(each) === '.gitignore');
    const stat = isIgnoringChanged ? await this.states.files.stat(path.join(this.top, file)) : undefined;
    return !stat || stat.birthtimeMs >= this.since;
  }

  private async committed({ mode }: TreeEntry, bytes: Uint8Array | undefined): Promise<FileState> {
    if (!bytes) {
      return unknown('too_large');
    }
    if (mode === LINK_MODE) {
      return { kind: 'link', target: Buffer.from(bytes).toString() };
    }
    if ((mode & 0o170000) !== REGULAR_MODE) {
      return unknown('unreadable');
    }
    if (Buffer.from(bytes.subarray(0, LFS_POINTER.length)).toString() === LFS_POINTER) {
      return unknown('filtered');
    }
    const hash = await this.states.store.put(bytes);
    return keptOr({ kind: 'file', hash: hash ?? '', size: bytes.length, mode: mode & 0o777, kept: hash !== undefined });
  }

  private isBelowRoot(file: string): boolean {
    const below = path.relative(this.root, path.join(this.top, file));
    return below !== '' && below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
  }
}

function pathsOf({ entries }: GitStatus): string[] {
  return [...new Set(entries.flatMap(({ path: file, oldPath }) => (oldPath === undefined ? [file] : [file, oldPath])))];
}
