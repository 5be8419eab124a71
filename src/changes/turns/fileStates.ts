/** What files hold now, read once for as long as they stay as they are. */
import path from 'node:path';
import type { FileState, UnknownReason } from '../../core/fileChanges/records';
import type { DiskFiles, FileStat } from '../disk/diskFiles';
import type { ObjectStore } from '../store/objectStore';
import { hashOf } from '../store/objectStore';

export interface ChangeLimits {
  /** Bytes of a file of which an earlier version is kept. */
  readonly fileBytes: number;
  /** Bytes of a file that is copied although nobody has named it, where no repository has it. */
  readonly plainFileBytes: number;
  /** Files of a folder without a repository that are looked at. */
  readonly plainFiles: number;
}

export const DEFAULT_CHANGE_LIMITS: ChangeLimits = { fileBytes: 2 * 1024 * 1024, plainFileBytes: 256 * 1024, plainFiles: 20_000 };

/** What a session keeps on disk at most. */
export const DEFAULT_STORE_BYTES = 64 * 1024 * 1024;

/** ms by which a file system's times may lie before the moment that they are of, and of those that count whole seconds. */
const CLOCK_SLACK = 12;
const COARSE_SLACK = 2000;

interface Known {
  readonly stat: FileStat;
  readonly readAt: number;
  readonly state: FileState;
  readonly binary: boolean;
}

export interface PresentFile {
  readonly state: FileState;
  readonly stat: FileStat | undefined;
  readonly binary: boolean;
}

export class FileStates {
  private readonly known = new Map<string, Known>();

  constructor(
    readonly files: DiskFiles,
    readonly store: ObjectStore,
    readonly limits: ChangeLimits,
    private readonly now: () => number,
  ) {}

  /** @param keep its bytes go into the store; else they are only compared */
  async of(file: string, keep: boolean, maxBytes = this.limits.fileBytes): Promise<PresentFile> {
    const known = this.known.get(file);
    let readAt = this.now();
    // Of what was never read the content is wanted in any case.
    const fresh = known ? undefined : await this.files.statAndRead(file, maxBytes);
    const stat = fresh?.stat ?? (await this.files.stat(file));
    if (stat?.kind !== 'file') {
      return { stat, state: await this.withoutContent(file, stat), binary: false };
    }
    if (known && isSameStat(known.stat, stat) && !mayHide(known) && (!keep || (known.state.kind === 'file' && known.state.kept))) {
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
    const kept = keep ? await this.store.put(bytes) : undefined;
    const hash = kept ?? hashOf(bytes);
    const state: FileState = {
      kind: 'file',
      hash,
      size: bytes.length,
      mode: stat.mode,
      kept: kept !== undefined || (await this.store.has(hash)),
    };
    const binary = looksBinary(bytes);
    this.known.set(file, { stat, readAt, state, binary });
    return { stat, state, binary };
  }

  /**
   * What it held at `since`, as far as that can still be told: `late` when it was written, or came or went, after that moment.
   */
  async asOf(file: string, since: number, maxBytes?: number): Promise<FileState> {
    const { state, stat } = await this.of(file, true, maxBytes);
    if (stat?.kind === 'folder') {
      // What is done within it is done to its files.
      return stat.birthtimeMs >= since - slackOf(stat.birthtimeMs) ? unknown('late') : state;
    }
    if (stat) {
      return isSince(stat, since) || (await this.hasChanged(file, stat)) ? unknown('late', stat.size) : keptOr(state);
    }
    // Of what is not there only the folder can tell since when.
    const folder = await this.files.stat(path.dirname(file));
    return folder && isSince(folder, since) ? unknown('late') : state;
  }

  /** While it was read. */
  private async hasChanged(file: string, stat: FileStat): Promise<boolean> {
    const now = await this.files.stat(file);
    return !now || !isSameStat(now, stat);
  }

  private async withoutContent(file: string, stat: FileStat | undefined): Promise<FileState> {
    // Where a folder is there is no file; a repository in it nobody looks into.
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

/** What has no room in the store cannot be gone back to. */
export function keptOr(state: FileState): FileState {
  return state.kind === 'file' && !state.kept ? unknown('limit', state.size) : state;
}

export function isSameStat(one: FileStat, other: FileStat): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino &&
    one.mode === other.mode
  );
}

/** True when it may have been written at `since` or later. */
export function isSince({ ctimeMs }: FileStat, since: number): boolean {
  return ctimeMs >= since - slackOf(ctimeMs);
}

export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** It was read so soon after it was written that a second write may have left the same time. */
function mayHide({ stat, readAt }: Known): boolean {
  return stat.ctimeMs >= readAt - slackOf(stat.ctimeMs);
}

function slackOf(ms: number): number {
  return ms % 1000 === 0 ? COARSE_SLACK : CLOCK_SLACK;
}
