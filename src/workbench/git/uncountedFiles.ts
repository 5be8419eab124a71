/** Counts pending files for the badge of the Source Control view, which adds up the counts of all source controls. Pure. */
import type { GitChange, RepositoryState } from './gitExtension';

/** `git.countBadge`: the files that Git's own count has. */
export type GitCountBadge = 'all' | 'tracked' | 'off';
type ChangeLists = Pick<RepositoryState, 'mergeChanges' | 'indexChanges' | 'workingTreeChanges' | 'untrackedChanges'>;

const UNTRACKED = 7;

/** The paths that Git counts. */
export function countedByGit(repositories: readonly ChangeLists[], badge: GitCountBadge): ReadonlySet<string> {
  if (badge === 'off') {
    return new Set();
  }
  const isCounted = ({ status }: GitChange): boolean => badge === 'all' || status !== UNTRACKED;
  const changes = repositories.flatMap(({ mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] }) =>
    [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...(badge === 'all' ? untrackedChanges : [])].filter(isCounted),
  );
  return new Set(changes.map(({ uri }) => uri.fsPath));
}

/**
 * The number of pending files that Git does not count, each once.
 * @param files the names of each pending file: its real path first, and the path by which the window knows it
 */
export function uncountedFiles(files: readonly (readonly [real: string, name: string])[], counted: ReadonlySet<string>): number {
  return new Set(files.filter((names) => !names.some((name) => counted.has(name))).map(([real]) => real)).size;
}
