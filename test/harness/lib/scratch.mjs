// The folder for the tests' temporary folders: in memory, if there is enough.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd } from './proc.mjs';

/** The memory that a whole run needs for its files and programs: measured, and doubled. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/**
 * Creates a folder in memory for `TMPDIR`; it is deleted when this process ends. Git and VS Code flush files to the disk, and on a machine
 * with slow or busy disks a flush takes most of a test's time.
 * @returns the folder's absolute path; undefined if there is no such file system, too little memory, or no program may run from it.
 */
export function memoryFolder() {
  if (process.platform !== 'linux') return undefined;
  let folder;
  try {
    const available = Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) * 1024;
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (Math.min(available, bavail * bsize) < ENOUGH_BYTES) return undefined;
    folder = mkdtempSync('/dev/shm/acp-host-');
    const program = join(folder, 'runs');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
