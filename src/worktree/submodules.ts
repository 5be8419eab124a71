/** Submodules of a worktree: each worktree has its own, and Git fills them only when it is told to. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, failureOf } from '../core/model/failure';
import type { Git, GitOptions } from '../util/git';

/** Names and paths in this tree's `.gitmodules`. */
export async function submodulesOf(git: Git, folder: string): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const there = await stat(path.join(folder, '.gitmodules')).catch(() => undefined);
  if (!there?.isFile()) {
    return [];
  }
  const parts = await git.parts(folder, ['config', '--file', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$'], {
    codes: [1],
  });
  return parts.flatMap((part) => {
    const [key, ...value] = part.split('\n');
    const name = key?.match(/^submodule\.(.*)\.path$/)?.[1];
    return name === undefined ? [] : [{ name, path: value.join('\n') }];
  });
}

/**
 * Fills those that the main tree has filled, from the main tree's own copies where they have the commit, so that neither network nor credentials are
 * needed. What could not be filled is told.
 */
export async function updateSubmodules(
  git: Git,
  { root, gitFolder }: { readonly root: string; readonly gitFolder: string },
  folder: string,
  options: GitOptions,
): Promise<readonly Failure[]> {
  const problems: Failure[] = [];
  for (const { name, path: inside } of await submodulesOf(git, folder)) {
    const inMain = await stat(path.join(root, inside, '.git')).catch(() => undefined);
    if (!inMain) {
      continue; // The user does without it.
    }
    const update = ['submodule', 'update', '--init', '--', inside];
    const copy = path.join(gitFolder, 'modules', name);
    const isCopied = (await stat(copy).catch(() => undefined))?.isDirectory() === true;
    try {
      if (isCopied) {
        const local = ['-c', `submodule.${name}.url=${copy}`, '-c', 'protocol.file.allow=always'];
        await git.run(folder, [...local, ...update], options).catch(() => git.run(folder, update, options));
        const address = await git.text(root, ['config', '--get', `submodule.${name}.url`], { codes: [1] });
        if (address !== '') {
          await git.run(path.join(folder, inside), ['remote', 'set-url', 'origin', address]);
        }
      } else {
        await git.run(folder, update, options);
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
