/** The private folders of sandboxes, which are removed with their sandbox, or when this process exits. */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The name of the unreadable folder in a private folder. It is made readable before it is removed. */
export const UNREADABLE = 'unreadable';

/** The start of their names. */
export const PREFIX = 'acp-host-sandbox-';

const folders = new Set<string>();
let isListening = false;

/** Removes the folder when this process exits. */
export function keepFolder(folder: string): void {
  folders.add(folder);
  if (!isListening) {
    isListening = true;
    process.on('exit', () => folders.forEach(removeNow));
  }
}

/** True when another process has a sandbox, or has left its folder behind. */
export function areOthersRunning(): boolean {
  const own = [...folders].map((folder) => path.basename(folder));
  return readdirSync(tmpdir()).some((name) => name.startsWith(PREFIX) && !own.includes(name));
}

export async function removeFolder(folder: string): Promise<void> {
  await chmod(path.join(folder, UNREADABLE), 0o700).catch(() => undefined);
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  folders.delete(folder);
}

function removeNow(folder: string): void {
  try {
    chmodSync(path.join(folder, UNREADABLE), 0o700);
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The system removes old temporary folders.
  }
}
