/**
 * The folder that rules for a folder are stored under: the repository, so that its worktrees share them, or else the folder itself. Git's files are read
 * directly, because a folder must not get the rules of another repository by claiming to be its worktree.
 */
import { lstat, readFile, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** The maximum size in bytes of a `.git` file. */
const MAX_SIZE = 4096;

/** Resolves to the real path of the repository's main folder, or of `folder` when it is in none. Never rejects. */
export async function repositoryOf(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => path.normalize(folder));
  // A repository of the user's settings contains all their other folders, which a rule for “this folder” is not about.
  const home = await realpath(os.homedir()).catch(() => os.homedir());
  for (let at = real, below = ''; at !== below && !holdsIn(at, home, ''); below = at, at = path.dirname(at)) {
    const git = path.join(at, '.git');
    const found = await lstat(git).catch(() => undefined);
    if (found?.isDirectory() && (await lstat(path.join(git, 'HEAD')).catch(() => undefined))) {
      return at;
    }
    if (found?.isFile() && found.size <= MAX_SIZE) {
      return (await mainFolderOf(at, git).catch(() => undefined)) ?? at;
    }
  }
  return real;
}

/** Returns the main folder of the repository whose worktree `folder` is. Undefined unless the repository itself lists that worktree. */
async function mainFolderOf(folder: string, git: string): Promise<string | undefined> {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(await readFile(git, 'utf8'))?.[1];
  if (named === undefined) {
    return undefined;
  }
  const directory = await realpath(path.resolve(folder, named));
  const worktrees = path.dirname(directory);
  const common = path.dirname(worktrees);
  if (path.basename(worktrees) !== 'worktrees' || path.basename(common) !== '.git') {
    return undefined;
  }
  const back = (await readFile(path.join(directory, 'gitdir'), 'utf8')).trim();
  const isListed = (await realpath(path.resolve(directory, back))) === (await realpath(git));
  return isListed ? path.dirname(common) : undefined;
}

/** True when a rule for `folder` holds in a session of `cwd`. @param cwd its real path @param repository see {@link repositoryOf} */
export function holdsIn(folder: string, cwd: string, repository: string): boolean {
  const wanted = path.normalize(folder).replace(/(.)[\\/]+$/, '$1');
  const inside = path.relative(wanted, cwd);
  return repository === wanted || inside === '' || (inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside));
}
