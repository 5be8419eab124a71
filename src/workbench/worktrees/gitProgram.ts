/** The git that is asked about repositories: the one of the user's settings, else that of the PATH, never one that a project brings. */
import { homedir } from 'node:os';
import { findExecutable } from '../../util/executable';
import { Git } from '../../util/git';
import { readUserValue } from '../agents/agentSettings';
import { isRestricted } from '../sessions/trust/restrictedMode';

export function windowGit(): Git {
  return new Git(process.env, findGitProgram);
}

/** Undefined when there is none, and in Restricted Mode, because a repository's own configuration may name programs that Git runs. */
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
