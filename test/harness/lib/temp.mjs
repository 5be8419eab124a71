// Folders that are gone when the run is.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleWorkspace } from './paths.mjs';
import { onEnd } from './proc.mjs';

/** Absolute real path of a new temporary folder, removed at the end of the run. */
export function tempDir(name) {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), `acp-host-${name}-`));
  onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return dir;
}

/** A fresh copy of the sample workspace in a temporary folder. */
export function copyWorkspace() {
  const dir = join(tempDir('workspace'), 'till');
  cpSync(sampleWorkspace, dir, { recursive: true });
  return dir;
}
