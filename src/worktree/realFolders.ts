/** Checks for paths inside a working tree that no symbolic link leads out of. */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { hasControls } from '../text/characters/characters';

/** True when a submodule's name or path can't be mistaken for an option, a key, a pattern or a folder elsewhere. */
export function isPlainPath(name: string): boolean {
  return (
    name !== '' &&
    !/[=\\]/.test(name) &&
    !hasControls(name) &&
    !name.startsWith('-') &&
    !name.startsWith('/') &&
    !/^[A-Za-z]:/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/^\.git[. ]*$/i.test(part))
  );
}

/** True when each part of `inside` is a folder and not a link. @param inside relative, with slashes */
export async function isRealFolder(root: string, inside: string): Promise<boolean> {
  let at = root;
  for (const part of inside.split('/')) {
    at = path.join(at, part);
    const found = await lstat(at).catch(() => undefined);
    if (!found?.isDirectory()) {
      return false;
    }
  }
  return true;
}

/** True when the folder is the top of a repository. */
export async function isRepository(root: string, inside: string): Promise<boolean> {
  if (!(await isRealFolder(root, inside))) {
    return false;
  }
  const found = await lstat(path.join(root, inside, '.git')).catch(() => undefined);
  return found?.isDirectory() === true || found?.isFile() === true;
}

/** The file's own stats; undefined when it does not exist or its path leads through a symbolic link. @param inside relative, with slashes */
export async function lstatInside(root: string, inside: string): Promise<Stats | undefined> {
  const slash = inside.lastIndexOf('/');
  if (slash > 0 && !(await isRealFolder(root, inside.slice(0, slash)))) {
    return undefined;
  }
  return lstat(path.join(root, inside)).catch(() => undefined);
}

/** True when each existing folder above a path is a folder and not a link. @param inside relative, with slashes */
export async function isSafeParent(root: string, inside: string): Promise<boolean> {
  const parts = inside.split('/').slice(0, -1);
  for (let count = 1; count <= parts.length; count++) {
    const found = await lstat(path.join(root, ...parts.slice(0, count))).catch(() => undefined);
    if (!found) {
      return true;
    }
    if (!found.isDirectory()) {
      return false;
    }
  }
  return true;
}
