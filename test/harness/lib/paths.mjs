// Paths. All output of a run goes to test-results/, and large files to a cache outside the clone.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the repository. */
export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Screenshots, logs and JSON summaries of the last run; ignored by git. */
export const results = join(root, 'test-results');

/** The file that `npm run package` writes. */
export const vsix = join(root, 'acp-host.vsix');

/** A small, realistic project in which sessions are tried. It is copied before use. */
export const sampleWorkspace = join(root, 'test', 'fixtures', 'workspace');

/** The absolute path of the folder with VS Code server builds: `$ACP_HOST_CACHE`, or `~/.cache/acp-host`. */
export function cacheDir() {
  return process.env.ACP_HOST_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'acp-host');
}
