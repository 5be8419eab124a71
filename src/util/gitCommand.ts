/** How git is run here: only asked, never waiting for a lock, a key or a password, and nothing runs that a repository says should. */

/** In front of every command: a repository's own file system monitor is a program, and paths come as they are. */
export const GIT_ARGS: readonly string[] = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];

/** @param environment VS Code's own; no `GIT_*` of it counts, since they would name another repository */
export function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name)));
  return { ...own, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1', LC_ALL: 'C' };
}
