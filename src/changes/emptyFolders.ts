/** Removes folders that are left without a file. A failure leaves the empty folder. */
import path from 'node:path';
import type { DiskFiles } from './disk/diskFiles';
import type { FileStates } from './turns/fileStates';

/** The most folders within a folder that are read before it counts as not empty. */
const MAX_FOLDERS = 100;

/** Removes the folder and those above it as long as they are empty and were created at `since` (ms since the epoch) or later. */
export async function removeEmptyFolders(
  { states: { files }, contains }: { readonly states: FileStates; contains(path: string): Promise<boolean> },
  folder: string,
  since: number,
): Promise<void> {
  try {
    for (let here = folder; here !== path.dirname(here) && (await contains(here)); here = path.dirname(here)) {
      const stat = await files.stat(here);
      if (stat && (stat.kind !== 'folder' || stat.birthtimeMs < since || (await files.list(here)).length > 0)) {
        return;
      }
      await (stat && files.removeEmptyFolder(here));
    }
  } catch {
    // An empty folder does no harm.
  }
}

/** Removes a folder that has no files, only folders without files. */
export async function removeEmptyTree(files: DiskFiles, folder: string): Promise<void> {
  const folders = [folder];
  for (let at = 0; at < folders.length; at++) {
    const entries = await files.list(folders[at]!);
    if (entries.some(({ kind }) => kind !== 'folder') || folders.length + entries.length > MAX_FOLDERS) {
      return;
    }
    folders.push(...entries.map(({ name }) => path.join(folders[at]!, name)));
  }
  for (const each of folders.reverse()) {
    await files.removeEmptyFolder(each);
  }
}
