/** Distinguishes a commit from the other reasons for a new HEAD. */
import type { RunGit } from './git';

/** The newest lines of a reflog that are read. */
const MAX_MOVES = 200;

export interface HeadMove {
  /** Undefined when there was no commit yet. */
  readonly before: string | undefined;
  readonly now: string;
  /** True when the branch is the same. */
  readonly sameBranch: boolean;
}

/**
 * True when a commit was made, or amended, since HEAD was at `before`. False after a checkout of another branch, and for commits that came from
 * elsewhere by a pull, a rebase or a reset.
 */
export async function isCommitted(run: RunGit, top: string, move: HeadMove): Promise<boolean> {
  const reasons = await reasonsOf(run, top, move);
  return reasons ? reasons.some((reason) => /^commit\b/.test(reason)) : isChildOf(run, top, move);
}

/** Returns the reflog's reason of each move of HEAD in between, newest first; undefined without a reflog. */
async function reasonsOf(run: RunGit, top: string, { before, now }: HeadMove): Promise<readonly string[] | undefined> {
  const output = await run(top, [
    'log',
    '--walk-reflogs',
    '--no-show-signature',
    `--max-count=${MAX_MOVES}`,
    '--format=%H %gs',
    'HEAD',
    '--',
  ]);
  const moves = (output?.toString().split('\n') ?? []).filter(Boolean).map((line) => {
    const [commit, ...words] = line.split(' ');
    return { commit, reason: words.join(' ') };
  });
  const from = moves.findIndex(({ commit }) => commit === now);
  if (from < 0) {
    return undefined;
  }
  const to = moves.findIndex(({ commit }, index) => index > from && commit === before);
  return moves.slice(from, to < 0 ? (before === undefined ? undefined : from + 1) : to).map(({ reason }) => reason);
}

/** Without a reflog, the successor of the last commit of a branch counts as committed to it. */
async function isChildOf(run: RunGit, top: string, { before, now, sameBranch }: HeadMove): Promise<boolean> {
  const parents = (await run(top, ['rev-list', '--parents', '-n', '1', now]))?.toString().trim().split(' ').slice(1);
  return sameBranch && parents !== undefined && (before === undefined ? parents.length === 0 : parents[0] === before);
}
