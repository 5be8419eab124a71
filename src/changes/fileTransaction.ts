/**
 * Writes many files so that each of them has its old or its new content at every moment, and so that the records of the session are correct. The
 * intent is a record with the present and the wanted states; the store has both contents. A run without its `done` record was interrupted, and
 * `recover` ends it.
 */
import path from 'node:path';
import { type ChangeRecord, type FileRecord, type FileState, sameState } from '../core/fileChanges/records';
import { inPool } from '../util/pool';
import { tempName } from './disk/wholeWrite';
import { interrupted, type Interrupted } from './interrupted';
import { mergedOrigins, type Origins, originsOf } from './origins';
import { presentFile, type PresentFile } from './presentFile';
import { type IsExpected, reasonOf, type Run, RunWriter, tempIdOf } from './runWriter';
import type { ObjectStore } from './store/objectStore';
import type { FileTransactionDependencies, LeftFile, LeftReason } from './transactionTypes';

export type { FileTransactionDependencies, LeftFile, LeftReason, RestoreTarget } from './transactionTypes';

export type TransactionType = 'restore' | 'undo';

export interface TransactionOptions {
  /** When it aborts, files that are not written yet are left. */
  readonly signal?: AbortSignal;
  onFile?(path: string, done: number, total: number): void;
  /**
   * ms since the epoch: folders created since then that are empty after a deletion are removed. When absent, the time before the file's first record.
   */
  readonly since?: number;
  /** Further paths that must be written before others, in addition to those that the records name. */
  readonly origins?: Origins;
}

export interface TransactionResult {
  /** The id of the intent's record; undefined when there was nothing to write. */
  readonly id: string | undefined;
  readonly written: readonly string[];
  readonly left: readonly LeftFile[];
}

export interface RecoveredTransaction {
  readonly type: TransactionType;
  readonly id: string;
  readonly written: readonly string[];
  readonly left: readonly LeftFile[];
  /** The part of `written` that the recovery wrote. */
  readonly rewritten: readonly string[];
}

/** Files that are read at the same time. Many, because the store writes the objects that arrive together at once. */
const READ_PARALLEL = 32;

/** The runs of this process, which are not interrupted. */
const active = new Set<string>();

export class FileTransaction {
  private order: Promise<unknown> = Promise.resolve();
  private readonly writer: RunWriter;

  constructor(private readonly deps: FileTransactionDependencies) {
    this.writer = new RunWriter(deps);
  }

  /**
   * Writes each file's `after` where its `before`, and its inode where that is known, is on the disk at that moment. Other files are left.
   * @throws when the intent could not be recorded; nothing was written then
   */
  run(type: TransactionType, files: readonly FileRecord[], options: TransactionOptions = {}): Promise<TransactionResult> {
    return this.inOrder(() => this.perform(type, files, options));
  }

  /**
   * Records an undo that the editor has saved. The record has no end, so the states before it also count as left by the session: the editor's own
   * undo brings them back.
   */
  record(files: readonly FileRecord[]): Promise<void> {
    const { log, now, mintId } = this.deps;
    return this.inOrder(() => log.append({ type: 'undo', undoId: mintId(), at: now(), files, ...this.during() }));
  }

  /**
   * Ends the unfinished runs of an earlier process. Must be called before anything else is recorded.
   * @param mayWrite false for a file that must not be changed
   */
  recover(mayWrite: (path: string) => Promise<boolean> = async () => true): Promise<readonly RecoveredTransaction[]> {
    return this.inOrder(async () => {
      const recovered: RecoveredTransaction[] = [];
      const folders = new Map<string, string[]>();
      for (const each of interrupted(await this.deps.log.records()).filter(({ id }) => !active.has(id))) {
        const ended = await this.finish(each, mayWrite);
        recovered.push(...(each.isSuperseded ? [] : [ended]));
        const ends = new Set([...ended.written, ...ended.left.map((file) => file.path)]);
        for (const { path: file } of each.files) {
          const traces = folders.get(path.dirname(file)) ?? [];
          folders.set(path.dirname(file), ends.has(file) ? traces : [...traces, tempName(tempIdOf(each.id, file))]);
        }
      }
      await (active.size === 0 && this.writer.removeLeftovers(folders));
      return recovered;
    });
  }

  private during(): { readonly during?: string } {
    const turnId = this.deps.unrecordedTurn?.();
    return turnId === undefined ? {} : { during: turnId };
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.order.then(work);
    this.order = done.catch(() => undefined);
    return done;
  }

  private async perform(type: TransactionType, files: readonly FileRecord[], options: TransactionOptions): Promise<TransactionResult> {
    const left = new Map<string, LeftReason>();
    const verified = new Map<string, FileRecord>();
    const linkAbove = goingLinks(files);
    await inPool(files, READ_PARALLEL, async (file) => {
      const checked = options.signal?.aborted ? 'cancelled' : await this.verify(file, linkAbove(file.path)).catch(reasonOf);
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
    const intent = { at: now(), files: intended, ends: true, ...this.during() } as const;
    await log.append(type === 'restore' ? { type, restoreId: id, ...intent } : { type, undoId: id, ...intent }).catch(async (error) => {
      // The line may have been written although the call failed.
      await log.append({ type: 'done', id, at: now(), written: [], left: intended.map((file) => file.path) }).catch(() => undefined);
      throw error;
    });
    const { since } = options;
    const records = await log.records();
    let done = 0;
    const run: Run = {
      id,
      since: since === undefined ? firstTouched(records) : () => since,
      origins: mergedOrigins(originsOf(files, records), options.origins ?? new Map()),
      signal: options.signal,
      onFile: (file) => options.onFile?.(file, ++done, intended.length),
      written: new Set(),
      left,
    };
    await this.writer.writeAll(run, intended, (record) => async (present) => isBefore(record, present));
    await this.writer.end(run, intended);
    // A file that is repaired at the next start is reported as one that failed.
    const failed = intended.filter((file) => !run.written.has(file.path) && !left.has(file.path));
    failed.forEach((file) => left.set(file.path, 'failed'));
    return { id, written: intended.map((file) => file.path).filter((file) => run.written.has(file)), left: listOf(files, left) };
  }

  /** Returns the record to write, with the present state, or the reason why the file is left. */
  private async verify(file: FileRecord, link: string | undefined): Promise<FileRecord | LeftReason> {
    if (!(await this.writer.isInside(link ?? file.path))) {
      return 'outside';
    }
    // The link above is removed first, and then nothing exists at the path.
    const present = link === undefined ? await presentFile(this.deps.states, file.path, true) : NOTHING;
    const { state, stat } = present;
    if (!isBefore(file, present)) {
      return state.kind === 'unknown' ? 'not_kept' : 'changed';
    }
    if (!(await isReadable(this.deps.states.store, state)) || !(await isReadable(this.deps.states.store, file.after))) {
      return 'not_kept';
    }
    const isFile = state.kind === 'file' && stat !== null;
    return {
      path: file.path,
      before: state,
      after: file.after,
      ...(file.relinked && { relinked: true }),
      ...(isFile && { inode: stat.ino }),
    };
  }

  private async finish(
    { type, id, files, closed, isSuperseded }: Interrupted,
    mayWrite: (path: string) => Promise<boolean>,
  ): Promise<RecoveredTransaction> {
    const { states, log } = this.deps;
    const records = await log.records();
    const run: Run = {
      id,
      since: firstTouched(records),
      origins: originsOf(files, records),
      signal: undefined,
      onFile: () => undefined,
      written: new Set(),
      left: new Map(),
    };
    const torn = (record: FileRecord): IsExpected => {
      return async (present) => isBefore(record, present) || this.writer.isHalfWritten(id, record, present);
    };
    const open: FileRecord[] = [];
    const linkAbove = goingLinks(files);
    for (const record of files) {
      // A link that will be removed first may still be in the way.
      const present = await presentFile(states, record.path, false).catch((error: unknown) =>
        reasonOf(error) === 'outside' && linkAbove(record.path) !== undefined ? NOTHING : reasonOf(error),
      );
      if (typeof present === 'string') {
        run.left.set(record.path, present);
      } else if (sameState(present.state, record.after)) {
        run.written.add(record.path);
      } else if (!(await torn(record)(present)) || closed.has(record.path)) {
        run.left.set(record.path, 'changed');
      } else if (await mayWrite(record.path)) {
        // For a file with several names it is the trace of a write in place.
        await (present.stat !== null && present.stat.nlink > 1 && !sameState(present.state, record.before)
          ? undefined
          : this.writer.removeTemps([record.path], id));
        open.push(record);
      } else if (sameState(present.state, record.before)) {
        run.left.set(record.path, 'changed');
      }
    }
    const first = [...run.written];
    await this.writer.writeAll(run, open, torn);
    await this.writer.end(run, files);
    return {
      type,
      id,
      written: files.map((file) => file.path).filter((file) => run.written.has(file)),
      left: [...run.left].map(([file, reason]) => ({ path: file, reason })),
      rewritten: isSuperseded ? [] : [...run.written].filter((file) => !first.includes(file)),
    };
  }
}

/** True when the file of the record is at its path. A file with an equal content may be another one. */
function isBefore({ before, inode }: FileRecord, { state, stat }: PresentFile): boolean {
  return sameState(state, before) && (inode === undefined || stat?.kind !== 'file' || stat.ino === inode);
}

const NOTHING: PresentFile = { state: { kind: 'none' }, stat: null };

/** Finds the link above a file that the same run removes to make room for a folder. */
function goingLinks(files: readonly FileRecord[]): (file: string) => string | undefined {
  const links = files.filter(({ before, after }) => before.kind === 'link' && after.kind === 'none').map((file) => file.path);
  return (file) => links.find((link) => file.startsWith(link + path.sep));
}

/** Finds the time at which a turn or a restore first touched a file. Older folders are not removed. */
function firstTouched(records: readonly ChangeRecord[]): (file: string) => number {
  const times = new Map<string, number>();
  let checkpointAt = Infinity;
  for (const record of records) {
    checkpointAt = record.type === 'checkpoint' ? record.at : checkpointAt;
    const at = record.type === 'turn' ? Math.min(record.at, checkpointAt) : record.at;
    for (const { path: file, oldPath } of 'files' in record ? record.files : []) {
      [file, oldPath ?? file].forEach((each) => times.set(each, times.get(each) ?? at));
    }
  }
  return (file) => times.get(file) ?? Infinity;
}

function listOf(files: readonly FileRecord[], left: ReadonlyMap<string, LeftReason>): readonly LeftFile[] {
  return files.flatMap(({ path: file }) => (left.has(file) ? [{ path: file, reason: left.get(file)! }] : []));
}

/** True when the content of the state can be read from the store. */
export async function isReadable(store: ObjectStore & { verify?(hash: string): Promise<boolean> }, state: FileState): Promise<boolean> {
  if (state.kind !== 'file') {
    return state.kind !== 'unknown';
  }
  return store.verify ? store.verify(state.hash) : (await store.get(state.hash)) !== undefined;
}
