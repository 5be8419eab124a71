/** The proof that a turn has created a file, which lets an undo delete it; and the moves of files. */
import type { FileRecord, FileState } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/diskFiles';
import { addTo, Pace } from '../disk/pace';
import { type FileStates, slackOf, unknown } from './fileStates';
import type { EarlierFile, GoneFile } from './snapshot';

/** A file that differs at the end of a turn. */
export interface ChangedState {
  readonly path: string;
  readonly earlier: EarlierFile;
  readonly after: FileState;
  readonly stat: FileStat | undefined;
  readonly binary: boolean;
}

/** A file that a turn removed, or replaced by another one. */
interface Lost {
  readonly path: string;
  readonly ino: number | undefined;
  readonly size: number | undefined;
  /** Undefined when there is no copy. */
  readonly state: FileState | undefined;
}

/** Git stores the lower 32 bits. */
export const INODE_BITS = 2 ** 32;

export class Creations {
  private readonly byInode = new Map<number, Lost[]>();
  private readonly sizes = new Map<number, number>();
  private readonly targets = new Set<string>();

  /** @param since ms since the epoch when the turn began */
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

  /** Returns `none` when the turn has certainly created the file, else why that is not certain. */
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

  /** The path from which the very file was moved, by its inode; undefined for another file. */
  async origin({ path, earlier, stat }: ChangedState): Promise<string | undefined> {
    const found = stat && this.byInode.get(stat.ino % INODE_BITS)?.find((lost) => lost.path !== path);
    return found && (await this.isOlder(path, stat, earlier)) ? found.path : undefined;
  }

  /** A new file may have the inode of a deleted one; only a moved file is older than its absence. */
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

function isStored(state: FileState | undefined): boolean {
  return state?.kind === 'link' || (state?.kind === 'file' && state.kept);
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
  // From the end, each is taken off once.
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
    const from = [origins.get(path), moves.get(path), equal.at(-1)].flatMap((each) =>
      each === undefined ? [] : (gone.get(each) ?? []),
    )[0];
    if (from) {
      gone.delete(from.path);
      oldPaths.add(from.path);
      moved.set(path, { ...record, oldPath: from.path, before: from.before, ...(from.shared && { shared: true as const }) });
    }
  }
  return records.filter(({ path }) => !oldPaths.has(path)).map((record) => moved.get(record.path) ?? record);
}
