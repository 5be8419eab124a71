/**
 * The git program for questions about repositories: the one from the user's settings, or else from the PATH, but never one that a project
 * contains.
 */
import { homedir } from 'node:os';
import { findExecutable } from '../../util/executable';
import { Git } from '../../util/git';
import { readUserValue } from '../settings/agentSettings';
import { isRestricted } from '../trust/restrictedMode';

export function windowGit(): Git {
  return new Git(process.env, findGitProgram);
}

/** Resolves to undefined when there is none. Also in Restricted Mode, because a repository's own configuration may name programs that Git runs. */
export async function findGitProgram(): Promise<string | undefined> {
  if (isRestricted()) {
    return undefined;
  }
  const { value } = readUserValue('git.path');
  for (const command of [value, 'git'].flat() as readonly unknown[]) {
    const found =
      typeof command === 'string' && command !== ''
        ? await findExecutable(command, { cwd: homedir(), environment: process.env })
        : undefined;
    if (found?.executable) {
      return found.file;
    }
  }
  return undefined;
}
