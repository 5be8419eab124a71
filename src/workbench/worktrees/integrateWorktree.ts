/** Applies or merges a worktree, after the necessary questions. */
import path from 'node:path';
import * as vscode from 'vscode';
import { protectedFiles } from '../../policy/protection/protectedPaths';
import { ProtectedRules } from '../../policy/protection/protectedRules';
import { applyToMain, commitAll, type IntegrateOptions, mergeIntoMain } from '../../worktree/integrate';
import type { Repository, Worktree } from '../../worktree/worktrees';
import { readProtectedPaths } from '../settings/agentSettings';
import { joined, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { holds } from '../../application/window/workspacePaths';
import type { WorktreeContext } from './worktreeContext';

const MAX_NAME = 100;
/** The maximum number of files in a question. */
const MAX_FILES = 20;

/** Applies the worktree's changes to the repository's working tree. @throws Fault */
export async function applyChanges(context: WorktreeContext, repository: Repository, worktree: Worktree): Promise<void> {
  if (!(await saved(context, repository))) {
    return;
  }
  const { files, submodules, nested, nestedLeft } = await context.progress(t('Applying changes'), () =>
    applyToMain(context.worktrees, repository, worktree, protectedReview(context, repository)),
  );
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
  if (!(await saved(context, repository))) {
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
  const { commits } = await context.progress(t('Merging {branch}', { branch }), () =>
    mergeIntoMain(context.worktrees, repository, worktree, protectedReview(context, repository)),
  );
  void window.showInformationMessage(commits === 1 ? t('Merged 1 commit.') : t('Merged {count} commits.', { count: commits }));
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

/** Asks to save unsaved documents, because the changes are applied on the disk. Resolves to false when the user cancels. */
async function saved({ activity }: WorktreeContext, { root }: Repository): Promise<boolean> {
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file' && holds(root, uri.fsPath));
  if (unsaved.length === 0) {
    return true;
  }
  const save = t('Save and Continue');
  const message = t('Some files of the repository have unsaved changes.');
  const detail = joined(
    unsaved.slice(0, 10).map(({ fileName }) => inertLine(path.relative(root, fileName), MAX_NAME)),
    '\n',
  );
  if ((await activity.during(() => window.showWarningMessage(message, { modal: true, detail }, save))) !== save) {
    return false;
  }
  return (await Promise.all(unsaved.map((document) => document.save()))).every(Boolean);
}
