/**
 * Recognizes the files that a session left at their paths. A file of the user may have the same content: the agent had copied it, and the user moved it
 * over the copy. It is then the only one, and an equal content does not prove that it is the agent's.
 */
import { type ChangeRecord, type FileRecord, sameState, statesAfter, statesBefore } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/fileStat';
import { INODE_BITS } from './creations';
import { type FileStates, slackOf } from './fileStates';
import type { EarlierFile } from './filesSnapshot';

/** The session's writes at one path. */
interface OwnPath {
  /** The inodes of the files that the session left, with the last time at which each was there. A file made later may have the inode of a deleted one. */
  readonly inodes: Map<number, number>;
  /** The time of the newest write, in ms since the epoch. -Infinity where the file may be older. */
  at: number;
}

type StatOfFile = Pick<FileStat, 'kind' | 'size' | 'ino' | 'birthtimeMs' | 'mtimeMs'>;

/** A restore or an undo, and the files that it was about to write. */
interface Run {
  readonly at: number;
  readonly files: ReadonlyMap<string, FileRecord>;
}

export class OwnFiles {
  private readonly paths = new Map<string, OwnPath>();
  /** The inodes of files that turns created, with the last time at which the session wrote them. The agent may move one of them over another. */
  private readonly created = new Map<number, number>();
  /** True where a new file can have the birth of an earlier one: Windows gives it to a file of the same name, and editors of macOS copy it. */
  private readonly inheritsBirths: boolean;

  constructor(records: readonly ChangeRecord[], platform: NodeJS.Platform = process.platform) {
    this.inheritsBirths = platform === 'win32' || platform === 'darwin';
    const turns = new Map<string, number>();
    const runs = new Map<string, Run>();
    for (const record of records) {
      if (record.type === 'checkpoint') {
        turns.set(record.turnId, record.at);
      } else if (record.type === 'turn') {
        const since = turns.get(record.turnId) ?? -Infinity;
        record.files.forEach((file) => this.learn(file, file.inode, record.at, { since, known: record.at }));
      } else if (record.type === 'done') {
        const run = runs.get(record.id);
        record.written.forEach((path, index) => this.ran(run, path, record.inodes?.[index], record.at));
      } else if (record.ends) {
        const files = new Map(record.files.map((file) => [file.path, file]));
        runs.set(record.type === 'undo' ? record.undoId : record.restoreId, { at: record.at, files });
      }
    }
  }

  /**
   * True for a file that is older than the session's last write at its path, and that no such write has left there. Files that are made later count as
   * the session's: a checkout or a save by a rename writes the same file again. False where no record names the path, or births are not known.
   */
  async hasOther(path: string, stat: StatOfFile | undefined, states: Pick<FileStates, 'knowsBirths'>): Promise<boolean> {
    const own = this.paths.get(path);
    if (!own || stat?.kind !== 'file' || stat.size === 0) {
      return false;
    }
    const { ino, birthtimeMs, mtimeMs } = stat;
    const created = this.created.get(ino) ?? -Infinity;
    // The user may have written a file that the agent created.
    if (birthtimeMs <= (own.inodes.get(ino) ?? -Infinity) || Math.max(birthtimeMs, mtimeMs) <= created) {
      return false;
    }
    if (this.inheritsBirths && mtimeMs > own.at) {
      return false;
    }
    return birthtimeMs < own.at - slackOf(birthtimeMs) && (await states.knowsBirths(path, stat as FileStat));
  }

  /** True for a file that no write of the session may have left at the path. It is no longer there, and its inode may be the one that git stores. */
  async mayHaveOther(
    path: string,
    { ino = 0, stat, clean }: Omit<EarlierFile, 'state'>,
    states: Pick<FileStates, 'knowsBirths'>,
  ): Promise<boolean> {
    const own = this.paths.get(path);
    if (!own || own.inodes.size === 0) {
      return false;
    }
    if (stat && (await states.knowsBirths(path, stat))) {
      return this.hasOther(path, stat, states);
    }
    const isOwn = [...own.inodes.keys()].some((inode) => inode % INODE_BITS === ino % INODE_BITS);
    // A checkout writes the same file again.
    return !isOwn && !(clean && clean.mtimeMs > own.at);
  }

  /** Returns the newest write at a path; undefined where its time is not known. */
  newest(path: string): { readonly at: number; readonly inode?: number } | undefined {
    const own = this.paths.get(path);
    const [newest] = [...(own?.inodes ?? [])].sort(([, one], [, other]) => other - one);
    return own && own.at > -Infinity ? { at: own.at, ...(newest && { inode: newest[0] }) } : undefined;
  }

  private ran(run: Run | undefined, path: string, inode: number | undefined, at: number): void {
    const file = run?.files.get(path);
    if (run && file) {
      const { oldPath: _, shared: __, userEdits: ___, ...written } = file;
      this.learn(written, inode, run.at, { since: run.at, known: at });
    }
  }

  /**
   * @param inode of the file that was left; absent in records of earlier versions
   * @param at the time of the write
   * @param since the time after which the file was made, where it was created and its inode is not known
   * @param known the time at which the inode was read
   */
  private learn(file: FileRecord, inode: number | undefined, at: number, { since, known }: { since: number; known: number }): void {
    const { path, oldPath, before, after } = file;
    const isCreated = before.kind === 'none' && oldPath === undefined;
    const own = this.add(path, inode, known);
    // A file that was changed in place is older than the change.
    own.at = inode || after.kind === 'none' || after.kind === 'link' ? at : isCreated ? since : -Infinity;
    if (oldPath !== undefined) {
      this.add(oldPath, inode, known);
    }
    if (inode && (file.shared || file.userEdits)) {
      this.created.delete(inode);
    } else if (inode && (isCreated || this.created.has(inode))) {
      this.created.set(inode, known);
    }
  }

  private add(path: string, inode: number | undefined, known: number): OwnPath {
    const own = this.paths.get(path) ?? { inodes: new Map<number, number>(), at: -Infinity };
    this.paths.set(path, own);
    if (inode) {
      own.inodes.set(inode, known);
    }
    return own;
  }
}

/**
 * Marks records of files as shared that another file had replaced before the turn, or in its first moments. The undo of an earlier turn would take the
 * only copy of that file. @param earlier the session's records before the turn
 */
export async function withOtherFiles(
  records: readonly FileRecord[],
  changed: readonly { readonly path: string; readonly earlier: Omit<EarlierFile, 'state'>; readonly stat: FileStat | undefined }[],
  earlier: readonly ChangeRecord[],
  states: Pick<FileStates, 'knowsBirths'>,
): Promise<readonly FileRecord[]> {
  if (earlier.length === 0) {
    return records;
  }
  const own = new OwnFiles(earlier);
  const left = statesAfter(earlier);
  const restorable = new Map([...statesBefore(earlier, 0)].flatMap(([path, state]) => (state.kind === 'file' ? [[state.hash, path]] : [])));
  const others = new Set<string>();
  for (const { path, earlier: before, stat } of changed) {
    const isSame = before.ino !== undefined && stat !== undefined && before.ino % INODE_BITS === stat.ino % INODE_BITS;
    // A file that the turn replaced leaves only its inode, or nothing when it was gone before it was read.
    if (await (isSame || before.ino === undefined ? own.hasOther(path, stat, states) : own.mayHaveOther(path, before, states))) {
      others.add(path);
    }
  }
  const isOther = ({ path, before }: FileRecord): boolean => {
    if (before.kind === 'unknown') {
      return others.has(path);
    }
    // The agent moved it there when another record brings the content back to its path.
    const origin = before.kind === 'file' ? (restorable.get(before.hash) ?? path) : undefined;
    return origin === path && others.has(path) && sameState(left.get(path) ?? before, before);
  };
  return records.map((record) => (isOther(record) ? { ...record, shared: true } : record));
}

/** Returns records that recognize the files of pending rows after all other records were deleted. None of them is a checkpoint. */
export function recordsOfRows(
  records: readonly ChangeRecord[],
  rows: readonly (Pick<FileRecord, 'path' | 'oldPath' | 'before' | 'after' | 'shared'> & { readonly turns: readonly string[] })[],
): readonly ChangeRecord[] {
  const own = new OwnFiles(records);
  const byTime = new Map<number, Extract<ChangeRecord, { readonly type: 'turn' }> & { readonly files: FileRecord[] }>();
  for (const { path, oldPath, before, after, shared, turns } of rows) {
    const newest = own.newest(path);
    if (newest) {
      const { at, inode } = newest;
      const record = byTime.get(at) ?? { type: 'turn', turnId: turns.at(-1) ?? '', at, files: [] };
      record.files.push({
        path,
        ...(oldPath !== undefined && { oldPath }),
        before,
        after,
        ...(shared && { shared }),
        ...(inode !== undefined && { inode }),
      });
      byTime.set(at, record);
    }
  }
  return [...byTime.values()].sort((one, other) => one.at - other.at);
}

/** Adds the inodes of the files that a turn left. @param inodes by path */
export function withInodes(files: readonly FileRecord[], inodes: ReadonlyMap<string, number>): readonly FileRecord[] {
  return files.map((file) => {
    const inode = inodes.get(file.path);
    return inode === undefined ? file : { ...file, inode };
  });
}

/** Caches the result for the same records, because each undo of many files needs it. */
export class OwnFilesReader {
  private known: { readonly records: readonly ChangeRecord[]; readonly count: number; readonly files: OwnFiles } | undefined;

  constructor(private readonly records: () => Promise<readonly ChangeRecord[]>) {}

  async read(): Promise<OwnFiles> {
    const records = await this.records();
    if (this.known?.records !== records || this.known.count !== records.length) {
      this.known = { records, count: records.length, files: new OwnFiles(records) };
    }
    return this.known.files;
  }
}
