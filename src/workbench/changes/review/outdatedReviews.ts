/**
 * Replaces open reviews that lack a pending file, that have an earlier name of their session, or that show files without a pending change. Another
 * session or program may have replaced such a change, or the user has decided on it elsewhere. VS Code cannot change the rows and the title of an open
 * review, and opens a review only with the focus. A review is therefore replaced only while the focus is known to be in it.
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
import type { OpenReview, OpenReviews } from './openReviews';
import { reviewTabs } from './reviewTabs';

/**
 * The time in ms for which the focus counts as in a review that has come to the front. VS Code does not report when the focus leaves for a terminal
 * or a side bar.
 */
const ARRIVAL_MS = 3_000;

export interface OutdatedReviewsDependencies {
  readonly changes: Pick<PendingFiles, 'pending' | 'onDidChange'>;
  readonly reviews: Pick<OpenReviews, 'of'>;
  readonly clock: Clock;
  readonly activity: Pick<UserActivity, 'focus' | 'onDidChange' | 'onActivity'>;
  /** Returns the present name of a review; undefined for one without changes. */
  nameOf(groupId: string | undefined): InertText | undefined;
  /** The files that a review of the group would show now, as in {@link OpenReview.files}. */
  filesOf(groupId: string | undefined): readonly string[];
  /** Opens a review in the active editor group. Resolves to false without changes. */
  open(groupId: string | undefined): Promise<boolean>;
}

export class OutdatedReviews implements Disposable {
  private readonly store = new DisposableStore();
  private readonly idle: IdleDetector;
  private waiting: Disposable | undefined;
  private isRunning = false;
  /** The editor in front, and the time since when it is there. */
  private front = '';
  private inFrontSince = -Infinity;

  constructor(private readonly deps: OutdatedReviewsDependencies) {
    const { store } = this;
    // A command that decides on changes of the review in front replaces it itself, long before the user counts as idle.
    this.idle = new IdleDetector(deps.clock);
    const update = (): void => this.update();
    store.add(deps.changes.onDidChange(() => (this.idle.touch(), update())));
    store.add(deps.activity.onActivity((uncertainMs) => this.idle.touch(uncertainMs)));
    store.add(deps.activity.onDidChange(update));
    const moved = (): void => (this.noteFront(), update());
    store.add(vscode.window.tabGroups.onDidChangeTabs(moved));
    store.add(vscode.window.tabGroups.onDidChangeTabGroups(moved));
    this.noteFront();
  }

  /** Replaces the review in front once the user is idle. Another review follows when the user goes to it. */
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
        await replaceReview(outdated, this.deps.filesOf(outdated.review.groupId), (groupId) => this.deps.open(groupId));
      }
    } catch {
      // The user may have closed the tab or its group meanwhile.
    } finally {
      this.isRunning = false;
    }
  }

  /** The visible reviews to replace or to close. Only a review with the focus can be replaced; an empty one can be closed without the focus. */
  private outdated(): readonly ReviewInFront[] {
    return reviewTabs().flatMap((tab) => {
      const review = tab.isActive ? this.deps.reviews.of(tab.label, false) : undefined;
      if (!review?.files || review.files.size === 0) {
        return [];
      }
      const isEmpty = this.deps.filesOf(review.groupId).length === 0;
      return (isEmpty || this.hasFocus(tab)) && this.isOutdated(review) ? [{ tab, review }] : [];
    });
  }

  private isOutdated(review: OpenReview): boolean {
    const { changes, filesOf, nameOf } = this.deps;
    const { files = new Set(), groupId } = review;
    const name = nameOf(groupId);
    const isRenamed = name !== undefined && review.name !== undefined && name !== review.name;
    return isRenamed || leftFiles(review, changes.pending).length < files.size || filesOf(groupId).some((file) => !files.has(file));
  }

  /** True while the focus is known to be in the review. */
  private hasFocus({ group }: vscode.Tab): boolean {
    const { activity, clock } = this.deps;
    const isKnown = activity.focus === 'editor' || (activity.focus === undefined && clock.now() - this.inFrontSince <= ARRIVAL_MS);
    return isKnown && group.viewColumn === vscode.window.tabGroups.activeTabGroup.viewColumn;
  }

  private noteFront(): void {
    const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
    const front = `${viewColumn} ${activeTab?.label ?? ''}`;
    if (front !== this.front) {
      this.front = front;
      this.inFrontSince = this.deps.clock.now();
    }
  }
}
