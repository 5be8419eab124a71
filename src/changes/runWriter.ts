/** Writes the files of one run, and reads the result of each from the disk. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { type ChangeRecord, type FileRecord, sameState } from '../core/fileChanges/records';
import { inPool } from '../util/pool';
import type { FileStat } from './disk/diskFiles';
import { isGitPath } from './disk/gitFolders';
import { isTempName, tempName } from './disk/wholeWrite';
import { removeEmptyFolders, removeEmptyTree } from './emptyFolders';
import { isHalfWritten } from './interrupted';
import { hasOrigins, nextWave, type Origins } from './origins';
import { presentFile, type PresentFile } from './presentFile';
import type { FileTransactionDependencies, LeftReason } from './transactionTypes';

/** Files that are written at the same time. Syncing takes most of the time. */
const PARALLEL = 4;
/** ms for which the result for a folder is reused. Each write checks the location of the folder again, by a handle. */
const FOLDER_MS = 250;
const MAX_FOLDERS = 1000;

/** One run, with the results of its files. A file that is neither written nor left is repaired at the next start. */
export interface Run {
  readonly id: string;
  readonly since: (file: string) => number;
  readonly signal: AbortSignal | undefined;
  onFile(path: string): void;
  readonly origins: Origins;
  readonly written: Set<string>;
  readonly left: Map<string, LeftReason>;
}

/** The state in which a file may be replaced. */
export type IsExpected = (present: PresentFile) => Promise<boolean>;

export class RunWriter {
  /** The cached results of `contains` for folders. */
  private readonly folders = new Map<string, { readonly at: number; readonly isInside: Promise<boolean> }>();

  constructor(private readonly deps: FileTransactionDependencies) {}

  /** Writes the files. A path with the only copy of another file's content is written after that file, and left when that file is left. */
  async writeAll(run: Run, files: readonly FileRecord[], expected: (record: FileRecord) => IsExpected): Promise<void> {
    for (let open = files; open.length > 0; ) {
      const wave = new Set(nextWave(open, run.origins));
      const paths = new Set([...wave].map((file) => file.path));
      const isOnlyCopy = ({ path: file }: FileRecord): boolean =>
        !hasOrigins(run.origins, file, (origin) => run.written.has(origin) || paths.has(origin));
      const kept = [...wave].filter(isOnlyCopy);
      kept.forEach((file) => void run.left.set(file.path, 'moved'));
      await this.writeWave(
        run,
        [...wave].filter((file) => !kept.includes(file)),
        expected,
      );
      open = open.filter((file) => !wave.has(file));
    }
  }

  /** Writes deletions first, because they make room: a file may be where a folder was. */
  private async writeWave(run: Run, files: readonly FileRecord[], expected: (record: FileRecord) => IsExpected): Promise<void> {
    const isDeletion = (file: FileRecord): boolean => file.after.kind === 'none';
    const deletions = files.filter(isDeletion);
    const one = async (file: FileRecord): Promise<void> => {
      await this.writeOne(run, file, expected(file));
      run.onFile(file.path);
    };
    await inPool(deletions, PARALLEL, one);
    for (const { path: file } of deletions) {
      if (run.written.has(file)) {
        await removeEmptyFolders(this.deps, path.dirname(file), run.since(file));
      }
    }
    const others = files.filter((file) => !isDeletion(file));
    // One by one, because each write changes the stat of the file under its other names, which may be among these.
    await inPool(
      others.filter(({ relinked }) => relinked),
      1,
      one,
    );
    await inPool(
      others.filter(({ relinked }) => !relinked),
      PARALLEL,
      one,
    );
  }

  /** Records the result. Files in a folder that could not be synced have none, and are checked at the next start. */
  async end(run: Run, files: readonly FileRecord[]): Promise<void> {
    const { states, log, now } = this.deps;
    const unsynced = new Set<string>();
    await inPool([...new Set([...run.written].map((file) => path.dirname(file)))], PARALLEL, async (folder) => {
      const sync = (): Promise<void> => states.files.sync(folder);
      await sync()
        .catch(sync)
        .catch((error: NodeJS.ErrnoException) => void (error.code !== 'ESTALE' && unsynced.add(folder)));
    });
    const written = files.filter(({ path: file }) => run.written.has(file) && !unsynced.has(path.dirname(file)));
    const inodes = new Map<string, number>();
    await inPool(written, PARALLEL, async ({ path: file, after }) => {
      const stat = after.kind === 'file' ? await states.files.stat(file).catch(() => undefined) : undefined;
      void (stat && inodes.set(file, stat.ino));
    });
    const record: ChangeRecord = {
      type: 'done',
      id: run.id,
      at: now(),
      written: written.map((file) => file.path),
      ...(inodes.size > 0 && { inodes: written.map((file) => inodes.get(file.path) ?? 0) }),
      left: files.map((file) => file.path).filter((file) => run.left.has(file)),
    };
    if (record.written.length + record.left.length === 0) {
      return;
    }
    // Without the record the next start repeats the check.
    await log.append(record).catch(() => log.append(record).catch(() => undefined));
  }

  private async writeOne(run: Run, record: FileRecord, isExpected: IsExpected): Promise<void> {
    if (run.signal?.aborted) {
      run.left.set(record.path, 'cancelled');
      return;
    }
    try {
      if (!(await this.isInside(record.path))) {
        run.left.set(record.path, 'outside');
        return;
      }
      const present = await presentFile(this.deps.states, record.path, false);
      if (!(await isExpected(present))) {
        run.left.set(record.path, 'changed');
        return;
      }
      await this.put(run, record, present);
      run.written.add(record.path);
    } catch (error) {
      await this.settle(run, record, error);
    }
  }

  /** Determines the result after a failure from the disk. */
  private async settle(run: Run, record: FileRecord, error: unknown): Promise<void> {
    const { states } = this.deps;
    const reason = reasonOf(error);
    try {
      const look = (): Promise<PresentFile> => presentFile(states, record.path, false);
      const present = await look().catch(look);
      if (sameState(present.state, record.after)) {
        run.written.add(record.path);
      } else if (sameState(present.state, record.before)) {
        run.left.set(record.path, reason);
      } else if (!(await this.isHalfWritten(run.id, record, present))) {
        run.left.set(record.path, 'changed');
      }
    } catch {
      // A file that is known to be a mixture is repaired at the next start.
      void ((error as NodeJS.ErrnoException).code !== 'ETORN' && run.left.set(record.path, reason));
    }
    if (run.written.has(record.path) || run.left.has(record.path)) {
      await this.removeTemps([record.path], run.id);
    }
  }

  private async put(run: Run, { path: file, before, after, relinked = false }: FileRecord, { stat, state }: PresentFile): Promise<void> {
    const { files, store } = this.deps.states;
    const target = this.deps.target ?? files;
    const options = { tempId: tempIdOf(run.id, file), inPlace: !relinked, replacesName: relinked, syncsLater: true };
    let expected: FileStat | null = stat;
    if (stat?.kind === 'folder' && after.kind !== 'none') {
      // A folder has taken the file's place. A folder that is not empty stays, and the file is left.
      await removeEmptyTree(files, file);
      expected = null;
    }
    if (after.kind === 'file') {
      if (state.kind === 'file' && before.kind === 'file' && state.hash === after.hash && !relinked) {
        await files.chmod(file, after.mode, { expected: stat });
        return;
      }
      const bytes = await store.get(after.hash);
      if (!bytes) {
        throw Object.assign(new Error(`Not kept: ${file}`), { code: 'ENOTKEPT' });
      }
      await target.write(file, bytes, after.mode, { ...options, expected });
    } else if (after.kind === 'link') {
      await target.link(file, after.target, { ...options, expected });
    } else if (after.kind === 'none' && stat?.kind !== 'folder') {
      await target.remove(file, { ...options, expected });
    }
  }

  /** True when the path is in the session's folders. `contains` decides for the folder, or for the file where no link is at its end. */
  async isInside(file: string): Promise<boolean> {
    return !isGitPath(file) && ((await this.containsFolder(path.dirname(file))) || (await this.deps.contains(file)));
  }

  private containsFolder(folder: string): Promise<boolean> {
    const now = performance.now();
    const known = this.folders.get(folder);
    if (known && now - known.at < FOLDER_MS) {
      return known.isInside;
    }
    if (this.folders.size >= MAX_FOLDERS) {
      this.folders.clear();
    }
    const isInside = this.deps.contains(folder);
    this.folders.set(folder, { at: now, isInside });
    return isInside;
  }

  async isHalfWritten(id: string, record: FileRecord, present: PresentFile): Promise<boolean> {
    const { files, store } = this.deps.states;
    return isHalfWritten(record, present, store, async () => {
      const marker = path.join(path.dirname(record.path), tempName(tempIdOf(id, record.path)));
      return (await files.stat(marker)) !== undefined;
    });
  }

  /** @param folders with the names of temporary files that are still needed */
  async removeLeftovers(folders: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const { files } = this.deps.states;
    for (const [folder, needed] of folders) {
      const entries = await files.list(folder).catch(() => []);
      for (const { name, kind } of entries) {
        if (isTempName(name) && !needed.includes(name) && (kind === 'file' || kind === 'link')) {
          await files.remove(path.join(folder, name)).catch(() => undefined);
        }
      }
    }
  }

  /** Removes the temporary files that a failure left beside the files. */
  async removeTemps(files: readonly string[], id: string): Promise<void> {
    for (const file of files) {
      const temp = path.join(path.dirname(file), tempName(tempIdOf(id, file)));
      const remove = async (): Promise<void> => {
        await ((await this.deps.states.files.stat(temp)) && this.deps.states.files.remove(temp));
      };
      await remove().catch(() => remove().catch(() => undefined));
    }
  }
}

/** Returns the temporary file's id: the same in each attempt, and unknown to other programs. */
export function tempIdOf(id: string, file: string): string {
  return createHash('sha256').update(`${id}\0${file}`).digest('hex').slice(0, 24);
}

/** Returns the reason why an error leaves a file. */
export function reasonOf(error: unknown): LeftReason {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ESTALE':
    case 'EGITDIR':
      return 'outside';
    case 'ECHANGED':
      return 'changed';
    case 'ENOTKEPT':
      return 'not_kept';
    default:
      return 'failed';
  }
}
