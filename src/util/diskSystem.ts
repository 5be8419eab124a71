import type nodeFiles from 'node:fs/promises';

/** The system calls of `DiskBytes`. Tests replace them. */
export interface DiskSystem extends Pick<typeof nodeFiles, 'lstat' | 'mkdir' | 'open' | 'readlink' | 'realpath' | 'unlink'> {
  readonly platform: NodeJS.Platform;
}
