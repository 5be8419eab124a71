/** The folder of the extension's storage in which one session keeps earlier versions of files. */

export interface AppendOptions {
  /**
   * The length in bytes that the file must have before, 0 for a file that must not exist. With another length nothing is written and the append rejects
   * with the code `ESTALE` or `EEXIST`, or with `ENOENT` when the file is gone.
   */
  readonly at?: number;
  /** False: the bytes may still be lost with the machine's power, until the next append that flushes. Default true. */
  readonly flush?: boolean;
}

/** Names are plain file names. Each method rejects with the disk's error. */
export interface StoreFolder {
  /**
   * Adds bytes to the end of a file and creates it, readable by the user only. All or nothing: after a failure the file is cut to its earlier length
   * where the disk allows it. Another window may append to the same file.
   * @returns the file's length after it
   */
  append(name: string, bytes: Uint8Array, options?: AppendOptions): Promise<number>;
  /** Undefined when the file does not exist or is shorter. */
  read(name: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /** Undefined when the file does not exist. */
  readAll(name: string): Promise<Uint8Array | undefined>;
  /** Bytes of one file; undefined when it does not exist. */
  length(name: string): Promise<number | undefined>;
  /** The names of all files; none when the folder does not exist. */
  names(): Promise<readonly string[]>;
  /**
   * Replaces a whole file, flushed to disk. A crash leaves the old file or the new one.
   * @param options `flush` false: after a loss of power the name may still be the old file's, until the next replacement that flushes
   */
  replace(name: string, bytes: Uint8Array, options?: Pick<AppendOptions, 'flush'>): Promise<void>;
  /**
   * Like {@link replace}, for a file to which another window may append.
   * @param from the length of the old file that the caller has read
   * @returns the bytes that were appended to the old file after `from`; they are in the new file after `bytes`
   */
  replaceAppended(name: string, bytes: Uint8Array, from: number): Promise<Uint8Array>;
  rename(name: string, to: string): Promise<void>;
  /** Does nothing when the file does not exist. */
  remove(name: string): Promise<void>;
  /** Bytes of all files. */
  size(): Promise<number>;
  /** Deletes the folder with all its files. */
  removeAll(): Promise<void>;
}

/** Thrown by writes after `DiskStoreFolder.close`. */
export class StoreClosedError extends Error {}
