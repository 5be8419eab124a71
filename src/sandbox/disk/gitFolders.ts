/** The folders of Git that a session needs, and the files in them that name programs. */
import { readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

export interface GitFolders {
  /** Folders outside the root that commits are written to. */
  readonly write: readonly string[];
  /** Files and folders that decide which programs Git runs. */
  readonly readOnly: readonly string[];
}

/** Files of a repository that name programs, or attributes that choose them. */
const PROGRAMS = ['hooks', 'config', 'config.worktree', 'info/attributes'];
/** The maximum number of submodules and worktrees whose files are protected. */
const MAX_NESTED = 100;

/** Returns the folders of the repository at `root`, a real path. */
export async function gitFoldersOf(root: string): Promise<GitFolders> {
  const dotGit = path.join(root, '.git');
  const pointer = await readFile(dotGit, 'utf8').catch(() => undefined);
  if (pointer === undefined) {
    return { write: [], readOnly: await programsIn(dotGit) };
  }
  // The file of a worktree. An agent could have written it in an earlier session, so Git's folder must name this worktree in return.
  const named = /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  const own = named && (await realpath(path.resolve(root, named)).catch(() => undefined));
  const back = own && (await readFile(path.join(own, 'gitdir'), 'utf8').catch(() => undefined));
  const isMutual = back !== undefined && (await realpath(back.trim()).catch(() => undefined)) === (await realpath(dotGit));
  if (!own || !isMutual || path.basename(path.dirname(own)) !== 'worktrees') {
    return { write: [], readOnly: [dotGit] };
  }
  const common = path.dirname(path.dirname(own));
  return { write: [common], readOnly: [dotGit, ...(await programsIn(common))] };
}

async function programsIn(folder: string): Promise<readonly string[]> {
  const nested = await Promise.all(
    ['modules', 'worktrees'].map(async (name) => {
      const names = await readdir(path.join(folder, name)).catch(() => []);
      return names.slice(0, MAX_NESTED).map((each) => path.join(folder, name, each));
    }),
  );
  return [folder, ...nested.flat()].flatMap((each) => PROGRAMS.map((name) => path.join(each, name)));
}
