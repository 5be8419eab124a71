/**
 * Replaces the review tabs that VS Code has restored after a reload of the window. A restored tab has no buttons and shows no files, because both
 * belong to the earlier extension host.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import type { UserActivity } from '../../shared/userActivity';
import { focusColumn, isInChatView } from './reviewFocus';
import { type ReviewTitles, reviewTabs, titlesOf } from './reviewTabs';

export interface RestoredReviewsDependencies {
  /** The titles that the earlier extension host has given. */
  readonly titles: ReviewTitles;
  /** True for the label of a review that this extension host has opened. */
  isOpen(label: string): boolean;
  /** True while a change waits for review. */
  hasChanges(): boolean;
  readonly activity: Pick<UserActivity, 'focus' | 'onDidChange'>;
  /** Opens a review after `show`, which focuses the editor group. Resolves to false without changes. */
  open(groupId: string | undefined, show: () => Promise<void>): Promise<boolean>;
}

export class RestoredReviews implements Disposable {
  private readonly store = new DisposableStore();
  private readonly titles: Map<string, string | undefined>;
  private isRunning = false;

  constructor(private readonly deps: RestoredReviewsDependencies) {
    this.titles = new Map(deps.titles);
    const update = (): void => void this.update().catch(() => undefined);
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(update));
    this.store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
    this.store.add(deps.activity.onDidChange(update));
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Replaces the visible tabs. A tab in the background follows when it becomes visible, because a new editor would cover the visible one. */
  async update(): Promise<void> {
    if (this.isRunning) {
      return;
    }
    this.isRunning = true;
    try {
      while (await this.replaceOne()) {
        // The next one has its own title.
      }
    } finally {
      this.isRunning = false;
    }
  }

  /** Resolves to false when there is nothing to replace now. */
  private async replaceOne(): Promise<boolean> {
    const { deps, store, titles } = this;
    const restored = store.disposed ? [] : reviewTabs().filter((tab) => this.titleOf(tab) !== undefined);
    if (restored.length === 0) {
      store.dispose();
      return false;
    }
    if (!deps.hasChanges()) {
      titles.clear();
      await close(restored);
      return true;
    }
    const visible = restored.find(({ isActive }) => isActive);
    if (!visible || isInChatView(deps.activity)) {
      return false;
    }
    const title = this.titleOf(visible)!;
    const groupId = titles.get(title);
    // Each title is tried once, so that a failure is not repeated with each change of a tab.
    titles.delete(title);
    const same = restored.filter((tab) => titlesOf(tab.label, [title]).length > 0);
    const before = vscode.window.tabGroups.activeTabGroup.viewColumn;
    const isOpen = await deps.open(groupId, () => focusColumn(visible.group.viewColumn));
    if (isOpen && !visible.isPreview) {
      await vscode.commands.executeCommand('workbench.action.keepEditor');
    }
    await close(same);
    await focusColumn(before);
    return true;
  }

  /** Returns the title of a restored review; undefined for another tab, or where several titles are possible. */
  private titleOf({ label }: vscode.Tab): string | undefined {
    const [title, ...others] = this.deps.isOpen(label) ? [] : titlesOf(label, this.titles.keys());
    return others.length > 0 ? undefined : title;
  }
}

async function close(tabs: readonly vscode.Tab[]): Promise<void> {
  // The user may have closed a tab meanwhile.
  await vscode.window.tabGroups.close(tabs, true).then(undefined, () => undefined);
}
