/**
 * Replaces open reviews that show files without a pending change, because another session or program has replaced the change, or the user has decided
 * on it elsewhere. A review with an earlier name of its session is replaced, too. VS Code cannot change the rows and the title of an open review.
 */
import * as vscode from 'vscode';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { IdleDetector } from '../../../session/permission/idleDetector';
import { DisposableStore } from '../../../util/disposable';
import type { InertText } from '../../../application/shared/escape';
import type { UserActivity } from '../../shared/userActivity';
import type { PendingFiles } from '../session/pendingFiles';
import { leftFiles, replaceReview, type ReviewInFront } from './decidedFiles';
import type { OpenReviews } from './openReviews';
import { focusColumn, isInChatView } from './reviewFocus';
import { reviewTabs } from './reviewTabs';

export interface OutdatedReviewsDependencies {
  readonly changes: Pick<PendingFiles, 'pending' | 'onDidChange'>;
  readonly reviews: Pick<OpenReviews, 'of'>;
  readonly clock: Clock;
  readonly activity: Pick<UserActivity, 'focus' | 'onDidChange' | 'onActivity'>;
  /** Returns the present name of a review; undefined for one without changes. */
  nameOf(groupId: string | undefined): InertText | undefined;
  /** Opens a review in the active editor group. Resolves to false without changes. */
  open(groupId: string | undefined): Promise<boolean>;
}

export class OutdatedReviews implements Disposable {
  private readonly store = new DisposableStore();
  private readonly idle: IdleDetector;
  private waiting: Disposable | undefined;
  private isRunning = false;

  constructor(private readonly deps: OutdatedReviewsDependencies) {
    const { store } = this;
    // A command that decides on changes of the review in front replaces it itself, long before the user counts as idle.
    this.idle = new IdleDetector(deps.clock);
    const update = (): void => this.update();
    store.add(deps.changes.onDidChange(() => (this.idle.touch(), update())));
    store.add(deps.activity.onActivity((uncertainMs) => this.idle.touch(uncertainMs)));
    store.add(deps.activity.onDidChange(update));
    store.add(vscode.window.tabGroups.onDidChangeTabs(update));
  }

  /** Replaces the visible reviews once the user is idle. One in the background follows when it becomes visible. */
  update(): void {
    if (!this.waiting && !this.isRunning && !this.store.disposed && this.outdated().length > 0) {
      this.waiting = this.idle.whenIdle(() => {
        this.waiting = undefined;
        void this.replaceAll();
      });
    }
  }

  dispose(): void {
    this.waiting?.dispose();
    this.store.dispose();
  }

  private async replaceAll(): Promise<void> {
    this.isRunning = true;
    try {
      for (const outdated of this.outdated()) {
        const before = vscode.window.tabGroups.activeTabGroup.viewColumn;
        await focusColumn(outdated.tab.group.viewColumn);
        await replaceReview(outdated, leftFiles(outdated.review, this.deps.changes.pending), (groupId) => this.deps.open(groupId));
        await focusColumn(before);
      }
    } catch {
      // The user may have closed the tab or its group meanwhile.
    } finally {
      this.isRunning = false;
    }
  }

  /** The visible reviews to replace. None while they cannot be replaced without taking the focus from a chat view. */
  private outdated(): readonly ReviewInFront[] {
    const { activity, changes, reviews } = this.deps;
    if (isInChatView(activity)) {
      return [];
    }
    return reviewTabs().flatMap((tab) => {
      const review = tab.isActive ? reviews.of(tab.label, false) : undefined;
      if (!review?.files || review.files.size === 0) {
        return [];
      }
      const name = this.deps.nameOf(review.groupId);
      const isRenamed = name !== undefined && review.name !== undefined && name !== review.name;
      return isRenamed || leftFiles(review, changes.pending).length < review.files.size ? [{ tab, review }] : [];
    });
  }
}
