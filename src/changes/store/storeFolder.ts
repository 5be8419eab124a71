/** The folder of the extension's storage in which one session stores earlier versions of files. */

export interface AppendOptions {
  /**
   * The required length of the file in bytes; 0 for a file that must not exist. With another length nothing is written, and the append rejects with
   * the code `ESTALE` or `EEXIST`, or with `ENOENT` when the file is gone.
   */
  readonly at?: number;
  /** False when the bytes may be lost in a power failure until the next append that flushes. Default true. */
  readonly flush?: boolean;
}

/** Distinguishes a file from the files that had its name before. */
export interface FileId {
  readonly inode: bigint;
  /** The file's first bytes. Many disks give the inode of a deleted file to the next new one, and the time of creation is often not known. */
  readonly head: Uint8Array;
}

/** The bytes of {@link FileId.head}, if the file is not shorter. The first line of an index contains a random name before that. */
export const HEAD_LENGTH = 160;

/** A file at a moment. Its id stays the same while bytes are appended. */
export interface FileVersion {
  readonly id: FileId;
  /** Bytes. */
  readonly length: number;
}

/** Compares the bytes that both ids have, because a file may have been shorter before. */
export function isSameFile(one: FileId, other: FileId): boolean {
  const length = Math.min(one.head.length, other.head.length);
  return one.inode === other.inode && Buffer.compare(one.head.subarray(0, length), other.head.subarray(0, length)) === 0;
}

/** Names are plain file names. Each method rejects with the disk's error. */
export interface StoreFolder {
  /**
   * Appends bytes to a file and creates it, readable by the user only. All or nothing: after a failure the file is cut to its earlier length where
   * the disk allows it. Another window may append to the same file.
   * @returns the file after it
   */
  append(name: string, bytes: Uint8Array, options?: AppendOptions): Promise<FileVersion>;
  /** Returns undefined when the file does not exist or is shorter. */
  read(name: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /** Returns undefined when the file does not exist. */
  readAll(name: string): Promise<Uint8Array | undefined>;
  /** Returns the bytes from an offset to the end, with the id of the file; no bytes when it is shorter. Undefined when the file does not exist. */
  readFrom(name: string, offset: number): Promise<{ readonly bytes: Uint8Array; readonly id: FileId } | undefined>;
  /** Returns the bytes of one file; undefined when it does not exist. */
  length(name: string): Promise<number | undefined>;
  /** Returns undefined when the file does not exist. */
  version(name: string): Promise<FileVersion | undefined>;
  /** Returns the names of all files; empty when the folder does not exist. */
  names(): Promise<readonly string[]>;
  /**
   * Replaces a whole file, flushed to disk. A crash leaves the old file or the new one.
   * @param options `flush` false: after a power failure the name may still be the old file's, until the next replacement that flushes
   */
  replace(name: string, bytes: Uint8Array, options?: Pick<AppendOptions, 'flush'>): Promise<void>;
  /**
   * Like {@link replace}, for a file to which another window may append. Call it inside of {@link exclusive}: otherwise another window may replace the
   * file in the same moment, and what only that file contains is lost.
   * @param read the old file and its length when the caller read it; undefined when there was none
   * @returns the bytes that were appended to the old file since, or all bytes of a file that has replaced the old one since. They are in the new file
   * after `bytes`. Also returns the id of the new file
   */
  replaceAppended(
    name: string,
    bytes: Uint8Array,
    read: FileVersion | undefined,
  ): Promise<{ readonly added: Uint8Array; readonly id: FileId }>;
  /**
   * Runs `run` while no other window does. Waits for that window; one that has ended or hangs is passed over. Creates the folder when it is missing.
   */
  exclusive<T>(run: () => Promise<T>): Promise<T>;
  rename(name: string, to: string): Promise<void>;
  /** Does nothing when the file does not exist. */
  remove(name: string): Promise<void>;
  /** Returns the bytes of all files. */
  size(): Promise<number>;
  /** Deletes the folder with all its files. */
  removeAll(): Promise<void>;
}

/** Thrown by writes after `DiskStoreFolder.close`. */
export class StoreClosedError extends Error {}
