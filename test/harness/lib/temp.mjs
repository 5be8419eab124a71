// Folders that are deleted at the end of the run.
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
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

/** The files in a folder, at any depth, that contain one of the texts; `matches` chooses by name. Files that vanish meanwhile have none. */
export function filesWith(dir, texts, matches = /./) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && matches.test(entry.name))
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => {
      try {
        const content = readFileSync(file);
        return texts.some((text) => content.includes(text));
      } catch (error) {
        if (error.code === 'ENOENT') return false;
        throw error;
      }
    });
}
