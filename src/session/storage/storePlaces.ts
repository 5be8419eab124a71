/** Where things are in the store of all windows. */
import path from 'node:path';

/** Has a folder for each folder that sessions work in, with the files of its sessions. @param root of the store; absolute */
export function foldersIn(root: string): string {
  return path.join(root, 'folders');
}
