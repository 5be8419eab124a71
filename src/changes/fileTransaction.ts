/**
 * Writes many files so that each of them has its old or its new content at every moment, and so that the records of the session are true. The intent
 * is a record with what is on the disk and what will be; the store has both. A run without its `done` record was interrupted, and `recover` ends it.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { type ChangeRecord, type FileRecord, type FileState, sameState } from '../core/fileChanges/records';
import { inPool } from '../util/pool';
import type { FileStat } from './disk/diskFiles';
import { isGitPath } from './disk/gitFolders';
import { tempName, type WriteOptions } from './disk/wholeWrite';
import { removeEmptyFolders, removeEmptyTree } from './emptyFolders';
import { interrupted, type Interrupted, isHalfWritten } from './interrupted';
import { presentFile, type PresentFile } from './presentFile';
import type { ChangeLog } from './store/changeLog';
import type { ObjectStore } from './store/objectStore';
import type { FileStates } from './turns/fileStates';

export type TransactionType = 'restore' | 'undo';

/**
 * Why a file was left as it is.
 *
 * - `changed`: its state is not the expected one.
 * - `outside`: the path leads out of the session's folders, over a symbolic link, or into a folder of Git.
 * - `failed`: the system refused the write.
 * - `not_kept`: the store does not have the old or the new content.
 * - `cancelled`: the run was cancelled before.
 */
export type LeftReason = 'changed' | 'outside' | 'failed' | 'not_kept' | 'cancelled';

export interface LeftFile {
  readonly path: string;
  readonly reason: LeftReason;
}

/** Writes a file's new state; the window does it in the editor where the file is open. Options go on to `DiskFiles`. */
export interface RestoreTarget {
  write(path: string, bytes: Uint8Array, mode: number, options?: WriteOptions): Promise<void>;
  link(path: string, target: string, options?: WriteOptions): Promise<void>;
  remove(path: string, options?: WriteOptions): Promise<void>;
}

export interface FileTransactionDependencies {
  readonly states: FileStates;
  readonly log: ChangeLog;
  /** Absent: on disk. */
  readonly target?: RestoreTarget;
  /** False for what is in none of the session's folders. Usually it is asked about the folder of a file. */
  contains(path: string): Promise<boolean>;
  now(): number;
  mintId(): string;
}

export interface TransactionOptions {
  /** Files that are not written yet when it aborts are left. */
  readonly signal?: AbortSignal;
  onFile?(path: string, done: number, total: number): void;
  /** ms since the epoch: folders that were made since and are empty after a deletion go. Absent: the time before the file's first record. */
  readonly since?: number;
}

export interface TransactionResult {
  /** Of the intent's record; undefined when there was nothing to write. */
  readonly id: string | undefined;
  readonly written: readonly string[];
  readonly left: readonly LeftFile[];
}

export interface RecoveredTransaction {
  readonly type: TransactionType;
  readonly id: string;
  readonly written: readonly string[];
  readonly left: readonly LeftFile[];
  /** Those of `written` that the recovery wrote. */
  readonly rewritten: readonly string[];
}

/** Files that are written at the same time: syncing takes most of it. */
const PARALLEL = 4;

/** The runs of this process: they are not interrupted. */
const active = new Set<string>();

/** One run, with what became of its files. A file that is neither written nor left is repaired at the next start. */
interface Run {
  readonly id: string;
  readonly since: (file: string) => number;
  readonly signal: AbortSignal | undefined;
  onFile(path: string): void;
  readonly written: Set<string>;
  readonly left: Map<string, LeftReason>;
}

/** The state in which a file may be replaced. */
type IsExpected = (present: PresentFile) => Promise<boolean>;

export class FileTransaction {
  private order: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: FileTransactionDependencies) {}

  /**
   * Writes each file's `after` where its `before` is on the disk right now; other files are left.
   * @throws when the intent could not be recorded; nothing was written then
   */
  run(type: TransactionType, files: readonly FileRecord[], options: TransactionOptions = {}): Promise<TransactionResult> {
    return this.inOrder(() => this.perform(type, files, options));
  }

  /**
   * Ends what an earlier process left unfinished. To be called before anything else is recorded.
   * @param mayWrite false for a file that is left as it is
   */
  recover(mayWrite: (path: string) => Promise<boolean> = async () => true): Promise<readonly RecoveredTransaction[]> {
    return this.inOrder(async () => {
      const recovered: RecoveredTransaction[] = [];
      for (const each of interrupted(await this.deps.log.records()).filter(({ id }) => !active.has(id))) {
        const ended = await this.finish(each, mayWrite);
        recovered.push(...(each.isSuperseded ? [] : [ended]));
      }
      return recovered;
    });
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.order.then(work);
    this.order = done.catch(() => undefined);
    return done;
  }

  private async perform(type: TransactionType, files: readonly FileRecord[], options: TransactionOptions): Promise<TransactionResult> {
    const left = new Map<string, LeftReason>();
    const verified = new Map<string, FileRecord>();
    await inPool(files, PARALLEL, async (file) => {
      const checked = options.signal?.aborted ? 'cancelled' : await this.verify(file, files).catch(reasonOf);
      if (typeof checked === 'string') {
        left.set(file.path, checked);
      } else {
        verified.set(file.path, checked);
      }
    });
    const intended = files.flatMap((file) => verified.get(file.path) ?? []);
    if (intended.length === 0) {
      return { id: undefined, written: [], left: listOf(files, left) };
    }
    const id = this.deps.mintId();
    active.add(id);
    try {
      return await this.carryOut(type, id, intended, left, files, options);
    } finally {
      active.delete(id);
    }
  }

  private async carryOut(
    type: TransactionType,
    id: string,
    intended: readonly FileRecord[],
    left: Map<string, LeftReason>,
    files: readonly FileRecord[],
    options: TransactionOptions,
  ): Promise<TransactionResult> {
    const { log, now } = this.deps;
    const intent = { at: now(), files: intended };
    await log.append(type === 'restore' ? { type, restoreId: id, ...intent } : { type, undoId: id, ...intent }).catch(async (error) => {
      // The line may be there although its write failed.
      await log.append({ type: 'done', id, at: now(), written: [], left: intended.map((file) => file.path) }).catch(() => undefined);
      throw error;
    });
    const records = await log.records();
    let done = 0;
    const run: Run = {
      id,
      since: (file) => options.since ?? firstTouched(records, file),
      signal: options.signal,
      onFile: (file) => options.onFile?.(file, ++done, intended.length),
      written: new Set(),
      left,
    };
    await this.writeAll(run, intended, (record) => async (present) => sameState(present.state, record.before));
    await this.end(run, intended);
    // A file that is repaired at the next start is reported as one that failed.
    const failed = intended.filter((file) => !run.written.has(file.path) && !left.has(file.path));
    failed.forEach((file) => left.set(file.path, 'failed'));
    return { id, written: intended.map((file) => file.path).filter((file) => run.written.has(file)), left: listOf(files, left) };
  }

  /** The record to write, with the state that was read; or why the file is left. */
  private async verify(file: FileRecord, all: readonly FileRecord[]): Promise<FileRecord | LeftReason> {
    const link = linkAbove(file.path, all);
    if (!(await this.isInside(link ?? file.path))) {
      return 'outside';
    }
    // The link above goes first, and then there is nothing.
    const { state } = link === undefined ? await presentFile(this.deps.states, file.path, true) : NOTHING;
    if (!sameState(state, file.before)) {
      return state.kind === 'unknown' ? 'not_kept' : 'changed';
    }
    if (!(await isReadable(this.deps.states.store, state)) || !(await isReadable(this.deps.states.store, file.after))) {
      return 'not_kept';
    }
    return { path: file.path, before: state, after: file.after };
  }

  private async finish(
    { type, id, files, closed, isSuperseded }: Interrupted,
    mayWrite: (path: string) => Promise<boolean>,
  ): Promise<RecoveredTransaction> {
    const { states, log } = this.deps;
    const records = await log.records();
    const run: Run = {
      id,
      since: (file) => firstTouched(records, file),
      signal: undefined,
      onFile: () => undefined,
      written: new Set(),
      left: new Map(),
    };
    const torn = (record: FileRecord): IsExpected => {
      return async (present) => sameState(present.state, record.before) || this.isHalfWritten(id, record, present);
    };
    const open: FileRecord[] = [];
    for (const record of files) {
      const link = linkAbove(record.path, files);
      const present = link === undefined ? await presentFile(states, record.path, false).catch(reasonOf) : NOTHING;
      if (typeof present === 'string') {
        run.left.set(record.path, present);
      } else if (sameState(present.state, record.after)) {
        run.written.add(record.path);
      } else if (!(await torn(record)(present)) || closed.has(record.path)) {
        run.left.set(record.path, 'changed');
      } else if (await mayWrite(record.path)) {
        open.push(record);
      } else if (sameState(present.state, record.before)) {
        run.left.set(record.path, 'changed');
      }
    }
    const first = [...run.written];
    await this.removeTemps(
      files.filter((file) => run.written.has(file.path) || run.left.has(file.path)).map((file) => file.path),
      id,
    );
    await this.writeAll(run, open, torn);
    await this.end(run, files);
    return {
      type,
      id,
      written: files.map((file) => file.path).filter((file) => run.written.has(file)),
      left: [...run.left].map(([file, reason]) => ({ path: file, reason })),
      rewritten: isSuperseded ? [] : [...run.written].filter((file) => !first.includes(file)),
    };
  }

  /** Deletions make room for what comes: a file may be where a folder was. */
  private async writeAll(run: Run, files: readonly FileRecord[], expected: (record: FileRecord) => IsExpected): Promise<void> {
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
    await inPool(
      files.filter((file) => !isDeletion(file)),
      PARALLEL,
      one,
    );
  }

  /** Files of folders that are not on the disk are neither written nor left. */
  private async end(run: Run, files: readonly FileRecord[]): Promise<void> {
    const { states, log, now } = this.deps;
    const folders = new Set([...run.written].map((file) => path.dirname(file)));
    await inPool([...folders], PARALLEL, async (folder) => {
      const sync = (): Promise<void> => states.files.sync(folder);
      // A folder that went has nothing to sync.
      await sync()
        .catch(sync)
        .catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && error.code !== 'ESTALE') {
            files.filter((file) => path.dirname(file.path) === folder).forEach((file) => run.written.delete(file.path));
          }
        });
    });
    const record: ChangeRecord = {
      type: 'done',
      id: run.id,
      at: now(),
      written: files.map((file) => file.path).filter((file) => run.written.has(file)),
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
    let reason: LeftReason = 'failed';
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
      return;
    } catch (error) {
      reason = reasonOf(error);
      await this.settle(run, record, reason);
    }
  }

  /** After a failure: the disk has the last word. */
  private async settle(run: Run, record: FileRecord, reason: LeftReason): Promise<void> {
    const { states } = this.deps;
    try {
      const look = (): Promise<PresentFile> => presentFile(states, record.path, false);
      const present = await look().catch((error: NodeJS.ErrnoException) => (error.code === 'ESTALE' ? Promise.reject(error) : look()));
      if (sameState(present.state, record.after)) {
        run.written.add(record.path);
      } else if (sameState(present.state, record.before)) {
        run.left.set(record.path, reason);
      } else if (!(await this.isHalfWritten(run.id, record, present))) {
        run.left.set(record.path, 'changed');
      }
    } catch {
      run.left.set(record.path, reason);
    }
    if (run.written.has(record.path) || run.left.has(record.path)) {
      await this.removeTemps([record.path], run.id);
    }
  }

  private async put(run: Run, { path: file, before, after }: FileRecord, { stat, state }: PresentFile): Promise<void> {
    const { files, store } = this.deps.states;
    const target = this.deps.target ?? files;
    const options = { tempId: tempIdOf(run.id, file), inPlace: true, syncsLater: true };
    let expected: FileStat | null = stat;
    if (stat?.kind === 'folder' && after.kind !== 'none') {
      // It had taken the file's place. One that is not empty stays, and the file is left.
      await removeEmptyTree(files, file);
      expected = null;
    }
    if (after.kind === 'file') {
      if (state.kind === 'file' && before.kind === 'file' && state.hash === after.hash) {
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

  /** In the session's folders, which `contains` decides for the folder, or for the file where no link is at its end. */
  private async isInside(file: string): Promise<boolean> {
    return !isGitPath(file) && ((await this.deps.contains(path.dirname(file))) || (await this.deps.contains(file)));
  }

  private async isHalfWritten(id: string, record: FileRecord, present: PresentFile): Promise<boolean> {
    const { files, store } = this.deps.states;
    return isHalfWritten(record, present, store, async () => {
      const marker = path.join(path.dirname(record.path), tempName(tempIdOf(id, record.path)));
      return (await files.stat(marker)) !== undefined;
    });
  }

  /** Those that a crash or a failure left beside the files. */
  private async removeTemps(files: readonly string[], id: string): Promise<void> {
    for (const file of files) {
      const temp = path.join(path.dirname(file), tempName(tempIdOf(id, file)));
      const remove = async (): Promise<void> => {
        await ((await this.deps.states.files.stat(temp)) && this.deps.states.files.remove(temp));
      };
      await remove().catch(() => remove().catch(() => undefined));
    }
  }
}

const NOTHING: PresentFile = { state: { kind: 'none' }, stat: null };

/** Known only to who has the journal, and the same in each attempt. */
function tempIdOf(id: string, file: string): string {
  return createHash('sha256').update(`${id}\0${file}`).digest('hex').slice(0, 24);
}

/** The outermost link above `file` that goes in the same run, so that a folder can come. */
function linkAbove(file: string, all: readonly FileRecord[]): string | undefined {
  return all.find((each) => each.after.kind === 'none' && each.before.kind === 'link' && file.startsWith(each.path + path.sep))?.path;
}

/** The time of the turn or restore that touched the file first, so that no older folder counts as made since. */
function firstTouched(records: readonly ChangeRecord[], file: string): number {
  const index = records.findIndex(
    (record) => 'files' in record && record.files.some((each) => each.path === file || each.oldPath === file),
  );
  const checkpoint = records.slice(0, index).findLast((record) => record.type === 'checkpoint');
  const first = records[index];
  return first?.type === 'turn' ? (checkpoint ?? first).at : (first?.at ?? Infinity);
}

/** True when the content of the state can be read from the store. */
export async function isReadable(store: ObjectStore & { verify?(hash: string): Promise<boolean> }, state: FileState): Promise<boolean> {
  if (state.kind !== 'file') {
    return state.kind !== 'unknown';
  }
  return store.verify ? store.verify(state.hash) : (await store.get(state.hash)) !== undefined;
}

function reasonOf(error: unknown): LeftReason {
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

function listOf(files: readonly FileRecord[], left: ReadonlyMap<string, LeftReason>): readonly LeftFile[] {
  return files.flatMap(({ path: file }) => (left.has(file) ? [{ path: file, reason: left.get(file)! }] : []));
}
