/**
 * Recognizes the files that a session left at their paths. A file of the user may have the same content: the agent had copied it, and the user moved it
 * over the copy. It is then the only one, and an equal content does not prove that it is the agent's.
 */
import { type ChangeRecord, type FileRecord, sameState, statesAfter, statesBefore } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/fileStat';
import { INODE_BITS } from './creations';
import { type FileStates, slackOf } from './fileStates';

/** The session's writes at one path. */
interface OwnPath {
  readonly inodes: number[];
  /** The time of the newest write, in ms since the epoch. */
  at: number;
}

type StatOfFile = Pick<FileStat, 'kind' | 'size' | 'ino' | 'birthtimeMs'>;

export class OwnFiles {
  private readonly paths = new Map<string, OwnPath>();
  /** The inodes of files that turns created. The agent may move one of them over another. */
  private readonly created = new Set<number>();

  constructor(records: readonly ChangeRecord[]) {
    // The times of turns, restores and undos by their ids.
    const begun = new Map<string, number>();
    for (const record of records) {
      if (record.type === 'checkpoint') {
        begun.set(record.turnId, record.at);
      } else if (record.type === 'turn') {
        const since = begun.get(record.turnId) ?? -Infinity;
        record.files.forEach((file) => this.learn(file, record.at, since));
      } else if (record.type === 'done') {
        const at = begun.get(record.id) ?? -Infinity;
        record.written.forEach((path, index) => void (this.add(path, record.inodes?.[index]).at = at));
      } else if (record.ends) {
        begun.set(record.type === 'undo' ? record.undoId : record.restoreId, record.at);
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
    if (own.inodes.includes(stat.ino) || this.created.has(stat.ino)) {
      return false;
    }
    return stat.birthtimeMs < own.at - slackOf(stat.birthtimeMs) && (await states.knowsBirths(path, stat as FileStat));
  }

  /** True for an inode that no write of the session has left at the path. @param ino as git stores it */
  mayHaveOther(path: string, ino: number): boolean {
    const isIt = (inode: number): boolean => inode % INODE_BITS === ino % INODE_BITS;
    const inodes = this.paths.get(path)?.inodes ?? [];
    return inodes.length > 0 && !inodes.some(isIt) && ![...this.created].some(isIt);
  }

  /** @param at the end of the turn @param since its beginning, where a file may have been made whose inode is not known */
  private learn({ path, oldPath, before, after, inode }: FileRecord, at: number, since: number): void {
    const isCreated = before.kind === 'none' && oldPath === undefined;
    const own = this.add(path, inode);
    // A file that was changed in place is older than the change.
    own.at = inode !== undefined || after.kind !== 'file' ? at : isCreated ? since : -Infinity;
    if (isCreated && inode !== undefined) {
      this.created.add(inode);
    }
    if (oldPath !== undefined) {
      this.add(oldPath, inode);
    }
  }

  private add(path: string, inode?: number): OwnPath {
    const own = this.paths.get(path) ?? { inodes: [], at: -Infinity };
    this.paths.set(path, own);
    if (inode) {
      own.inodes.push(inode);
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
  changed: readonly { readonly path: string; readonly earlier: { readonly ino?: number }; readonly stat: FileStat | undefined }[],
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
    if (isSame || before.ino === undefined ? await own.hasOther(path, stat, states) : own.mayHaveOther(path, before.ino)) {
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
