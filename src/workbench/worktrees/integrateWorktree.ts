/** Applies or merges a worktree, after the necessary questions. */
import path from 'node:path';
import { failureOf } from '../../core/model/failure';
import { protectedFiles } from '../../policy/protection/protectedPaths';
import { ProtectedRules } from '../../policy/protection/protectedRules';
import { applyToMain, commitAll, type IntegrateOptions, mergeIntoMain } from '../../worktree/integrate';
import type { Repository, Worktree } from '../../worktree/worktrees';
import { readProtectedPaths } from '../settings/agentSettings';
import { joined, inertLine } from '../../application/shared/escape';
import { failureText } from '../../application/shared/failureText';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { saveFirst, type WorktreeContext } from './worktreeContext';
import { showConflicts } from './worktreeDiff';

const MAX_NAME = 100;
/** The maximum number of files in a question. */
const MAX_FILES = 20;

/** Applies the worktree's changes to the repository's working tree. @throws Fault */
export async function applyChanges(context: WorktreeContext, repository: Repository, worktree: Worktree): Promise<void> {
  if (!(await saveFirst(context, repository.root))) {
    return;
  }
  const applied = await comparing(context, repository, worktree, (options) =>
    context.progress(t('Applying changes'), () => applyToMain(context.worktrees, repository, worktree, options)),
  );
  if (!applied) {
    return;
  }
  const { files, submodules, nested, nestedLeft } = applied;
  const count = files.length;
  const done =
    count === 1
      ? t('Applied changes to 1 file. Nothing was committed.')
      : t('Applied changes to {count} files. Nothing was committed.', { count });
  const shown = (names: readonly string[]) => inertLine(names.join(', '), 200);
  const notes = [
    ...(nested.length > 0 ? [t('Copied repositories: {names}', { names: shown(nested) })] : []),
    ...(nestedLeft.length > 0 ? [t('Repositories that were not copied: {names}', { names: shown(nestedLeft) })] : []),
    ...(submodules.length > 0 ? [t('Submodules were left out: {submodules}', { submodules: shown(submodules) })] : []),
  ];
  const show = nestedLeft.length > 0 ? window.showWarningMessage : window.showInformationMessage;
  void show(joined([done, ...notes], ' '));
}

/** Merges the worktree's branch. @param title the commit message for uncommitted changes @throws Fault */
export async function mergeBranch(
  context: WorktreeContext,
  repository: Repository,
  worktree: Worktree,
  title: string | undefined,
): Promise<void> {
  const branch = inertLine(worktree.branch ?? '', MAX_NAME);
  if (!(await saveFirst(context, repository.root))) {
    return;
  }
  const changes = await context.worktrees.changes(repository, worktree);
  if (changes.isDirty) {
    const commit = t('Commit All and Merge');
    const detail = t('Only commits are merged. Commit everything in the worktree first?');
    const message = t('{branch} has uncommitted changes.', { branch });
    if ((await context.activity.during(() => window.showWarningMessage(message, { modal: true, detail }, commit))) !== commit) {
      return;
    }
    const left = await commitAll(context.worktrees, worktree, title || `Changes of ${worktree.branch ?? 'the worktree'}`);
    if (left.length > 0) {
      const names = inertLine(left.join(', '), 200);
      void window.showWarningMessage(
        t("These repositories inside the worktree aren't submodules and were not committed: {names}", { names }),
      );
    }
  }
  const merged = await comparing(context, repository, worktree, (options) =>
    context.progress(t('Merging {branch}', { branch }), () => mergeIntoMain(context.worktrees, repository, worktree, options)),
  );
  if (!merged) {
    return;
  }
  const { commits } = merged;
  void window.showInformationMessage(commits === 1 ? t('Merged 1 commit.') : t('Merged {count} commits.', { count: commits }));
}

/**
 * Runs an apply or a merge. Files that both sides changed are named with a button that compares them, and the result is then undefined.
 * @throws any other fault of `run`
 */
async function comparing<T>(
  context: WorktreeContext,
  repository: Repository,
  worktree: Worktree,
  run: (options: IntegrateOptions) => Promise<T>,
): Promise<T | undefined> {
  let conflicts: readonly string[] = [];
  try {
    return await run({ ...protectedReview(context, repository), onConflicts: (files) => (conflicts = files) });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== 'worktree.conflicts' || conflicts.length === 0) {
      throw error;
    }
    const compare = t('Compare');
    if ((await window.showWarningMessage(failureText(failure, t), compare)) === compare) {
      await showConflicts(repository, worktree, conflicts);
    }
    return undefined;
  }
}

/** Asks before changing files that the user's `acpHost.protectedPaths` protects from writing. */
function protectedReview({ activity }: WorktreeContext, { root }: Repository): IntegrateOptions {
  const rules = new ProtectedRules(readProtectedPaths());
  return {
    review: async (paths) => {
      const files = paths.map((name) => path.join(root, name));
      const found = await protectedFiles(files, { cwd: root, additionalDirectories: [] }, rules, { access: 'write' });
      const protectedPaths = found.map((file) => path.relative(root, file).replaceAll(path.sep, '/'));
      if (protectedPaths.length === 0) {
        return true;
      }
      const names = protectedPaths.slice(0, MAX_FILES).map((name) => inertLine(name, MAX_NAME));
      const more = protectedPaths.length - names.length;
      const detail = joined([...names, ...(more > 0 ? [t('and {count} more', { count: more })] : [])], '\n');
      const change = t('Change Files');
      const message = t('Change protected files of the main working tree?');
      return (await activity.during(() => window.showWarningMessage(message, { modal: true, detail }, change))) === change;
    },
  };
}
