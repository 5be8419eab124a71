// Folders that are deleted at the end of the run.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleWorkspace } from './paths.mjs';
import { onEnd } from './proc.mjs';

/** Creates a temporary folder that is deleted at the end of the run; returns its absolute real path. */
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
