/** Where an open file is. */
import type { FileHandle } from 'node:fs/promises';
import type { DiskSystem } from './diskSystem';

/** True when the open file or folder is the one at `path`, a real path. */
export async function isAt(
  file: FileHandle,
  path: string,
  system: Pick<DiskSystem, 'platform' | 'readlink' | 'realpath' | 'lstat'>,
): Promise<boolean> {
  if (system.platform === 'linux') {
    // The system itself reports where the handle is, so that no change of the path can affect it.
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

/** The path leads elsewhere than a moment ago, when it was a real path. */
export function hasLeft(path: string): Error {
  return Object.assign(new Error(`The path leads elsewhere than a moment ago: ${path}`), { code: 'ESTALE' });
}

/** Volumes that ignore case, or how characters are composed, have several names for one place. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || fold(a) === fold(b);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
