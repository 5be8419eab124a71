/** The location of an open file. */
import type { FileHandle } from 'node:fs/promises';
import type { DiskSystem } from './diskSystem';

/** True when the open file or folder is the one at `path`, a real path. */
export async function isAt(
  file: FileHandle,
  path: string,
  system: Pick<DiskSystem, 'platform' | 'readlink' | 'realpath' | 'lstat'>,
): Promise<boolean> {
  if (system.platform === 'linux') {
    // The system itself reports where the handle is, so a change of the path cannot affect the result.
    const place = await system.readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
    if (place === path) {
      return true;
    }
    if (place !== undefined && !isSamePath(place, path)) {
      return false;
    }
  }
  try {
    const [held, there] = [await file.stat({ bigint: true }), await system.lstat(path, { bigint: true })];
    return held.ino === there.ino && held.dev === there.dev && isSamePath(await system.realpath(path), path);
  } catch {
    return false;
  }
}

/** Returns the error for a path that now leads to another file. */
export function hasLeft(path: string): Error {
  return Object.assign(new Error(`The path leads elsewhere than a moment ago: ${path}`), { code: 'ESTALE' });
}

/** Compares paths in the way of volumes that ignore case or the composition of characters, where one file has several names. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || caseFold(a) === caseFold(b);
}

/** True when an absolute path is the real one: the same text, on Windows also with other slashes or another case of the drive's letter. */
export function isSameName(real: string, given: string): boolean {
  const spelled = (path: string): string => path.replaceAll('/', '\\').replace(/^[a-z]:/, (drive) => drive.toUpperCase());
  return given === real || (/^(?:[A-Za-z]:\\|\\\\)/.test(real) && spelled(given) === spelled(real));
}

function caseFold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
