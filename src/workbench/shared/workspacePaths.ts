/** Which folder lies in which, as far as their names tell; real paths are `util/roots.ts`'s matter. Pure. */
import path from 'node:path';

/** True when both name the same folder. What is not absolute names none. */
export function isSameFolder(a: string, b: string): boolean {
  return path.isAbsolute(a) && path.isAbsolute(b) && path.relative(a, b) === '';
}

/** True when `folder` is `root` or lies in it. `names`: how the system of both writes paths. */
export function holds(root: string, folder: string, names: path.PlatformPath = path): boolean {
  const relative = names.relative(root, folder);
  return names.isAbsolute(folder) && relative !== '..' && !relative.startsWith(`..${names.sep}`) && !names.isAbsolute(relative);
}
