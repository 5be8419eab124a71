// Where things are. Everything a run leaves behind goes to test-results/, everything large to a cache outside the clone.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository. */
export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Screenshots, logs and JSON summaries of the last run; ignored by git. */
export const results = join(root, 'test-results');

/** What `npm run package` writes. */
export const vsix = join(root, 'acp-host.vsix');

/** Small, believable project that sessions are tried on. Copied before use, never used in place. */
export const sampleWorkspace = join(root, 'test', 'fixtures', 'workspace');

/** Absolute path of the folder that holds VS Code server builds: `$ACP_HOST_CACHE`, else `~/.cache/acp-host`. */
export function cacheDir() {
  return process.env.ACP_HOST_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'acp-host');
}
