/** The present states of files. A file is read again only after its times, size or inode have changed. */
import path from 'node:path';
import type { FileState, UnknownReason } from '../../core/fileChanges/records';
import type { DiskFiles, FileStat } from '../disk/diskFiles';
import type { ObjectStore } from '../store/objectStore';
import { hashOf } from '../store/objectStore';
import type { GitLocation } from '../store/objectIndex';
import { type Since, sinceNow } from './filesSnapshot';

export interface ChangeLimits {
  /** The largest file whose earlier version is stored, in bytes. */
  readonly fileBytes: number;
  /** The largest file outside of a repository that is copied without being named, in bytes. */
  readonly plainFileBytes: number;
  /** The most files of a folder without a repository that are read. */
  readonly plainFiles: number;
}

export const DEFAULT_CHANGE_LIMITS: ChangeLimits = { fileBytes: 2 * 1024 * 1024, plainFileBytes: 256 * 1024, plainFiles: 20_000 };

/** The most bytes that one session stores. */
export const DEFAULT_STORE_BYTES = 64 * 1024 * 1024;

/** The ms by which a file system's times may be behind the clock: usually, and where times are whole seconds. */
const CLOCK_SLACK = 12;
const COARSE_SLACK = 2000;

/** ms between two attempts to store a file that the store refused. */
const PROBE_MS = 5000;
/** The most bytes of earlier contents that stay in memory while a turn is recorded. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

interface Known {
  readonly stat: FileStat;
  readonly readAt: number;
  readonly state: FileState;
  readonly binary: boolean;
  /** The time in ms since the epoch when the store refused the file. */
  readonly refusedAt?: number;
}

export interface PresentFile {
  readonly state: FileState;
  readonly stat: FileStat | undefined;
  readonly binary: boolean;
  /** The content, if this call has read it. */
  readonly bytes?: Uint8Array;
  /** The disk could not say whether the file exists. */
  readonly failed?: true;
}

/** A copy that belongs to a time. */
export interface CopiedFile {
  readonly state: FileState;
  /** Undefined where the file does not exist, or the disk failed. */
  readonly stat: FileStat | undefined;
}

export class FileStates {
  private readonly known = new Map<string, Known>();
  private birthsAreKnown = false;
  /** The time in ms since the epoch when a refused file was read again, to find out whether the store accepts it now. */
  private probedAt = 0;
  /** The last refused file that the store accepted later: the time and the size. */
  private room = { at: 0, bytes: 0 };
  /**
   * Earlier contents by hash, until the turn is recorded. Reading one back takes calls, or a process of git. Undefined for git's contents beyond the
   * limit.
   */
  private readonly contents = new Map<string, Uint8Array | undefined>();
  private contentBytes = 0;
  /** The reason why the store refused a copy since the last {@link takeStoreFailure}. */
  private storeFailure: string | undefined;

  constructor(
    readonly files: DiskFiles,
    readonly store: ObjectStore,
    readonly limits: ChangeLimits,
    private readonly now: () => number,
  ) {}

  /** Returns the present state of a file; `unreadable` when the disk fails. @param keep true to store its bytes */
  async of(file: string, keep: boolean, maxBytes = this.limits.fileBytes): Promise<PresentFile> {
    try {
      return await this.read(file, keep, maxBytes);
    } catch {
      return { stat: undefined, state: unknown('unreadable'), binary: false, failed: true };
    }
  }

  /** Returns the state that `file` had at `since`; `late` when it was written, created or removed after that time. */
  async asOf(file: string, since: Since, maxBytes?: number): Promise<FileState> {
    return (await this.copyOf(file, since, maxBytes)).state;
  }

  /** Works like {@link asOf}, and adds the stat that shows later whether the file has changed. */
  async copyOf(file: string, since: Since, maxBytes?: number): Promise<CopiedFile> {
    const { state, stat, failed } = await this.of(file, true, maxBytes);
    if (failed) {
      return { state, stat };
    }
    if (stat?.kind === 'folder') {
      const isNew = isSince(stat, sinceNow(since), stat.birthtimeMs);
      // A move changes the times of the folder and of the one above. A change inside the folder is a change of its own files.
      const isLate = isNew || (isSince(stat, sinceNow(since)) && !(await this.wasAbsent(file, sinceNow(since))));
      return { stat, state: isLate ? unknown('late') : state };
    }
    if (stat) {
      const isLate = isSince(stat, sinceNow(since)) || (await this.hasChanged(file, stat));
      return { stat, state: isLate ? unknown('late', stat.size) : keptOr(state) };
    }
    // Another file may have the content that was at the path.
    return { stat, state: (await this.wasAbsent(file, sinceNow(since))) ? state : unknown('late', this.known.get(file)?.stat.size) };
  }

  /**
   * Stores bytes. Returns their hash; undefined when the store has no room or fails.
   * @param git the location of the same bytes in a repository
   * @param isNeeded true when {@link contentOf} will read them in this turn
   */
  async keep(bytes: Uint8Array, git?: GitLocation, isNeeded = git !== undefined): Promise<string | undefined> {
    try {
      const hash = git ? await this.store.putGit(bytes, git) : await this.store.put(bytes);
      this.storeFailure ??= hash === undefined ? 'limit' : undefined;
      const isSmall = this.contentBytes + bytes.length <= MAX_CONTENT_BYTES;
      if (isNeeded && hash !== undefined && (git || isSmall) && !this.contents.has(hash)) {
        this.contentBytes += isSmall ? bytes.length : 0;
        // A copy, because the bytes are a part of a whole batch.
        this.contents.set(hash, isSmall ? new Uint8Array(bytes) : undefined);
      }
      return hash;
    } catch (error) {
      this.storeFailure ??= String(error);
      return undefined;
    }
  }

  /** Returns the bytes of a stored state without starting a process; undefined when that is not possible. */
  async contentOf(hash: string): Promise<Uint8Array | undefined> {
    return this.contents.has(hash) ? this.contents.get(hash) : this.store.get(hash).catch(() => undefined);
  }

  /** Frees the contents of {@link contentOf}, once a turn is recorded. */
  forgetContents(): void {
    this.contents.clear();
    this.contentBytes = 0;
  }

  /** Returns the reason why a copy could not be stored since the last call; undefined when each was stored. */
  takeStoreFailure(): string | undefined {
    const failure = this.storeFailure;
    this.storeFailure = undefined;
    return failure;
  }

  /** True when the file system reports when files were made. Some report the last change instead, or nothing. */
  async knowsBirths(file: string, stat: FileStat): Promise<boolean> {
    this.learnBirths(stat);
    for (let at = path.dirname(file); !this.birthsAreKnown && at !== path.dirname(at); at = path.dirname(at)) {
      const folder = await this.files.stat(at).catch(() => undefined);
      if (folder) {
        this.learnBirths(folder);
      }
    }
    return this.birthsAreKnown && stat.birthtimeMs > 0;
  }

  private learnBirths({ birthtimeMs, ctimeMs }: FileStat): void {
    this.birthsAreKnown ||= birthtimeMs > 0 && birthtimeMs !== ctimeMs;
  }

  private async read(file: string, keep: boolean, maxBytes: number): Promise<PresentFile> {
    const known = this.known.get(file);
    let readAt = this.now();
    // A file that was never read is needed in any case, and one call costs less than two.
    const fresh = known ? undefined : await this.files.statAndRead(file, maxBytes).catch(() => undefined);
    const stat = fresh?.stat ?? (await this.files.stat(file));
    if (stat?.kind !== 'file') {
      return { stat, state: await this.withoutContent(file, stat), binary: false };
    }
    if (known && isSameStat(known.stat, stat) && !mayHide(known) && (!keep || (await this.isSettled(known)))) {
      return { stat, state: known.state, binary: known.binary };
    }
    if (stat.size > maxBytes) {
      return { stat, state: unknown('too_large', stat.size), binary: false };
    }
    readAt = fresh ? readAt : this.now();
    const bytes = fresh ? fresh.bytes : await this.files.read(file, maxBytes);
    if (!bytes) {
      return { stat, state: unknown('unreadable', stat.size), binary: false };
    }
    const kept = keep ? await this.keep(bytes) : undefined;
    const hash = kept ?? hashOf(bytes);
    const isKept = kept !== undefined || (await this.store.has(hash).catch(() => false));
    const state: FileState = { kind: 'file', hash, size: bytes.length, mode: stat.mode, kept: isKept };
    const binary = looksBinary(bytes);
    const refusedAt = keep && !isKept ? this.now() : undefined;
    if (refusedAt !== undefined) {
      this.probedAt = refusedAt;
    } else if (known?.refusedAt !== undefined && kept !== undefined) {
      this.room = { at: this.now(), bytes: bytes.length };
    }
    this.known.set(file, { stat, readAt, state, binary, ...(refusedAt !== undefined && { refusedAt }) });
    return { stat, state, binary, bytes };
  }

  /** True when reading the file again is useless: the store has it, or refuses it. A full store is tried with one file at a time. */
  private async isSettled({ state, refusedAt }: Known): Promise<boolean> {
    if (state.kind !== 'file' || (state.kept && (await this.store.has(state.hash).catch(() => false)))) {
      return true;
    }
    if (refusedAt === undefined || (refusedAt < this.room.at && state.size <= this.room.bytes)) {
      return false;
    }
    const isProbe = this.now() - this.probedAt >= PROBE_MS;
    this.probedAt = isProbe ? this.now() : this.probedAt;
    return !isProbe;
  }

  /** True when the file was written while it was read. */
  private async hasChanged(file: string, stat: FileStat): Promise<boolean> {
    const now = await this.files.stat(file).catch(() => undefined);
    return !now || !isSameStat(now, stat);
  }

  /**
   * True when nothing existed at the path since this time. The nearest existing folder proves it, because each file or folder that leaves it changes
   * its time.
   */
  private async wasAbsent(file: string, since: number): Promise<boolean> {
    try {
      for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
        const folder = await this.files.stat(at);
        if (folder) {
          return folder.kind !== 'link' && !isSince(folder, since);
        }
      }
    } catch {
      // Unknown.
    }
    return false;
  }

  private async withoutContent(file: string, stat: FileStat | undefined): Promise<FileState> {
    // A folder has replaced the file. A repository in it makes the state unknown.
    if (!stat || (stat.kind === 'folder' && !(await this.files.stat(path.join(file, '.git'))))) {
      return { kind: 'none' };
    }
    const target = stat.kind === 'link' ? await this.files.readLink(file).catch(() => undefined) : undefined;
    return target === undefined ? unknown('unreadable') : { kind: 'link', target };
  }
}

export function unknown(reason: UnknownReason, size?: number): FileState {
  return { kind: 'unknown', reason, ...(size !== undefined && { size }) };
}

/** Returns `unknown` for a state whose bytes are not stored, because nothing can restore it. */
export function keptOr(state: FileState): FileState {
  return state.kind === 'file' && !state.kept ? unknown('limit', state.size) : state;
}

export function isSameStat(one: FileStat, other: FileStat): boolean {
  return (
    one.kind === other.kind &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino &&
    one.mode === other.mode &&
    deviceOf(one) === deviceOf(other)
  );
}

function deviceOf(stat: FileStat & { readonly dev?: unknown }): unknown {
  return stat.dev;
}

/** True when the file may have been written at `since` or later. */
export function isSince({ ctimeMs }: FileStat, since: number, time = ctimeMs): boolean {
  return time >= since - slackOf(time);
}

/** Returns the ms by which a file's time may be behind the clock. */
export function slackOf(ms: number): number {
  return ms % 1000 === 0 ? COARSE_SLACK : CLOCK_SLACK;
}

/** True for no state, too. */
export function isUnknown(state: FileState | undefined): boolean {
  return state === undefined || state.kind === 'unknown';
}

/** True when the file may have changed in the turn before it was read, and for no state. */
export function isLate(state: FileState | undefined): boolean {
  return state === undefined || (state.kind === 'unknown' && state.reason === 'late');
}

export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** True when the file was read so soon after a write that a second write may have left the same time. */
function mayHide({ stat, readAt }: Known): boolean {
  return stat.ctimeMs >= readAt - slackOf(stat.ctimeMs);
}
