/** Finds the file that a prompt is about. Only names are read here; the client reads contents. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs|c|cc|cpp|h|hpp|swift|php|lua|scala|dart|vue|svelte)$/i;
const README = /^readme(?:\.(?:md|markdown|txt|rst))?$/i;
const NOT_OURS = /^(?:\..*|node_modules|dist|out|build|target|vendor|coverage|__pycache__|venv)$/;
/** Enough for a project's upper folders. A home folder must not be searched completely. */
const MAX_ENTRIES = 500;
const MAX_DEPTH = 2;

/**
 * Returns an absolute path, or undefined when `cwd` has no suitable file.
 * @param given a path or file URI from the prompt
 * @param prefer the kind of file to find without one
 */
export async function findTarget(cwd: string, given: string | undefined, prefer: 'source' | 'readme'): Promise<string | undefined> {
  if (given?.startsWith('file:')) {
    return fileURLToPath(new URL(given.replace(/[?#].*$/, '')));
  }
  if (given !== undefined) {
    return path.resolve(cwd, given);
  }
  const found = await listFiles(cwd);
  const source = found.find((file) => SOURCE.test(file) && !/\.(?:test|spec|config|d)\.\w+$/i.test(file));
  const readme = found.find((file) => README.test(path.basename(file)));
  return prefer === 'source' ? (source ?? readme) : (readme ?? source);
}

/** Returns the files of the upper folders, the top first, sorted by name. */
async function listFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  let level = [root];
  for (let depth = 0, seen = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (++seen > MAX_ENTRIES) {
          return files;
        }
        if (NOT_OURS.test(entry.name)) {
          continue;
        }
        if (entry.isDirectory()) {
          next.push(path.join(folder, entry.name));
        } else if (entry.isFile()) {
          files.push(path.join(folder, entry.name));
        }
      }
    }
    level = next;
  }
  return files;
}
