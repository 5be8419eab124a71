/** Proves that a turn has created a file, so that an undo may delete it, and finds the moves of files. */
import { type ChangeRecord, type FileRecord, type FileState, sameState, statesAfter, statesBefore } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/diskFiles';
import { addTo, Pace } from '../disk/pace';
import { type FileStates, slackOf, unknown } from './fileStates';
import type { EarlierFile, GoneFile } from './filesSnapshot';

/** A file that differs at the end of a turn. */
export interface ChangedState {
  readonly path: string;
  readonly earlier: EarlierFile;
  readonly after: FileState;
  readonly stat: FileStat | undefined;
  readonly binary: boolean;
}

/** A file that a turn removed or replaced. */
interface Lost {
  readonly path: string;
  readonly ino: number | undefined;
  readonly size: number | undefined;
  /** The copied state; undefined when there is no copy. */
  readonly state: FileState | undefined;
}

/** The earlier location of a moved file. */
export interface Origin {
  /** Absent when the turn does not know where the file comes from. */
  readonly path?: string;
}

/** Git stores the lower 32 bits of the inode. */
export const INODE_BITS = 2 ** 32;

export class Creations {
  private readonly byInode = new Map<number, Lost[]>();
  private readonly sizes = new Map<number, number>();
  private readonly targets = new Set<string>();

  /** @param since the beginning of the turn, in ms since the epoch */
  constructor(
    private readonly states: FileStates,
    private readonly since: number,
  ) {}

  /** Adds the files that the turn removed or replaced. */
  async learn(changed: readonly ChangedState[], gone: readonly GoneFile[]): Promise<void> {
    const pace = new Pace();
    for (const { path, earlier } of changed) {
      if (earlier.state.kind !== 'none') {
        this.add({ path, ino: earlier.ino, size: earlier.size, state: earlier.state });
      }
      await pace.step();
    }
    for (const { path, ino, size } of gone) {
      this.add({ path, ino, size, state: undefined });
    }
  }

  /** Returns `none` when the turn has certainly created the file; otherwise the reason why that is not certain. */
  async before({ path, earlier, after, stat }: ChangedState): Promise<FileState> {
    if (earlier.state.kind !== 'none' || !stat) {
      return earlier.state;
    }
    const [moved] = (this.byInode.get(stat.ino % INODE_BITS) ?? []).filter((lost) => lost.path !== path);
    const isMoved = moved && (await this.isOlder(path, stat, earlier));
    if (moved && isStored(moved.state) && isMoved) {
      // The record of the earlier path has the copy.
      return earlier.state;
    }
    if (after.kind === 'link' && this.targets.has(after.target)) {
      return earlier.state;
    }
    const { absentAt } = earlier;
    if (absentAt === undefined || !(await this.states.knowsBirths(path, stat))) {
      return unknown('unproven');
    }
    if (stat.birthtimeMs < absentAt) {
      return unknown(stat.birthtimeMs >= this.since - slackOf(stat.birthtimeMs) ? 'late' : 'unproven');
    }
    const isCopyOfLost = stat.kind === 'file' && stat.size > 0 && this.sizes.has(stat.size);
    return (moved && !isStored(moved.state)) || isCopyOfLost ? unknown('unproven') : earlier.state;
  }

  /** Returns the origin of the file with this inode; undefined for a file that the turn has made or that was always at its path. */
  async origin(changed: ChangedState): Promise<Origin | undefined> {
    const { path, earlier, stat } = changed;
    const found = stat && this.byInode.get(stat.ino % INODE_BITS)?.find((lost) => lost.path !== path);
    if (earlier.state.kind === 'none') {
      return found && (await this.isOlder(path, stat, earlier)) ? { path: found.path } : undefined;
    }
    return (await this.isMovedOver(changed)) ? { ...(found && { path: found.path }) } : undefined;
  }

  /** True when the file was made before the turn, and is not the earlier file at its path. */
  private async isMovedOver({ path, earlier: { state, ino }, after, stat }: ChangedState): Promise<boolean> {
    if (!stat || state.kind === 'unknown' || after.kind === 'none' || (ino && ino % INODE_BITS === stat.ino % INODE_BITS)) {
      return false;
    }
    const isUnwritten = stat.mtimeMs < this.since;
    const isOlder = (await this.states.knowsBirths(path, stat)) ? stat.birthtimeMs < this.since : isUnwritten;
    // The file system's clock may be behind the time of the prompt.
    return isOlder && (ino ? true : stat.mtimeMs < this.since - slackOf(stat.mtimeMs));
  }

  /** True for a file older than its absence. A new file may have the inode of a deleted one, but only a moved file is older. */
  private async isOlder(path: string, stat: FileStat, { absentAt }: EarlierFile): Promise<boolean> {
    return absentAt === undefined || stat.birthtimeMs < absentAt || !(await this.states.knowsBirths(path, stat));
  }

  private add(lost: Lost): void {
    if (lost.ino) {
      addTo(this.byInode, lost.ino % INODE_BITS, lost);
    }
    if (lost.state?.kind === 'link') {
      this.targets.add(lost.state.target);
    } else if (!isStored(lost.state) && lost.size) {
      this.sizes.set(lost.size, (this.sizes.get(lost.size) ?? 0) + 1);
    }
  }
}

/** True when the user wrote parts of the file at its new path, which only the record of the old path shows. */
function isPartlyUsers({ shared, userEdits }: FileRecord): boolean {
  return shared === true || userEdits === true;
}

export function isStored(state: FileState | undefined): boolean {
  return state?.kind === 'link' || (state?.kind === 'file' && state.kept);
}

/** Returns a function that is true for an inode of one of the files. The first call reads them. */
export function inodeTest(files: Iterable<EarlierFile>): (ino: number) => boolean {
  let inodes: Set<number> | undefined;
  return (ino) => {
    inodes ??= new Set([...files].flatMap((file) => (file.ino ? [file.ino % INODE_BITS] : [])));
    return inodes.has(ino % INODE_BITS);
  };
}

/**
 * Returns the paths whose state before the session's first change is unknown. Neither an undo nor a restore of all turns brings a file back there.
 */
export function unrestorablePaths(records: readonly ChangeRecord[]): ReadonlySet<string> {
  return new Set([...statesBefore(records, 0)].flatMap(([path, { kind }]) => (kind === 'unknown' ? [path] : [])));
}

/**
 * Protects a moved file whose earlier state is in no record, because an undo must not take its only copy. It does not count as created, or becomes
 * shared where it was moved over another file. It also becomes shared when the record of its origin is shared, since an undo leaves both. The undo of
 * an origin with earlier records brings an earlier state than the moved one.
 * @param earlier the session's records before the turn
 */
export async function withOrigins(
  records: readonly FileRecord[],
  origins: ReadonlyMap<string, Origin>,
  earlier: readonly ChangeRecord[] = [],
): Promise<readonly FileRecord[]> {
  if (origins.size === 0) {
    return records;
  }
  const pace = new Pace();
  const found = new Map<string, FileRecord>();
  for (const record of records) {
    found.set(record.path, record);
    await pace.step();
  }
  const left = statesAfter(earlier);
  const unrestorable = unrestorablePaths(earlier);
  const shared = new Set(earlier.flatMap((turn) => ('files' in turn ? turn.files.filter(isPartlyUsers).map(({ path }) => path) : [])));
  const isUncertain = (origin: FileRecord, { before }: FileRecord): boolean => {
    const state = left.get(origin.path);
    const isOther = unrestorable.has(origin.path) || (state !== undefined && !sameState(state, origin.before));
    return shared.has(origin.path) || (before.kind !== 'none' && isOther);
  };
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const [path, { path: from }] of origins) {
      await pace.step();
      const [record, origin] = [found.get(path), from === undefined ? undefined : found.get(from)];
      // A file with several names has its content under another name, too.
      if (!record || record.shared || record.relinked || record.before.kind === 'unknown') {
        continue;
      }
      const isCopied = isStored(origin?.before);
      if (isCopied && !isPartlyUsers(origin!) && !isUncertain(origin!, record)) {
        continue;
      }
      const isCreated = record.before.kind === 'none' && !isCopied;
      found.set(path, isCreated ? { ...record, before: unknown('unproven') } : { ...record, shared: true });
      isSettled = false;
    }
  }
  return [...found.values()];
}

/**
 * Joins the record of a removed file and that of a new one into a move. The files must be the same, have the same content, or be a move for git.
 * @param moves old paths by new ones, as git reports them
 * @param origins old paths by new ones, of files with the same inode
 */
export async function withMoves(
  records: readonly FileRecord[],
  moves: ReadonlyMap<string, string>,
  origins: ReadonlyMap<string, string>,
): Promise<readonly FileRecord[]> {
  const pace = new Pace();
  const gone = new Map<string, FileRecord>();
  const byHash = new Map<string, string[]>();
  for (const record of records) {
    const { before, after, path } = record;
    if (before.kind === 'file' && after.kind === 'none') {
      gone.set(path, record);
      addTo(byHash, before.hash, path);
    }
    await pace.step();
  }
  // Reversed, because each is taken from the end.
  byHash.forEach((paths) => paths.reverse());
  const moved = new Map<string, FileRecord>();
  const oldPaths = new Set<string>();
  for (const record of records) {
    const { before, after, path } = record;
    await pace.step();
    if (before.kind !== 'none' || after.kind !== 'file') {
      continue;
    }
    const equal = after.size > 0 ? (byHash.get(after.hash) ?? []) : [];
    while (equal.length > 0 && !gone.has(equal.at(-1)!)) {
      equal.pop();
    }
    const from = gone.get(origins.get(path) ?? '') ?? gone.get(moves.get(path) ?? '') ?? gone.get(equal.at(-1) ?? '');
    if (from) {
      gone.delete(from.path);
      oldPaths.add(from.path);
      const sharedWith = record.sharedWith ?? from.sharedWith;
      const shared = isPartlyUsers(from) && { shared: true as const, ...(sharedWith && { sharedWith }) };
      moved.set(path, { ...record, oldPath: from.path, before: from.before, ...shared });
    }
  }
  const joined: FileRecord[] = [];
  for (const record of records) {
    if (!oldPaths.has(record.path)) {
      joined.push(moved.get(record.path) ?? record);
    }
    await pace.step();
  }
  return joined;
}
