/** Files that VS Code can save. */
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';

/** False for a read-only file. VS Code writes no file without a write permission, even where the system would allow it. */
export async function isWritable(real: string): Promise<boolean> {
  try {
    await access(real, constants.W_OK);
    return ((await lstat(real)).mode & 0o222) !== 0;
  } catch {
    return false;
  }
}
