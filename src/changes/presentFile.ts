/** Reads the state of a path from the disk, without any cache. */
import path from 'node:path';
import type { FileState } from '../core/fileChanges/records';
import type { FileStat } from './disk/diskFiles';
import { hashOf } from './store/objectStore';
import type { FileStates } from './turns/fileStates';

export interface PresentFile {
  readonly state: FileState;
  /** Null when nothing exists. */
  readonly stat: FileStat | null;
  /** The content of a file that could be read. */
  readonly bytes?: Uint8Array;
}

/**
 * @param keep stores the content of a file
 * @throws ESTALE where the path leads elsewhere, EGITDIR in a folder of Git, and the system's error where it is unknown whether a file exists
 */
export async function presentFile({ files, store, limits }: FileStates, file: string, keep: boolean): Promise<PresentFile> {
  const stat = (await files.stat(file)) ?? null;
  switch (stat?.kind) {
    case undefined:
      return { state: { kind: 'none' }, stat };
    case 'link':
      return { state: { kind: 'link', target: await files.readLink(file) }, stat };
    case 'folder':
      // A folder with a repository of its own must not count as empty.
      return { state: (await files.stat(path.join(file, '.git'))) ? UNREADABLE : { kind: 'none' }, stat };
    case 'other':
      return { state: UNREADABLE, stat };
    default:
  }
  const read = await files.statAndRead(file, limits.fileBytes);
  if (!read?.bytes) {
    const isTooLarge = (read?.stat ?? stat!).size > limits.fileBytes;
    return { state: isTooLarge ? { kind: 'unknown', reason: 'too_large', size: stat!.size } : UNREADABLE, stat };
  }
  const hash = hashOf(read.bytes);
  const put = keep ? await store.put(read.bytes).catch(() => undefined) : undefined;
  const kept = keep ? put === hash : await store.has(hash);
  return { state: { kind: 'file', hash, size: read.bytes.length, mode: read.stat.mode, kept }, stat: read.stat, bytes: read.bytes };
}

const UNREADABLE: FileState = { kind: 'unknown', reason: 'unreadable' };
