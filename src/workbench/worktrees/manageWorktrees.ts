/** **ACP: Manage Worktrees…**: lists the repository's worktrees with their content and the possible actions. */
import * as vscode from 'vscode';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { Session } from '../../session/session';
import type { Repository, Worktree, WorktreeChanges } from '../../worktree/worktrees';
import { joined, type InertText, inertLine } from '../../application/shared/escape';
import { failureSentence } from '../../application/shared/failureText';
import { t } from '../shared/l10n';
import { holds } from '../../application/window/workspacePaths';
import { type Button, type Item, window } from '../shared/window';
import { applyChanges, mergeBranch } from './integrateWorktree';
import { worktreeLabel } from './newWorktree';
import { removeWorktree } from './removeWorktree';
import { sessionsIn, type WorktreeContext } from './worktreeContext';
import { showChanges } from './worktreeDiff';

export interface ManageWorktreesDependencies {
  readonly context: WorktreeContext;
  sessions(): readonly Session[];
  show(session: Session): void;
  /** The summaries of stored sessions that are not open, newest first. */
  kept(): Promise<readonly JournalSummary[]>;
  openKept(key: string): Promise<void>;
  /** Starts a new session in the worktree. */
  start(worktree: Worktree): Promise<void>;
}

type Action = 'open' | 'changes' | 'apply' | 'merge' | 'window' | 'remove';
type Row = Item & { readonly worktree: Worktree };
type ActionButton = Button & { readonly action: Action };

const MAX_NAME = 100;
const MEGABYTE = 1024 * 1024;

export class ManageWorktrees {
  constructor(private readonly deps: ManageWorktreesDependencies) {}

  /** Asks for a worktree and an action, and runs it. @throws Fault */
  async run(repository: Repository): Promise<void> {
    const { worktrees } = this.deps.context;
    const list = (await worktrees.list(repository)).filter(({ isMain }) => !isMain);
    if (list.length === 0) {
      void window.showInformationMessage(t('This repository has no worktrees. Create one with ACP: New Session in Worktree….'));
      return;
    }
    const chosen = await this.choose(repository, list);
    if (chosen) {
      await this.act(chosen.action, repository, chosen.worktree);
    }
  }

  /** Shows the rows at once. The description of each worktree's content is added when it is known. */
  private choose(repository: Repository, list: readonly Worktree[]): Promise<{ action: Action; worktree: Worktree } | undefined> {
    const { activity } = this.deps.context;
    return activity.during(
      () =>
        new Promise((resolve) => {
          const pick = window.createQuickPick<Row>();
          let isOpen = true;
          pick.title = t('Worktrees');
          pick.placeholder = t('Select a worktree');
          pick.matchOnDetail = true;
          pick.ignoreFocusOut = true;
          pick.items = list.map((worktree) => this.row(worktree));
          pick.onDidTriggerItemButton(({ item, button }) => {
            resolve({ action: (button as unknown as ActionButton).action, worktree: item.worktree });
            pick.hide();
          });
          pick.onDidAccept(() => {
            const [row] = pick.selectedItems;
            if (row) {
              resolve(this.chooseAction(row.worktree));
              pick.hide();
            }
          });
          pick.onDidHide(() => {
            isOpen = false;
            resolve(undefined);
            pick.dispose();
          });
          pick.show();
          void this.describe(repository, list, (worktree, description) => {
            if (isOpen) {
              const active = pick.activeItems[0]?.worktree;
              pick.items = pick.items.map((row) => (row.worktree === worktree ? { ...row, description } : row));
              pick.activeItems = pick.items.filter((row) => row.worktree === active);
            }
            return isOpen;
          });
        }),
    );
  }

  private row(worktree: Worktree): Row {
    const buttons = (worktree.isGone ? (['remove'] as const) : (['changes', 'apply', 'merge', 'remove'] as const)).map(actionButton);
    return { ...worktreeLabel(worktree), worktree, buttons, ...(worktree.isGone && { description: t('folder not found') }) };
  }

  private async describe(
    repository: Repository,
    list: readonly Worktree[],
    told: (worktree: Worktree, description: InertText) => boolean,
  ): Promise<void> {
    const { context, sessions } = this.deps;
    const kept = await this.deps.kept();
    for (const worktree of list.filter(({ isGone }) => !isGone)) {
      const count = sessionsIn(sessions(), worktree).length + kept.filter(({ cwd }) => holds(worktree.path, cwd)).length;
      const text: InertText[] = [...(count > 0 ? [count === 1 ? t('1 session') : t('{count} sessions', { count })] : [])];
      const changes = await context.worktrees.changes(repository, worktree).catch(() => undefined);
      text.unshift(changes ? changedText(changes) : t('changes unknown'));
      if (!told(worktree, joined(text, ' · '))) {
        return;
      }
      const { bytes, isAtLeast } = await context.worktrees.size(worktree.path);
      const size = (bytes / MEGABYTE).toFixed(1);
      text.push(isAtLeast ? t('over {size} MB', { size }) : t('{size} MB', { size }));
      if (!told(worktree, joined(text, ' · '))) {
        return;
      }
    }
  }

  /** Offers the same actions as the buttons, for the keyboard. */
  private async chooseAction(worktree: Worktree): Promise<{ action: Action; worktree: Worktree } | undefined> {
    const actions: readonly Action[] = worktree.isGone ? ['remove'] : ['open', 'changes', 'apply', 'merge', 'window', 'remove'];
    const rows = actions.map((action) => ({ label: actionText(action, worktree), action }));
    const title = inertLine(worktree.branch ?? worktree.path, MAX_NAME);
    const chosen = await window.showQuickPick(rows, { title, placeHolder: t('Select an action') });
    return chosen && { action: chosen.action, worktree };
  }

  private async act(action: Action, repository: Repository, worktree: Worktree): Promise<void> {
    const { context, sessions, show, start } = this.deps;
    switch (action) {
      case 'open': {
        const [session] = sessionsIn(sessions(), worktree).slice(-1);
        if (session) {
          return show(session);
        }
        const kept = (await this.deps.kept()).find(({ cwd }) => holds(worktree.path, cwd));
        return kept ? this.deps.openKept(kept.key) : start(worktree);
      }
      case 'changes': {
        const changes = await context.worktrees.changes(repository, worktree);
        if (changes.files.length === 0) {
          void window.showInformationMessage(
            changes.submodules.length + changes.nested.length > 0
              ? t('Only submodules or nested repositories were changed.')
              : failureSentence({ code: 'worktree.no_changes' }, t),
          );
          return;
        }
        return showChanges(context.worktrees.git, worktree, changes);
      }
      case 'apply':
        return applyChanges(context, repository, worktree);
      case 'merge':
        return mergeBranch(context, repository, worktree, sessionsIn(sessions(), worktree).slice(-1)[0]?.store.state.title);
      case 'window':
        return void (await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(worktree.path), { forceNewWindow: true }));
      case 'remove':
        return removeWorktree(context, repository, worktree, sessionsIn(sessions(), worktree));
    }
  }
}

function changedText({ files, submodules, nested }: WorktreeChanges): InertText {
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const count = files.length;
  if (count === 0) {
    return submodules.length + nested.length > 0 ? t('submodules changed') : t('no changes');
  }
  const lines = { added: sum('added'), removed: sum('removed') };
  return count === 1 ? t('1 file +{added} -{removed}', lines) : t('{count} files +{added} -{removed}', { count, ...lines });
}

const ICONS: Record<Action, string> = {
  open: 'comment-discussion',
  changes: 'diff-multiple',
  apply: 'check-all',
  merge: 'git-merge',
  window: 'empty-window',
  remove: 'trash',
};

function actionButton(action: Action): ActionButton {
  return { iconPath: new vscode.ThemeIcon(ICONS[action]), tooltip: actionText(action), action };
}

function actionText(action: Action, worktree?: Worktree): InertText {
  switch (action) {
    case 'open':
      return t('Open Session');
    case 'changes':
      return t('Show Changes');
    case 'apply':
      return t('Apply to Main Working Tree');
    case 'merge':
      return t('Merge into Current Branch…');
    case 'window':
      return t('Open in New Window');
    case 'remove':
      return worktree?.isGone ? t('Remove from List') : t('Remove Worktree…');
  }
}
