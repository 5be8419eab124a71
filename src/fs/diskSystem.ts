import type nodeFiles from 'node:fs/promises';

/** What `DiskBytes` asks the system; tests put themselves in between. */
export interface DiskSystem extends Pick<typeof nodeFiles, 'lstat' | 'mkdir' | 'open' | 'readlink' | 'realpath' | 'unlink'> {
  readonly platform: NodeJS.Platform;
}
