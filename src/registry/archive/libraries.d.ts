/** The parts of two libraries without types that are used. */
declare module 'unbzip2-stream' {
  /** A stream of the old style. */
  export default function unbzip2(): NodeJS.ReadWriteStream;
}

declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  export interface Entry {
    readonly fileName: string;
    readonly uncompressedSize: number;
    readonly externalFileAttributes: number;
    readonly versionMadeBy: number;
    isEncrypted(): boolean;
  }

  export interface ZipFile {
    readonly entryCount: number;
    readonly isOpen: boolean;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
    close(): void;
  }

  export function openPromise(
    file: string,
    options: { readonly lazyEntries: true; readonly autoClose: false; readonly validateEntrySize: true; readonly strictFileNames: false },
  ): Promise<ZipFile>;
}
