/** Reads the state of a path from the disk, without what is known from earlier. */
import path from 'node:path';
import type { FileState } from '../core/fileChanges/records';
import type { FileStat } from './disk/diskFiles';
import { hashOf } from './store/objectStore';
import type { FileStates } from './turns/fileStates';

export interface PresentFile {
  readonly state: FileState;
  /** Null: there is nothing. */
  readonly stat: FileStat | null;
  /** The content of a file that could be read. */
  readonly bytes?: Uint8Array;
}

/**
 * @param keep puts the content of a file into the store
 * @throws ESTALE where the path leads elsewhere, EGITDIR in a folder of Git, and what the system says where it cannot be known whether there is a file
 */
export async function presentFile({ files, store, limits }: FileStates, file: string, keep: boolean): Promise<PresentFile> {
  const stat = (await files.stat(file)) ?? null;
  switch (stat?.kind) {
    case undefined:
      return { state: { kind: 'none' }, stat };
    case 'link':
      return { state: { kind: 'link', target: await files.readLink(file) }, stat };
    case 'folder':
      // A repository of its own is more than an empty place.
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
