/** Replaces the content of an open file and keeps its inode, for files with several names. */
import type { FileHandle } from 'node:fs/promises';
import { coded } from './heldFolder';

/**
 * Returns the permissions of a file that is written again. Git knows only whether a file is executable, so nothing else of its two modes counts.
 * Another mode was read from a disk: the file gets no permission beyond those of `wanted`, so that a private file is private again. No read or write
 * permission is added.
 */
export function modeFor(present: number, wanted: number): number {
  const mode = withExecutableOf(present, wanted);
  return isGitMode(wanted) ? mode : mode & (wanted | ~0o777);
}

/** True for the modes with which git records files, whatever their permissions on the disk were. */
export function isGitMode(mode: number): boolean {
  return mode === 0o644 || mode === 0o755;
}

/**
 * Returns the permissions of a file from its mode in git's index. Windows has no permission to execute: a file in its folder never has it, and it
 * cannot be restored.
 */
export function fromGitMode(mode: number, platform: NodeJS.Platform = process.platform): number {
  return platform === 'win32' ? 0o644 : mode & 0o777;
}

function withExecutableOf(present: number, wanted: number): number {
  const isExecutable = (mode: number): boolean => (mode & 0o100) !== 0;
  if (isExecutable(present) === isExecutable(wanted)) {
    return present;
  }
  // Git records 755 for every executable file. Users without permission to read the file get none to execute it.
  const bits = wanted === 0o755 ? 0o100 | ((present & 0o444) >> 2) : wanted & 0o111;
  return (present & ~0o111) | bits;
}

/**
 * Writes the bytes over the old content. The part beyond the old end is written first, so that a full disk leaves the old content. Any other failure
 * puts the old content back.
 * @throws ETORN when that fails too: the file is a mixture of both contents
 */
export async function replaceInPlace(
  handle: FileHandle,
  old: { readonly size: number; readonly mode: number },
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  const before = await contentOf(handle, old.size);
  let wasChanged = false;
  try {
    if (bytes.length > before.length) {
      wasChanged = true;
      await writeAll(handle, bytes, before.length);
      await handle.sync();
    }
    wasChanged = true;
    await writeAll(handle, bytes.subarray(0, before.length), 0);
    await handle.chmod(mode);
    await handle.sync();
    // Last, because only this call frees space that restoring the old content would need.
    if (bytes.length < before.length) {
      await handle.truncate(bytes.length);
      await handle.sync();
    }
  } catch (error) {
    await (wasChanged && putBack(handle, before, old.mode));
    throw error;
  }
}

async function putBack(handle: FileHandle, before: Uint8Array, mode: number): Promise<void> {
  try {
    await handle.truncate(before.length);
    await writeAll(handle, before, 0);
    await handle.chmod(mode);
    await handle.sync();
  } catch {
    throw coded('ETORN', '', 'neither the new nor the old content could be written');
  }
}

async function contentOf(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at);
    if (bytesRead === 0) {
      throw coded('ECHANGED', '', 'the file became shorter');
    }
    at += bytesRead;
  }
  return bytes;
}

/** Writes all bytes from `from` on, at the same offset of the file. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let at = from; at < bytes.length; ) {
    at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
}

/**
 * True when `content` may be the result of an interrupted write of `after` over `before`: by {@link replaceInPlace} with `isInPlace`, or by a program
 * that empties the file first. The first case needs evidence of its own, because the user can have typed such a mixture.
 */
export function isTorn(content: Uint8Array, before: Uint8Array, after: Uint8Array, isInPlace: boolean): boolean {
  if (content.length <= after.length && Buffer.compare(content, after.subarray(0, content.length)) === 0) {
    return true;
  }
  if (!isInPlace || content.length < Math.min(before.length, after.length) || content.length > Math.max(before.length, after.length)) {
    return false;
  }
  // The system writes pages in any order. Unwritten pages beyond the old end read as zero.
  return content.every(
    (byte, index) => byte === after[index] || byte === before[index] || (byte === 0 && index >= before.length && index < after.length),
  );
}
