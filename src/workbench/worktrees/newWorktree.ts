/** **ACP: New Session in Worktree…**: asks for a worktree, and creates a new one if requested. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Roots } from '../../core/model/roots';
import { free, slug } from '../../worktree/names';
import type { BranchStart, Repository, Worktree } from '../../worktree/worktrees';
import type { FolderTrustDependencies } from '../trust/trustedFolders';
import { trustsFolder } from '../trust/folderTrust';
import { inertLine, withIcon } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { type Item, separator, window } from '../shared/window';
import { askForChanges, type TakenChanges } from './changesToTake';
import type { WorktreeContext, WorkspaceRepository } from './worktreeContext';

const MAX_NAME = 100;

type Start = Item & { readonly start?: BranchStart | 'choose'; readonly worktree?: Worktree };

/**
 * Returns the folders for this agent's session in a worktree. Resolves to undefined when the user cancels.
 * @param took called with the uncommitted changes that a new worktree got
 * @throws Fault
 */
export async function chooseWorktreeRoots(
  context: WorktreeContext,
  trust: FolderTrustDependencies,
  found: WorkspaceRepository,
  agentName: string,
  took: (changes: TakenChanges) => void,
): Promise<Roots | undefined> {
  const { worktrees, activity } = context;
  const { repository } = found;
  const [branches, list] = [await worktrees.branches(repository), await worktrees.list(repository)];
  const existing = list.filter((each) => !each.isMain && !each.isGone);
  const shown = (name: string) => ({ branch: inertLine(name, MAX_NAME) });
  const rows: Start[] = [
    {
      label: withIcon(
        'git-branch',
        branches.current === undefined
          ? t('New worktree from the current commit')
          : t('New worktree from {branch}', shown(branches.current)),
      ),
      start: { type: 'current' },
    },
    ...(branches.upstream === undefined
      ? []
      : [
          {
            label: withIcon('cloud', t('New worktree from {branch}', shown(branches.upstream))),
            description: t('upstream'),
            start: { type: 'upstream' } as const,
          },
        ]),
    { label: withIcon('search', t('New worktree from another branch…')), start: 'choose' },
    ...(existing.length > 0 ? [separator(t('Existing worktrees'))] : []),
    ...existing.map((worktree): Start => ({ ...worktreeLabel(worktree), worktree })),
  ];
  const options = { title: t('New Session in Worktree'), placeHolder: t('Select where the agent works'), matchOnDetail: true };
  const chosen = await activity.during(() => window.showQuickPick(rows, options));
  if (chosen?.worktree) {
    const cwd = await folderIn(chosen.worktree, found.inside);
    return (await trustsFolder(trust, cwd)) ? { cwd, additionalDirectories: [] } : undefined;
  }
  const start = chosen?.start === 'choose' ? await chooseBranch(context, branches.names) : chosen?.start;
  if (!start) {
    return undefined;
  }
  const from = branches.current ?? path.basename(repository.opened);
  const takes = await askForChanges(context, repository, start, from);
  if (takes === undefined) {
    return undefined;
  }
  const suggested = free(`agent/${slug(agentName) || 'work'}`, branches.names);
  const branch = await askBranch(context, suggested);
  if (branch === undefined) {
    return undefined;
  }
  const { worktree, taken } = await createWorktree(context, repository, branch, start, takes);
  if (taken.length > 0) {
    took({ from, files: taken });
  }
  return { cwd: await folderIn(worktree, found.inside), additionalDirectories: [] };
}

/** Creates a worktree, and reports problems that did not prevent this. @throws Fault when no worktree was created */
export async function createWorktree(
  context: WorktreeContext,
  repository: Repository,
  branch: string,
  start: BranchStart,
  takeAlong: boolean,
): Promise<{ readonly worktree: Worktree; readonly taken: readonly string[] }> {
  const title = t('Creating worktree {branch}', { branch: inertLine(branch, MAX_NAME) });
  const { worktree, problems, taken } = await context.progress(title, (signal) =>
    context.worktrees.create(repository, { branch, start, parent: context.parentOf(repository), signal, takeAlong }),
  );
  problems.forEach((problem) => void context.showFailure(problem));
  await context.trustCreated(worktree);
  return { worktree, taken };
}

/** Returns the worktree's folder that corresponds to the workspace folder, or its root if the commit does not contain that folder. */
export async function folderIn({ path: folder }: Worktree, inside: string): Promise<string> {
  const wanted = path.join(folder, inside);
  const found = await stat(wanted).catch(() => undefined);
  return found?.isDirectory() ? wanted.replace(/[\\/]$/, '') : folder;
}

export function worktreeLabel({ branch, head = '', path: folder }: Worktree): Pick<Item, 'label' | 'detail'> {
  return {
    label: withIcon('repo-forked', inertLine(branch ?? head.slice(0, 8), MAX_NAME)),
    detail: inertLine(folder, 200),
  };
}

async function chooseBranch({ activity }: WorktreeContext, names: readonly string[]): Promise<BranchStart | undefined> {
  const rows = names.map((name) => ({ label: withIcon('git-branch', inertLine(name, MAX_NAME)), name }));
  const chosen = await activity.during(() => window.showQuickPick(rows, { placeHolder: t('Select the branch to start from') }));
  return chosen && { type: 'ref', ref: chosen.name };
}

async function askBranch({ activity }: WorktreeContext, suggested: string): Promise<string | undefined> {
  return activity.during(
    () =>
      new Promise<string | undefined>((resolve) => {
        const input = window.createInputBox();
        input.title = t('New Worktree');
        input.prompt = t('Name of the new branch');
        input.value = suggested;
        input.ignoreFocusOut = true;
        input.onDidAccept(() => {
          if (input.value.trim() !== '') {
            resolve(input.value.trim());
            input.hide();
          }
        });
        input.onDidHide(() => {
          resolve(undefined);
          input.dispose();
        });
        input.show();
      }),
  );
}
