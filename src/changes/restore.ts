/**
 * Restores files to their state at a message. Writes only files that a turn has touched, with the versions that the store has of them, and in a
 * repository only working files. A restore is a record itself, with the states that it found, so it can be undone like a turn.
 */
import path from 'node:path';
import {
  type ChangeRecord,
  type FileRecord,
  type FileState,
  isOnlyUnseen,
  sameState,
  statesAfter,
  statesBefore,
} from '../core/fileChanges/records';
import { inPool } from '../util/pool';
import { isGitPath } from './disk/gitFolders';
import { modeFor } from './disk/inPlace';
import type { RestoredPoint } from './hunks/recordedChanges';
import { heldLines, isComparable, type RunContents } from './heldLines';
import { contentKey, hasOrigins, mergedOrigins, type Origins, originsOf } from './origins';
import type { PresentFile } from './turns/fileStates';
import { OwnFiles } from './turns/ownFiles';
import { FileTransaction, type FileTransactionDependencies, isReadable, type LeftFile, type TransactionOptions } from './fileTransaction';

export type { RestoreTarget } from './fileTransaction';

/** One file of a preview. */
export interface RestoreFile {
  readonly path: string;
  /** `none`: the file already has the state. `unavailable`: an earlier version cannot be read, or the present one cannot be stored. */
  readonly action: 'write' | 'create' | 'delete' | 'none' | 'unavailable';
  readonly to: FileState;
  readonly now: FileState;
  /** The inode of the present file; absent where nothing exists. */
  readonly inode?: number;
  /**
   * Another program or the user has changed the file after the agent, even between two turns, or has moved another file with the same content to its
   * path. It is left unless it is chosen.
   */
  readonly changedSince: boolean;
  /**
   * The user or another session wrote it in the same turn as the agent, or between two turns. Absent for a file that is put back where nothing exists,
   * while no other author is known: the author of the deletion does not matter then, because nothing is lost.
   */
  readonly shared?: boolean;
  /** True when it is shared only because no window followed the turn while it changed. */
  readonly unseen?: boolean;
  /** Groups of files whose content is now only at this path. The file is left unless one file of each group is restored, too. */
  readonly origins?: readonly (readonly string[])[];
  /** A turn put another file with several names at the path. */
  readonly relinked?: boolean;
}

export interface RestorePlan {
  /** The records before and after these states. */
  readonly point: RestoredPoint;
  /** The time of these states, in ms since the epoch. */
  readonly at: number;
  readonly files: readonly RestoreFile[];
  /** The whole preview, even if `files` has only the chosen files: another file may hold the lines of a file that is left. */
  readonly all?: readonly RestoreFile[];
}

export interface RestoreResult {
  /** The restore that can be undone; undefined when nothing had to be written. */
  readonly restoreId: string | undefined;
  readonly restored: readonly string[];
  /** Files that were changed between preview and restore, or could not be written. They are unchanged. */
  readonly left: readonly string[];
  /** The reason why each file of `left` was left. */
  readonly reasons: readonly LeftFile[];
}

export type RestoreDependencies = FileTransactionDependencies;

export class Restore {
  /** Writes the files of restores, and recovers interrupted ones. */
  readonly transaction: FileTransaction;

  constructor(private readonly deps: RestoreDependencies) {
    this.transaction = new FileTransaction(deps);
  }

  /** Returns the messages that the user can restore to, oldest first. */
  async checkpoints(): Promise<readonly { readonly turnId: string; readonly at: number }[]> {
    return (await this.deps.log.records()).filter((record) => record.type === 'checkpoint');
  }

  /** Returns the newest restore that has written a file. */
  async lastRestoreId(): Promise<string | undefined> {
    const records = await this.deps.log.records();
    const ends = records.filter((record) => record.type === 'done');
    const restores = records.flatMap((record) => (record.type === 'restore' ? [record.restoreId] : []));
    // A restore by an earlier version of the extension has no end.
    return restores.findLast((id) => ends.every((end) => end.id !== id) || ends.some((end) => end.id === id && end.written.length > 0));
  }

  async stateOf(file: string): Promise<FileState> {
    return (await this.present(file))?.state ?? UNREADABLE;
  }

  /** Plans the restore to before this message; undefined for an unknown message. */
  async toCheckpoint(turnId: string): Promise<RestorePlan | undefined> {
    const records = await this.deps.log.records();
    const from = records.findIndex((record) => record.type === 'checkpoint' && record.turnId === turnId);
    return from < 0 ? undefined : this.plan(records, from, statesBefore(records, from));
  }

  /** Plans the undo of a restore; undefined for an unknown one. */
  async undoing(restoreId: string): Promise<RestorePlan | undefined> {
    const records = await this.deps.log.records();
    const from = records.findIndex((record) => record.type === 'restore' && record.restoreId === restoreId);
    return from < 0 ? undefined : this.plan(records, from, statesBefore(records.slice(0, from + 1), from));
  }

  /** @param chosen the files changed since that are written anyway */
  async perform(plan: RestorePlan, chosen: readonly string[] = [], options: TransactionOptions = {}): Promise<RestoreResult> {
    const picked = new Set(chosen);
    const wanted = plan.files.filter(({ action, changedSince, path: file }) => isChange(action) && (!changedSince || picked.has(file)));
    const held = await this.heldLines(plan, wanted);
    const origins = mergedOrigins(new Map(wanted.map((file) => [file.path, file.origins ?? []])), held);
    const ready = withoutOnlyCopies(wanted, origins);
    const files = ready.map(({ path, now, to, relinked, inode }): FileRecord => {
      return { path, before: now, after: to, ...(relinked && { relinked }), ...(inode && { inode }) };
    });
    const { id, written, left } = await this.transaction.run('restore', files, { since: plan.at, origins: held, ...options });
    const copies = wanted.filter((file) => !ready.includes(file)).map((file): LeftFile => ({ path: file.path, reason: 'moved' }));
    const reasons = [...left, ...copies];
    return { restoreId: id, restored: written, left: reasons.map((file) => file.path), reasons };
  }

  private async plan(records: readonly ChangeRecord[], from: number, wanted: ReadonlyMap<string, FileState>): Promise<RestorePlan> {
    const { leftAs, writtenBetween } = historyOf(records.slice(from), wanted);
    const later = records.slice(from).flatMap((record) => ('files' in record ? record.files : []));
    const ofTwo = later.filter((file) => file.shared || file.userEdits);
    const shared = new Set(ofTwo.map((file) => file.path));
    const seen = new Set(ofTwo.filter((file) => !isOnlyUnseen(file)).map((file) => file.path));
    const relinked = new Set(later.filter((file) => file.relinked).map((file) => file.path));
    const found = new Map<string, PresentFile | undefined>();
    const own = new OwnFiles(records);
    const others = new Set<string>();
    await inPool([...wanted.keys()], PARALLEL, async (file) => void found.set(file, await this.present(file)));
    // Removing a link makes room for the folder that it has replaced.
    const going = [...wanted].flatMap(([file, to]) => (to.kind === 'none' && found.get(file)?.state.kind === 'link' ? [file] : []));
    const files: RestoreFile[] = [];
    await inPool([...wanted], PARALLEL, async ([file, earlier]) => {
      const link = going.find((each) => file.startsWith(each + path.sep));
      const now = link === undefined ? (found.get(file)?.state ?? UNREADABLE) : NONE;
      const stat = link === undefined ? found.get(file)?.stat : undefined;
      void ((await own.hasOther(file, stat, this.deps.states)) && others.add(file));
      const to = withPresentMode(earlier, now, leftAs.get(file));
      // The states of a file that is too large to compare by content are unknown.
      const changedSince = writtenBetween.has(file) || !(leftAs.get(file) ?? []).some((state) => sameState(state, now));
      const action = await this.actionOf(link ?? file, file, to, now);
      const isShared = shared.has(file) && (seen.has(file) || action !== 'create');
      files.push({
        path: file,
        to,
        now,
        action,
        changedSince,
        ...(stat?.kind === 'file' && { inode: stat.ino }),
        ...(isShared && { shared: true, ...(!seen.has(file) && { unseen: true }) }),
        ...(relinked.has(file) && { relinked: true }),
      });
    });
    const origins = originsOf(
      files.map((file) => ({ path: file.path, before: file.now, after: file.to })),
      records.slice(from),
    );
    const alone = await this.onlyCopies(files, records, statesAfter(records.slice(0, from)));
    const planned = files.map((file) => ({
      ...file,
      changedSince: file.changedSince || alone.has(file.path) || (others.has(file.path) && !isWantedElsewhere(file, files)),
      ...(origins.has(file.path) && { origins: origins.get(file.path)! }),
    }));
    planned.sort((one, other) => (one.path < other.path ? -1 : 1));
    const point = { earlier: records.slice(0, from), later: records.slice(from) };
    return { at: records[from]!.at, files: planned, all: planned, point };
  }

  /**
   * Returns the files that the restore would delete because a turn had moved them elsewhere, where the file is no longer as that turn left it. A
   * restore that was undone has put them back.
   * @param earlier the last known states before the point; a moved file that was already gone there is no reason to keep the one that was put back
   */
  private async onlyCopies(
    files: readonly RestoreFile[],
    records: readonly ChangeRecord[],
    earlier: ReadonlyMap<string, FileState>,
  ): Promise<ReadonlySet<string>> {
    const deleted = new Map(
      files.flatMap((file) => (file.action === 'delete' && file.now.kind === 'file' ? [[file.path, file] as const] : [])),
    );
    const wasThere = ({ path: file, after, before }: FileRecord): boolean => {
      const state = earlier.get(file);
      return state !== undefined && (sameState(state, after) || contentKey(state) === contentKey(before));
    };
    const moves = records
      .flatMap((record) => ('files' in record ? record.files : []))
      .filter((record) => deleted.has(record.oldPath ?? '') && wasThere(record));
    const isThere = async ({ path: file, after, before }: FileRecord): Promise<boolean> => {
      const planned = files.find((each) => each.path === file);
      const isWritten = planned !== undefined && isChange(planned.action) && !planned.changedSince;
      const state = isWritten ? planned.to : ((await this.present(file))?.state ?? UNREADABLE);
      return sameState(state, after) || contentKey(state) === contentKey(before);
    };
    const found = new Set<string>();
    for (const [file, { now }] of deleted) {
      const own = moves.filter(({ oldPath, before }) => oldPath === file && contentKey(before) === contentKey(now));
      const held = await Promise.all(own.map(isThere));
      if (own.length > 0 && !held.includes(true)) {
        found.add(file);
      }
    }
    return found;
  }

  /** Returns the wanted files that hold lines of other files in the preview. Beyond the budget, only lines of files that are left are searched. */
  private async heldLines({ files, all = files }: RestorePlan, wanted: readonly RestoreFile[]): Promise<Origins> {
    const chosen = new Map(wanted.map((file) => [file.path, file]));
    const isSearched = ({ to, now, path: file }: RestoreFile): boolean =>
      !sameState(to, now) && (chosen.has(file) || (to.kind === 'file' && isComparable(now)));
    const searched = all.map((file) => chosen.get(file.path) ?? file).filter(isSearched);
    const size = searched.reduce((sum, { to, now }) => sum + sizeOf(to) + sizeOf(now), 0);
    const isLarge = size > HELD_BYTES;
    if (searched.length < 2 || (isLarge && searched.every((file) => chosen.has(file.path)))) {
      return new Map();
    }
    let budget = HELD_BYTES;
    const contents: RunContents[] = [];
    const ordered = [...searched].sort((one, other) => Number(chosen.has(one.path)) - Number(chosen.has(other.path)));
    for (const { path: file, now, to } of ordered) {
      budget -= sizeOf(now) + sizeOf(to);
      if (budget >= 0) {
        contents.push({
          path: file,
          now: await this.contentOf(file, now),
          to: await this.contentOf(file, to),
          isLeft: !chosen.has(file),
        });
      }
    }
    return heldLines(contents);
  }

  /** Returns the bytes of a state, from the store, or from the file while it has them. */
  private async contentOf(file: string, state: FileState): Promise<Uint8Array | undefined> {
    const { store, files, limits } = this.deps.states;
    return state.kind === 'file' ? ((await store.get(state.hash)) ?? files.read(file, limits.fileBytes).catch(() => undefined)) : undefined;
  }

  /** Returns undefined where the path leads elsewhere, or cannot be read. */
  private async present(file: string): Promise<PresentFile | undefined> {
    try {
      return await this.deps.states.of(file, false);
    } catch {
      return undefined;
    }
  }

  /** @param place the path that must be in the session's folders */
  private async actionOf(place: string, file: string, to: FileState, now: FileState): Promise<RestoreFile['action']> {
    if (sameState(to, now)) {
      return 'none';
    }
    const { contains, states } = this.deps;
    const isOurs = !isGitPath(file) && ((await contains(path.dirname(place))) || (await contains(place)));
    // A present content that cannot be stored is not overwritten.
    if (!isOurs || now.kind === 'unknown' || !(await isReadable(states.store, to))) {
      return 'unavailable';
    }
    return to.kind === 'none' ? 'delete' : now.kind === 'none' ? 'create' : 'write';
  }
}

/** Files that are read at the same time. */
const PARALLEL = 8;
/** The most bytes of contents that are searched for lines of other files. */
const HELD_BYTES = 16 * 1024 * 1024;

const NONE: FileState = { kind: 'none' };
const UNREADABLE: FileState = { kind: 'unknown', reason: 'unreadable' };

function isChange(action: RestoreFile['action']): boolean {
  return action !== 'none' && action !== 'unavailable';
}

/** True when the present content of a file is wanted at another path, so that the restore keeps it there. */
function isWantedElsewhere({ path: file, now }: RestoreFile, files: readonly RestoreFile[]): boolean {
  const key = contentKey(now);
  return files.some((other) => other.path !== file && contentKey(other.to) === key);
}

/** Returns the state to restore. Permissions that the user has set since stay, except for the one to execute. */
function withPresentMode(to: FileState, now: FileState, leftAs: readonly FileState[] = []): FileState {
  if (to.kind !== 'file' || now.kind !== 'file' || leftAs.some((state) => state.kind === 'file' && state.mode === now.mode)) {
    return to;
  }
  const asGit = (to.mode & 0o100) === 0 ? 0o644 : 0o755;
  return { ...to, mode: modeFor(now.mode, asGit) };
}

/** Returns the files except for those that have the only copy of a file that is not restored. */
function withoutOnlyCopies(files: readonly RestoreFile[], origins: Origins): readonly RestoreFile[] {
  const paths = new Set(files.map((file) => file.path));
  const ready = files.filter((file) => hasOrigins(origins, file.path, (origin) => paths.has(origin)));
  return ready.length === files.length ? files : withoutOnlyCopies(ready, origins);
}

function sizeOf(state: FileState): number {
  return state.kind === 'file' ? state.size : 0;
}

/**
 * Returns the states in which the session may have left each file. For a file that an interrupted restore or undo did not write, the state before
 * counts as well. `writtenBetween` has the files that a record found in another state than the wanted one and the one that the record before it had
 * left. A move takes the user's lines to the new path, and an undo of the move takes them back.
 */
function historyOf(
  records: readonly ChangeRecord[],
  wanted: ReadonlyMap<string, FileState>,
): { readonly leftAs: ReadonlyMap<string, readonly FileState[]>; readonly writtenBetween: ReadonlySet<string> } {
  const written = new Set(
    records.flatMap((record) => (record.type === 'done' ? record.written.map((file) => `${record.id} ${file}`) : [])),
  );
  const leftAs = new Map<string, readonly FileState[]>();
  const writtenBetween = new Set<string>();
  const undone = new Set<string>();
  const moves: (readonly [string, string])[] = [];
  const found = (file: string, before: FileState): void => {
    const known = leftAs.get(file);
    const to = wanted.get(file);
    if (known && ![...known, ...(to ? [to] : [])].some((state) => sameState(state, before))) {
      writtenBetween.add(file);
    }
  };
  for (const record of records) {
    const id = record.type === 'restore' ? record.restoreId : record.type === 'undo' ? record.undoId : undefined;
    for (const { path: file, oldPath, before, after } of 'files' in record ? record.files : []) {
      found(oldPath ?? file, before);
      // The user's lines are at the new path now.
      void (oldPath !== undefined && writtenBetween.has(oldPath) && writtenBetween.add(file));
      if (record.type === 'undo') {
        undone.add(file);
      }
      if (oldPath !== undefined) {
        moves.push([file, oldPath]);
        found(file, NONE);
        leftAs.set(oldPath, [NONE]);
      }
      leftAs.set(file, id !== undefined && !written.has(`${id} ${file}`) ? [after, before] : [after]);
    }
  }
  // The newest move comes first: several turns may have moved a file.
  const moved = new Set(writtenBetween);
  for (const [file, oldPath] of moves.reverse()) {
    if (moved.has(file)) {
      moved.add(oldPath);
      void (undone.has(oldPath) && writtenBetween.add(oldPath));
    }
  }
  return { leftAs, writtenBetween };
}
