/** Compares folders by their names. `util/roots.ts` compares real paths. Pure. */
import path from 'node:path';

/** True when both paths name the same folder. False for a path that is not absolute. */
export function isSameFolder(a: string, b: string): boolean {
  return path.isAbsolute(a) && path.isAbsolute(b) && path.relative(a, b) === '';
}

/** True when `folder` is `root` or inside it. @param names the path syntax of both */
export function holds(root: string, folder: string, names: path.PlatformPath = path): boolean {
  const relative = names.relative(root, folder);
  return names.isAbsolute(folder) && relative !== '..' && !relative.startsWith(`..${names.sep}`) && !names.isAbsolute(relative);
}
