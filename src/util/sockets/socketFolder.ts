/** Folders for the sockets of Unix. Their paths must be short, and the usual folder for temporary files may be long, or have blanks in its name. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Characters of a socket's path. Systems allow 104 and more. */
export const MAX_SOCKET_PATH = 100;
/** The characters that `mkdtemp` adds, and a short name in the folder. */
const ADDED = 'XXXXXX/s';

/**
 * Makes a folder that only this user can enter: in the folder for temporary files, in the one of the user's running programs, or in `/tmp`.
 *
 * @param isUsable false for a path that a socket cannot have. The default knows the length alone.
 */
export async function makeSocketFolder(prefix: string, isUsable: (path: string) => boolean = () => true): Promise<string> {
  const parents = [tmpdir(), process.env['XDG_RUNTIME_DIR'] ?? '', '/tmp'].filter((parent) => path.isAbsolute(parent));
  const fits = (parent: string): boolean => {
    const longest = path.join(parent, prefix + ADDED);
    return longest.length <= MAX_SOCKET_PATH && isUsable(longest);
  };
  let failed: unknown;
  for (const parent of parents.filter(fits)) {
    try {
      return await mkdtemp(path.join(parent, prefix));
    } catch (error) {
      failed ??= error;
    }
  }
  throw failed ?? new Error('There is no folder whose path is short enough for a socket.');
}
