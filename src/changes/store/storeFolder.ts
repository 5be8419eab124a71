/** The folder of the extension's storage in which one session keeps earlier versions of files. */

/** Names are plain file names. Rejects with what the disk says. */
export interface StoreFolder {
  /** Adds to the end of a file, which it makes; readable by the user alone. */
  append(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is no such file, or it is shorter than that. */
  read(name: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  readAll(name: string): Promise<Uint8Array | undefined>;
  /** Puts a whole file in the place of the one that is there; a crash leaves either. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /** Nothing happens where there is no such file. */
  remove(name: string): Promise<void>;
  /** Bytes of all files. */
  size(): Promise<number>;
  /** All of it goes, the folder too. */
  removeAll(): Promise<void>;
}
