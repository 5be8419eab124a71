/**
 * The snapshot of a folder in a git repository. A file that equals the last commit needs no copy; the others are copied. Git reports the status when
 * a turn begins and when it ends.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { FileState } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import { changedBetween, gitStatus, type GitStatus, isBelow } from '../disk/git';
import { bareSource, type Blob, eachBlob, type ObjectSource, withCrlf } from '../disk/gitBlobs';
import type { IndexEntry } from '../disk/gitIndex';
import { operationsSince } from '../disk/gitOperations';
import { fromGitMode } from '../disk/inPlace';
import { addTo, Pace } from '../disk/pace';
import { type CopiedFile, isSince, keptOr, looksBinary, slackOf, unknown } from './fileStates';
import { hasChanged, walk } from './folderSnapshot';
import { pathsOf, type RepositoryPlace, type RepositoryStart } from './repositoryStart';
import {
  type BroughtFiles,
  type ChangedFile,
  type EarlierFile,
  type GoneFile,
  type Since,
  sinceNow,
  type FilesSnapshot,
  type Trouble,
} from './filesSnapshot';

const MAX_PARALLEL = 32;
/** The most operations of one turn whose files are listed one by one. */
const MAX_OPERATIONS = 10;
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

const TYPE = 0o170000;
const LINK_MODE = 0o120000;
const REGULAR_MODE = 0o100000;

/** A repository at the beginning of a turn. */
export interface RepositoryFacts extends Pick<RepositoryPlace, 'root' | 'repository'> {
  readonly type: 'repository';
  readonly start: RepositoryStart;
  /** Folders of other repositories, absolute. */
  readonly nested: readonly string[];
}

export class RepositorySnapshot implements FilesSnapshot {
  readonly troubles: Trouble[] = [];
  /** The status when the turn ended. */
  private end: GitStatus | undefined;
  private readonly ignoredFiles: ReadonlySet<string>;
  /** The repository's top folder with a separator at its end. */
  private readonly prefix: string;

  constructor(
    private readonly place: RepositoryPlace,
    private readonly start: RepositoryStart,
    private readonly since: Since,
    /** Folders of other repositories, absolute. */
    private readonly nested: readonly string[],
  ) {
    this.ignoredFiles = new Set(start.status.ignored);
    const { top } = place.repository;
    this.prefix = top.endsWith(path.sep) ? top : top + path.sep;
    if (!start.index || !start.filtered) {
      this.troubles.push({ kind: 'git', detail: this.root });
    }
  }

  get root(): string {
    return this.place.root;
  }

  facts(): RepositoryFacts {
    const { root, repository } = this.place;
    return { type: 'repository', root, repository, start: this.start, nested: this.nested };
  }

  async changed(): Promise<readonly ChangedFile[]> {
    const { run, states, repository } = this.place;
    const { status, copies } = this.start;
    const now = (this.end = await gitStatus(run, this.root));
    const isMoved = now !== undefined && now.head !== status.head;
    const committed =
      isMoved && status.head !== undefined && now.head !== undefined
        ? await changedBetween(run, repository.top, status.head, now.head)
        : [];
    const found = new Set<string>([...(committed ?? []), ...(now ? [...pathsOf(now), ...this.cloned(now)] : [])]);
    if (!now || !committed || (isMoved && (status.head === undefined || now.head === undefined))) {
      (await this.changedByStat()).forEach((file) => found.add(file));
    }
    if (!now) {
      this.troubles.push({ kind: 'git', detail: this.root });
      (await this.unlisted()).forEach((file) => found.add(file));
    }
    copies.forEach((_, file) => found.add(file));
    const moves = new Map<string, string>();
    const changed: ChangedFile[] = [];
    const copied: [string, CopiedFile][] = [];
    const pace = new Pace();
    for (const { path: file, oldPath } of now?.entries ?? []) {
      if (oldPath !== undefined) {
        moves.set(file, oldPath);
      }
    }
    for (const file of found) {
      const copy = copies.get(file);
      const at = this.pathOf(file);
      if (copy) {
        copied.push([at, copy]);
      } else if (isBelow(at, this.root)) {
        const oldPath = moves.get(file);
        changed.push({ path: at, ...(oldPath !== undefined && { oldPath: this.pathOf(oldPath) }) });
      }
      await pace.step();
    }
    await inPool(copied, MAX_PARALLEL, async ([at, copy]) => {
      if (isBelow(at, this.root) && (await hasChanged(states, at, copy))) {
        changed.push({ path: at });
      }
      await pace.step();
    });
    return changed;
  }

  async before(paths: readonly string[]): Promise<readonly (EarlierFile | undefined)[]> {
    const { copies, index, filtered, listedAt } = this.start;
    const pace = new Pace();
    const files: string[] = [];
    for (const each of paths) {
      files.push(this.nameOf(each));
      await pace.step();
    }
    const tracked = (await index?.find(new Set(files))) ?? new Map<string, IndexEntry>();
    const found = new Map<string, EarlierFile>();
    const clean: IndexEntry[] = [];
    for (const file of files) {
      const copy = copies.get(file);
      const entry = tracked.get(file);
      if (copy) {
        const isAbsent = copy.state.kind === 'none';
        const { stat } = copy;
        found.set(file, {
          state: withSize(copy.state, entry),
          ...(isAbsent && { absentAt: listedAt }),
          ...(stat && { ino: stat.ino, size: stat.size, stat }),
        });
      } else if (entry) {
        const reason = this.isSince(entry) ? 'late' : !filtered || filtered.has(file) || entry.unwatched ? 'filtered' : undefined;
        if (reason) {
          found.set(file, { state: unknown(reason, entry.size), ...this.inodeOf(entry), size: entry.size });
        } else {
          clean.push(entry);
        }
      }
      await pace.step();
    }
    for (const [file, { state, binary }] of await this.committed(clean)) {
      const entry = tracked.get(file)!;
      const { ino, dev, size, mtimeMs, ctimeMs } = entry;
      const isCertain = state.kind === 'file' && state.kept;
      found.set(file, { state, ...this.inodeOf(entry), size, ...(isCertain && { clean: { ino, dev, size, mtimeMs, ctimeMs, binary } }) });
      await pace.step();
    }
    const all: (EarlierFile | undefined)[] = [];
    for (const [at, file] of files.entries()) {
      all.push(found.get(file) ?? this.untracked(file, paths[at]!));
      await pace.step();
    }
    return all;
  }

  async gone(): Promise<readonly GoneFile[]> {
    const gone: GoneFile[] = [];
    await inPool([...this.start.ignored], MAX_PARALLEL, async ([file, { ino, size, ctimeMs }]) => {
      const now = await this.place.states.files.stat(file).catch(() => undefined);
      if (!now || now.ino !== ino || now.ctimeMs !== ctimeMs) {
        gone.push({ path: file, ino, size, isInFolder: !this.ignoredFiles.has(this.nameOf(file)) });
      }
    });
    return gone;
  }

  async brought(): Promise<readonly BroughtFiles[]> {
    const { run, repository } = this.place;
    const { top } = repository;
    const operations = await operationsSince(repository, this.start.reflogs).catch(() => undefined);
    const { end, start } = this;
    const hasMoved = end?.head !== undefined && start.status.head !== undefined && end.head !== start.status.head;
    // Without a reflog the time and the command of a move of HEAD are unknown.
    const isUnknown = !operations || (operations.length === 0 && hasMoved && start.reflogs.head === undefined);
    const all = isUnknown ? (hasMoved ? [{ at: undefined, before: start.status.head, after: end.head }] : []) : operations;
    if (all.length === 0) {
      return [];
    }
    const dirty = new Set(end && pathsOf(end));
    const touched = pathsOf(start.status).filter((file) => !dirty.has(file));
    const found: BroughtFiles[] = [];
    for (const { at, before, after } of all.slice(-MAX_OPERATIONS)) {
      const between = before !== undefined && after !== undefined && before !== after ? await changedBetween(run, top, before, after) : [];
      // A reset or a stash also removes uncommitted changes.
      const files = [...(between ?? []), ...touched].filter((file) => !dirty.has(file));
      found.push({ at, top, paths: new Set(files.map((file) => path.join(top, file))) });
    }
    return found;
  }

  /** Handles an untracked file. One that git did not list was absent when it listed the untracked and the ignored files. */
  private untracked(file: string, at: string): EarlierFile | undefined {
    const { status, index, listedAt, ignored } = this.start;
    const stat = ignored.get(at);
    if (stat && isSince(stat, sinceNow(this.since))) {
      // Another file may have come to the path before its inode was read.
      return { state: unknown('late', stat.size) };
    }
    if (stat) {
      return { state: unknown('unproven', stat.size), ino: stat.ino, size: stat.size };
    }
    const isInIgnored = (): boolean => {
      for (let to = file.indexOf('/'); to > 0; to = file.indexOf('/', to + 1)) {
        if (this.ignoredFiles.has(file.slice(0, to + 1))) {
          return true;
        }
      }
      return this.ignoredFiles.has(file) || this.ignoredFiles.has(`${file}/`);
    };
    const isListed = index !== undefined && status.ignored !== undefined && !isInIgnored();
    const isNested = this.nested.some((folder) => at === folder || isBelow(at, folder));
    return isListed && !isNested ? { state: { kind: 'none' }, absentAt: listedAt } : undefined;
  }

  /** Returns the states of files that were equal to the last commit, by path from the top. */
  private async committed(entries: readonly IndexEntry[]): Promise<Map<string, { readonly state: FileState; readonly binary: boolean }>> {
    const { run, states } = this.place;
    const byOid = new Map<string, IndexEntry[]>();
    const pace = new Pace();
    for (const entry of entries) {
      addTo(byOid, entry.oid, entry);
      await pace.step();
    }
    const found = new Map<string, { readonly state: FileState; readonly binary: boolean }>();
    const source = await this.source();
    await eachBlob(run, source, byOid.keys(), states.limits.fileBytes, async (oid, blob) => {
      for (const entry of byOid.get(oid)!) {
        const state = await this.stateOf(entry, blob, source.options === undefined);
        found.set(entry.path, { state, binary: blob !== undefined && 'bytes' in blob && looksBinary(blob.bytes) });
        await pace.heavyStep();
      }
    });
    return found;
  }

  /** Returns the location of the objects. A submodule's folder may be gone, and its repository is elsewhere then. */
  private async source(): Promise<ObjectSource> {
    const { top, gitDir } = this.place.repository;
    const isThere = await stat(path.join(top, '.git')).then(
      () => true,
      () => false,
    );
    return isThere || gitDir === undefined || isBelow(gitDir, top) ? { cwd: top } : bareSource(gitDir);
  }

  private async stateOf({ oid, mode, size }: IndexEntry, blob: Blob, isLasting: boolean): Promise<FileState> {
    if (!blob || !('bytes' in blob)) {
      return blob ? unknown('too_large', blob.size) : unknown('unreadable', size);
    }
    const { bytes } = blob;
    if ((mode & TYPE) === LINK_MODE) {
      // On Windows git may have written the target into a regular file.
      return process.platform === 'win32' ? unknown('filtered') : { kind: 'link', target: Buffer.from(bytes).toString() };
    }
    if ((mode & TYPE) !== REGULAR_MODE) {
      return unknown('unreadable');
    }
    if (Buffer.from(bytes.subarray(0, LFS_POINTER.length)).toString() === LFS_POINTER) {
      return unknown('filtered', size);
    }
    // Git can only have converted line ends, and each conversion changes the size.
    const isEqual = size === bytes.length;
    const present = isEqual ? bytes : withCrlf(bytes);
    if (present?.length !== size) {
      return unknown('filtered', size);
    }
    const hash = await this.place.states.keep(
      present,
      isEqual && isLasting && this.end ? { top: this.place.repository.top, oid } : undefined,
      true,
    );
    return keptOr({ kind: 'file', hash: hash ?? '', size: present.length, mode: fromGitMode(mode), kept: hash !== undefined });
  }

  private inodeOf({ path: file, ino }: IndexEntry): Pick<EarlierFile, 'ino'> {
    const { inodes } = this.start;
    const known = inodes ? inodes.get(file) : ino;
    return known ? { ino: known } : {};
  }

  /** True when the index was written after the turn began, with a file of that time: its object may be a later one. */
  private isSince({ changedMs }: IndexEntry): boolean {
    return changedMs >= sinceNow(this.since) - slackOf(changedMs);
  }

  /** Returns the tracked files whose times, size or inode differ from those in the index at the start. */
  private async changedByStat(): Promise<string[]> {
    const { states, repository } = this.place;
    const changed: string[] = [];
    const pace = new Pace();
    await inPool((await this.start.index?.all()) ?? [], MAX_PARALLEL, async (entry) => {
      const now = await states.files.stat(path.join(repository.top, entry.path)).catch(() => undefined);
      const isFolder = (entry.mode & TYPE) !== REGULAR_MODE && (entry.mode & TYPE) !== LINK_MODE;
      const isSame = now && now.size === entry.size && Math.abs(now.mtimeMs - entry.mtimeMs) < 0.01 && now.ino % 2 ** 32 === entry.ino;
      if (!isFolder && !isSame && !this.start.copies.has(entry.path)) {
        changed.push(entry.path);
      }
      await pace.step();
    });
    return changed;
  }

  /** Returns the files that git did not list at the start, found without git. */
  private async unlisted(): Promise<string[]> {
    const { states } = this.place;
    const { files } = await walk(states, this.root, states.limits.plainFiles);
    const names = files.map((file) => this.nameOf(file));
    const tracked = (await this.start.index?.find(new Set(names))) ?? new Map<string, IndexEntry>();
    return names.filter((name, at) => !tracked.has(name) && this.untracked(name, files[at]!)?.absentAt !== undefined);
  }

  private cloned(now: GitStatus): string[] {
    return now.nested.filter((folder) => !this.start.status.nested.includes(folder));
  }

  private pathOf(name: string): string {
    return this.prefix + (path.sep === '/' ? name : name.split('/').join(path.sep));
  }

  private nameOf(file: string): string {
    if (path.sep === '/' && file.startsWith(this.prefix)) {
      return file.slice(this.prefix.length);
    }
    return path.relative(this.place.repository.top, file).split(path.sep).join('/');
  }
}

/** Adds the size of the index to the state of a file that was gone before it was read, because another file may have its content. */
function withSize(state: FileState, entry: IndexEntry | undefined): FileState {
  return entry && state.kind === 'unknown' ? { size: entry.size, ...state } : state;
}
