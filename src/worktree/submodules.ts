/** The submodules of a worktree. Each worktree has its own copies, and Git fills them only on request. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, failureOf } from '../core/model/failure';
import { type Git, type GitOptions, LIST_SUBMODULES } from '../util/git';
import { configuration, NO_BUNDLES, Reader } from './reader';
import { isPlainPath, isRealFolder, isRepository } from './realFolders';
import { gitlinks } from './status';

interface NamedSubmodule {
  readonly name: string;
  readonly path: string;
}

/** The names and paths in this tree's `.gitmodules`, not validated. @throws Fault */
async function submodulesOf(reader: Reader): Promise<readonly NamedSubmodule[]> {
  const file = await lstat(path.join(reader.folder, '.gitmodules')).catch(() => undefined);
  if (!file?.isFile()) {
    return [];
  }
  const parts = await reader.parts(LIST_SUBMODULES, { codes: [1] });
  return parts.flatMap((part) => {
    const [key, ...value] = part.split('\n');
    const name = key?.match(/^submodule\.(.*)\.path$/)?.[1];
    return name === undefined ? [] : [{ name, path: value.join('\n') }];
  });
}

/** A submodule, or another repository whose commit the index names, with a repository of its own in the folder. */
export interface FilledSubmodule {
  /** Relative to the top of the worktree, with slashes. */
  readonly path: string;
  /** Absolute. */
  readonly folder: string;
}

/** The filled submodules of a working tree, at each depth, outer ones first. @throws Fault */
export async function filledSubmodules(git: Git, folder: string, above = ''): Promise<readonly FilledSubmodule[]> {
  const found: FilledSubmodule[] = [];
  for (const inside of await gitlinks(await Reader.in(git, folder))) {
    if (await isRepository(folder, inside)) {
      const filled = { path: above + inside, folder: path.join(folder, inside) };
      found.push(filled, ...(await filledSubmodules(git, filled.folder, `${filled.path}/`)));
    }
  }
  return found;
}

/**
 * Fills the submodules that the main tree has filled, from the main tree's own copies, so that neither network nor credentials are needed.
 * Returns a problem for each submodule that could not be filled or whose name or path is unsafe.
 */
export async function updateSubmodules(
  git: Git,
  { root, gitFolder }: { readonly root: string; readonly gitFolder: string },
  folder: string,
  options: GitOptions,
): Promise<readonly Failure[]> {
  const problems: Failure[] = [];
  const reader = await Reader.in(git, folder);
  const submodules = await submodulesOf(reader);
  const links = new Set(submodules.length > 0 ? await gitlinks(reader) : []);
  for (const submodule of submodules) {
    const { name, path: inside } = submodule;
    // It is unclear which of two names for one path Git uses.
    const isOnly = submodules.every((other) => other === submodule || other.path !== inside);
    const isSafe = isPlainPath(name) && isPlainPath(inside) && isOnly;
    if (isSafe && !(await isRepository(root, inside))) {
      continue; // The user does not use this submodule.
    }
    if (!isSafe || !links.has(inside) || !(await isRealFolder(folder, inside))) {
      problems.push({ code: 'worktree.unsafe_submodule', params: { path: inside } });
      continue;
    }
    const copy = (await isRealFolder(gitFolder, `modules/${name}`)) ? path.join(gitFolder, 'modules', name) : path.join(root, inside);
    try {
      await fill(git, folder, submodule, copy, options);
      const address = await (await Reader.in(git, root)).text(['config', '--get', `submodule.${name}.url`], { codes: [1] });
      if (address !== '' && !address.startsWith('-') && !address.includes('\n')) {
        await git.run(path.join(folder, inside), ['remote', 'set-url', 'origin', address]);
      }
    } catch (error) {
      const { code, detail } = failureOf(error);
      if (code === 'request.cancelled') {
        throw error;
      }
      problems.push({ code: 'worktree.submodule', params: { path: inside }, ...(detail !== undefined && { detail }) });
    }
  }
  return problems;
}

/** Clones one submodule from `copy`, a folder on this disk. No other transport is allowed, whatever the configuration contains. */
async function fill(git: Git, folder: string, { name, path: inside }: NamedSubmodule, copy: string, options: GitOptions): Promise<void> {
  const env = {
    ...configuration([
      [`submodule.${name}.url`, copy],
      [`submodule.${name}.update`, 'checkout'],
      ['core.hooksPath', '/dev/null'],
      ['core.fsmonitor', 'false'],
      ...NO_BUNDLES,
      ['protocol.allow', 'never'],
      ['protocol.file.allow', 'always'],
    ]),
    GIT_ALLOW_PROTOCOL: 'file',
  };
  await git.run(folder, ['--literal-pathspecs', 'submodule', 'update', '--init', '--', inside], { ...options, env });
}
