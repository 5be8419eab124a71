/** Paths in the store of all windows. */
import path from 'node:path';

/** The directory that has a subdirectory for each working folder, with the files of its sessions. @param root of the store; absolute */
export function foldersIn(root: string): string {
  return path.join(root, 'folders');
}
