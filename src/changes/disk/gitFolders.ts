/** Recognizes the folders in which Git keeps its own data, so that no restored file ends up there. */
import path from 'node:path';
import { withoutIgnorable } from '../../text/characters/characters';

/** The entries that make a folder a repository, whatever its name is. */
const REPOSITORY = ['HEAD', 'objects', 'refs'];
/** The entries of a repository's folder that Git reads. A work tree inside a bare repository has another name. */
const OWN_NAMES = new Set(['hooks', 'info', 'objects', 'refs', 'logs', 'worktrees', 'modules', 'branches', 'lfs', 'rr-cache', 'reftable']);

/** True when a component of `file` is `.git` in a spelling that some file system accepts: case, short names, invisible characters, streams. */
export function isGitPath(file: string): boolean {
  return file.split(/[\\/]/).some((name) => isGitName(name));
}

function isGitName(name: string): boolean {
  // A component without any of these letters is not `.git`, which excludes most of them.
  if (!/g/i.test(name) && isAscii(name)) {
    return false;
  }
  const folded = withoutIgnorable(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  return folded === '.git' || /^git~\d+$/.test(folded) || /^gi[\da-f]{4}~\d+$/.test(folded);
}

/**
 * True when `file` is in the folder of a repository with another name than `.git`: directly, or below one of Git's own folders there. A file that
 * would complete such a folder counts as well.
 * @param exists true when something exists at a path
 */
export async function isInRepositoryFolder(file: string, exists: (path: string) => Promise<boolean>): Promise<boolean> {
  let below = path.basename(file);
  for (let [folder, isParent] = [path.dirname(file), true]; ; [folder, isParent] = [path.dirname(folder), false]) {
    if ((isParent || OWN_NAMES.has(below.toLowerCase())) && (await isRepositoryFolder(folder, below, exists))) {
      return true;
    }
    if (folder === path.dirname(folder)) {
      return false;
    }
    below = path.basename(folder);
  }
}

async function isRepositoryFolder(folder: string, below: string, exists: (path: string) => Promise<boolean>): Promise<boolean> {
  for (const name of REPOSITORY) {
    if (name.toLowerCase() !== below.toLowerCase() && !(await exists(path.join(folder, name)))) {
      return false;
    }
  }
  return true;
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text);
}
