/** Which folder lies in which, as far as their names tell; real paths are `util/roots.ts`'s matter. Pure. */
import path from 'node:path';
import type { Roots } from '../core/ports';

/** True when both name the same folder. What is not absolute names none. */
export function isSameFolder(a: string, b: string): boolean {
  return path.isAbsolute(a) && path.isAbsolute(b) && path.relative(a, b) === '';
}

/** Those of a session's folders that lie in none of `folders`. */
export function foldersOutside({ cwd, additionalDirectories }: Roots, folders: readonly string[]): string[] {
  return [cwd, ...additionalDirectories].filter((folder) => !folders.some((root) => holds(root, folder)));
}

function holds(root: string, folder: string): boolean {
  const relative = path.relative(root, folder);
  return path.isAbsolute(folder) && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
