/** **Remove Worktree…** and **Remove from List**: lists the possible losses, offers to keep them, and asks again if they have changed meanwhile. */
import * as vscode from 'vscode';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { failureOf, fault } from '../../core/model/failure';
import type { Session } from '../../session/session';
import type { Losses } from '../../worktree/losses';
import { folderName } from '../../worktree/names';
import type { Repository, Worktree } from '../../worktree/worktrees';
import { type InertText, joined, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import type { WorktreeContext } from './worktreeContext';

const MAX_NAME = 100;
/** The maximum number of names in one line of the question. */
const MAX_LISTED = 8;

/** Asks and removes the worktree. @param sessions the sessions that work in the worktree @throws Fault */
export async function removeWorktree(
  context: WorktreeContext,
  repository: Repository,
  chosen: Worktree,
  sessions: readonly Session[],
): Promise<void> {
  const { worktrees } = context;
  for (;;) {
    // The question must name the current branch, and an agent may have made commits since the list was shown.
    const worktree = await worktrees.current(repository, chosen);
    if (worktree.isLocked) {
      throw fault('worktree.locked', { path: worktree.path });
    }
    const name = inertLine(worktree.branch ?? worktree.path, MAX_NAME);
    const losses = await context.progress(t('Checking worktree {name}', { name }), () => worktrees.losses(repository, worktree));
    const running = sessions.filter(({ store }) => store.state.status !== 'ended');
    const isPlain = worktree.isGone && !losesWhenGone(worktree, losses);
    const answer = isPlain ? 'worktree' : await ask(context, worktree, losses, running.length);
    if (answer === undefined) {
      return;
    }
    if (answer === 'keep') {
      const target = await chooseTarget(context, worktree);
      if (target === undefined) {
        return;
      }
      await context.progress(t('Copying files of {name}', { name }), () => worktrees.keep(repository, worktree, losses, target));
      void window.showInformationMessage(t('Files of the worktree were copied to {folder}.', { folder: inertLine(target, 200) }));
    }
    await Promise.all(running.map((session) => session.end()));
    try {
      await context.progress(t('Removing worktree {name}', { name }), () =>
        worktrees.remove(repository, worktree, { branch: answer === 'both', expected: losses }),
      );
      return;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== 'worktree.changed_meanwhile') {
        throw error;
      }
      void context.showFailure(failure);
    }
  }
}

type Answer = 'worktree' | 'both' | 'keep';

async function ask({ activity }: WorktreeContext, worktree: Worktree, losses: Losses, running: number): Promise<Answer | undefined> {
  const { isGone, branch } = worktree;
  const name = inertLine(branch ?? worktree.path, MAX_NAME);
  const lines = [
    inertLine(worktree.path, 200),
    ...(isGone ? [t("The folder doesn't exist. If it is on another disk, connect that disk first to keep uncommitted changes.")] : []),
    ...lossLines(worktree, losses),
    ...(running > 0 ? [t('Sessions that will end: {count}', { count: running })] : []),
  ];
  const buttons: readonly (readonly [InertText, Answer])[] = isGone
    ? [[t('Remove from List'), 'worktree']]
    : [
        [t('Remove Worktree'), 'worktree'],
        ...(branch === undefined ? [] : [[t('Remove Worktree and Branch'), 'both'] as const]),
        ...(hasFiles(losses) ? [[t('Keep Files and Remove Worktree…'), 'keep'] as const] : []),
      ];
  const message = isGone
    ? t('Are you sure you want to remove the worktree {name} from the list?', { name })
    : t('Are you sure you want to remove the worktree {name}?', { name });
  const options = { modal: true, detail: joined(lines, '\n') };
  const chosen = await activity.during(() => window.showWarningMessage(message, options, ...buttons.map(([label]) => label)));
  return buttons.find(([label]) => label === chosen)?.[1];
}

/** True when Git's data of a worktree whose folder is missing contains something that its branch does not keep. */
function losesWhenGone({ branch }: Worktree, { commits, commitsIn, loggedCommits, unknown }: Losses): boolean {
  const isLost = loggedCommits.length > 0 || commitsIn.some(({ path: at, isKept }) => !isKept && at !== '');
  return isLost || unknown.length > 0 || (branch === undefined && commits !== 0);
}

function hasFiles({ files = 0, nested, commitsIn, loggedCommits }: Losses): boolean {
  return files + nested.length + loggedCommits.length > 0 || commitsIn.some(({ path: at, isKept }) => !isKept && at !== '');
}

/** Returns one line for each kind of loss, and for each kept part. */
function lossLines({ branch, isGone }: Worktree, losses: Losses): InertText[] {
  const { uncommitted, untracked, ignored, nested, commits = 0, commitsIn, loggedCommits, stashes, lostStashes, unknown } = losses;
  const ignoredCount = ignored.reduce((sum, each) => sum + each.files, 0);
  const ignoredNames = ignored.map((each) =>
    each.path.endsWith('/') ? `${each.path} (${each.files}${each.isAtLeast ? '+' : ''})` : each.path,
  );
  const others = commitsIn.filter((each) => each.path !== '');
  const countOf = (each: (typeof others)[number]) => `${each.path} (${each.count})`;
  const lost = others.filter(({ isKept }) => !isKept).map(countOf);
  const kept = others.filter(({ isKept }) => isKept).map(countOf);
  const line = (names: readonly string[], text: (values: { count: number; names: InertText }) => InertText, count = names.length) =>
    names.length > 0 ? [text({ count, names: listed(names) })] : [];
  return [
    ...line(uncommitted, (values) => t('Uncommitted files that will be lost: {count} ({names})', values)),
    ...line(untracked, (values) => t('Untracked files that will be lost: {count} ({names})', values)),
    ...line(ignoredNames, (values) => t('Ignored files that will be lost: {count} ({names})', values), ignoredCount),
    ...line(nested, (values) => t('Repositories inside it that will be lost: {count} ({names})', values)),
    ...(commits > 0 ? [commitLine({ count: commits }, { isDetached: branch === undefined, isGone })] : []),
    ...line(lost, ({ names }) => t('Commits that exist only in these repositories and will be lost: {names}', { names })),
    ...line(kept, ({ names }) => t('Commits in submodules that will be copied to the main working tree: {names}', { names })),
    ...(loggedCommits.length > 0 ? [loggedLine({ count: loggedCommits.length }, isGone)] : []),
    ...line(lostStashes, (values) => t('Stashes that will be lost: {count} ({names})', values)),
    ...line(stashes, (values) => t('Stashes that will be kept: {count} ({names})', values)),
    ...line(
      unknown.map(({ path: at, what }) => (at === '' ? what : `${at}: ${what}`)),
      ({ names }) => t("Couldn't be checked, and may be lost: {names}", { names }),
    ),
  ];
}

/** A branch keeps its commits, unless it is removed too. */
function commitLine(values: { count: number }, { isDetached, isGone }: { isDetached: boolean; isGone: boolean }): InertText {
  if (!isDetached) {
    return t('Commits that will be lost if you remove the branch: {count}', values);
  }
  return isGone
    ? t('Commits that will be kept without a branch: {count}', values)
    : t('Commits on no branch that will be lost: {count}', values);
}

function loggedLine(values: { count: number }, isGone: boolean): InertText {
  return isGone
    ? t('Amended or abandoned commits that will be kept: {count}', values)
    : t('Amended or abandoned commits that will be lost: {count}', values);
}

function listed(names: readonly string[]): InertText {
  const shown = names.slice(0, MAX_LISTED).map((name) => inertLine(name, MAX_NAME));
  const more = names.length - shown.length;
  return joined([...shown, ...(more > 0 ? [t('and {count} more', { count: more })] : [])], ', ');
}

/** Asks for a parent folder and returns a new folder in it. Resolves to undefined when the user cancels. */
async function chooseTarget({ activity }: WorktreeContext, { branch, path: folder }: Worktree): Promise<string | undefined> {
  const options = {
    canSelectFolders: true,
    canSelectFiles: false,
    title: t('Keep Files of the Worktree'),
    openLabel: t('Copy Here'),
    // VS Code's default is the workspace, where the files would be untracked.
    defaultUri: vscode.Uri.file(path.dirname(folder)),
  };
  const chosen = (await activity.during(() => window.showOpenDialog(options)))?.[0]?.fsPath;
  return chosen === undefined
    ? undefined
    : path.join(chosen, folderName(`${branch ?? path.basename(folder)}-files`, await readdir(chosen)));
}
