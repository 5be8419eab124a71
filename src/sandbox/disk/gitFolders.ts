/** The folders of Git that a session needs, and the files in them that name programs. */
import { readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { COMMON } from './gitHolds';

export interface GitFolders {
  /** Folders outside the root that commits are written to. */
  readonly write: readonly string[];
  /** Files and folders that decide which programs Git runs. */
  readonly readOnly: readonly string[];
  /** The folders in the root that contain such a folder. A rename would put another one in its place. */
  readonly fixed: readonly string[];
}

/** Files of a repository that name programs, or attributes that choose them. */
const PROGRAMS = ['hooks', 'config', 'config.worktree', COMMON, 'info/attributes'];
/** The maximum number of submodules and worktrees whose files are protected. */
const MAX_NESTED = 100;

/** Returns the folders of the repository at `root`, a real path. */
export async function gitFoldersOf(root: string): Promise<GitFolders> {
  const dotGit = path.join(root, '.git');
  const pointer = await readFile(dotGit, 'utf8').catch(() => undefined);
  if (pointer === undefined) {
    const named = await namedIn(dotGit, root);
    return { write: [], readOnly: [...(await programsIn(dotGit)), ...named], fixed: parentsOf(named, root) };
  }
  // The file of a worktree. An agent could have written it in an earlier session, so Git's folder must name this worktree in return.
  const named = /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  const own = named && (await realpath(path.resolve(root, named)).catch(() => undefined));
  const back = own && (await readFile(path.join(own, 'gitdir'), 'utf8').catch(() => undefined));
  const isMutual = back !== undefined && (await realpath(back.trim()).catch(() => undefined)) === (await realpath(dotGit));
  if (!own || !isMutual || path.basename(path.dirname(own)) !== 'worktrees') {
    return { write: [], readOnly: [dotGit], fixed: [] };
  }
  const common = path.dirname(path.dirname(own));
  const inRoot = await namedIn(common, root);
  return { write: [common], readOnly: [dotGit, ...(await programsIn(common)), ...inRoot], fixed: parentsOf(inRoot, root) };
}

function parentsOf(files: readonly string[], root: string): readonly string[] {
  return files.flatMap((file) => {
    const names = path.relative(root, file).split(path.sep).slice(0, -1);
    return names.map((_, at) => path.join(root, ...names.slice(0, at + 1)));
  });
}

/** Returns Git's own folders that a session may write: those of its repositories, and of their submodules. */
export async function gitFolders(roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    roots.map(async (root) => {
      const real = await realpath(root).catch(() => root);
      const { write } = await gitFoldersOf(real);
      const own = [path.join(real, '.git'), ...write];
      return [...own, ...(await Promise.all(own.map((each) => nestedIn(each, 'modules')))).flat()];
    }),
  );
  return found.flat();
}

/** Returns the folder for hooks and the further files that the configuration names, where they are in the session's folder. */
async function namedIn(folder: string, root: string): Promise<readonly string[]> {
  const config = await readFile(path.join(folder, 'config'), 'utf8').catch(() => '');
  const settings = /^[ \t]*(?:\[[^\]\r\n]*\][ \t]*)?(hooksPath|path)[ \t]*=[ \t]*"?([^"#;\r\n]+?)"?[ \t]*(?:[#;].*)?$/gim;
  return [...config.matchAll(settings)]
    .map(([, name = '', value = '']) => path.resolve(name.toLowerCase() === 'path' ? folder : root, value))
    .filter((each) => each.startsWith(`${root}/`));
}

async function programsIn(folder: string): Promise<readonly string[]> {
  const nested = await Promise.all(['modules', 'worktrees'].map((name) => nestedIn(folder, name)));
  return [folder, ...nested.flat()].flatMap((each) => PROGRAMS.map((name) => path.join(each, name)));
}

async function nestedIn(folder: string, name: string): Promise<readonly string[]> {
  const names = await readdir(path.join(folder, name)).catch(() => []);
  return names.slice(0, MAX_NESTED).map((each) => path.join(folder, name, each));
}
