/** Files leave a review when the user has decided on all their changes in it. VS Code cannot change the rows of an open review, so another one replaces it. */
import * as vscode from 'vscode';
import { type OpenReview, reviewedFile } from './openReviews';
import type { PendingFile } from '../session/pendingFiles';

export interface ReviewInFront {
  readonly tab: vscode.Tab;
  readonly review: OpenReview;
}

export interface DecidedFilesDependencies {
  readonly pending: readonly PendingFile[];
  /** Opens a review of the same changes. */
  open(groupId: string | undefined): Promise<boolean>;
}

/** Returns the review in front, before a command acts on its changes. */
export function reviewInFront(reviews: { readonly inFront: OpenReview | undefined }): ReviewInFront | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const review = reviews.inFront;
  return tab && review?.files && review.files.size > 0 ? { tab, review } : undefined;
}

/** Returns the files of a review that still wait. */
export function leftFiles({ files = new Set() }: OpenReview, pending: readonly PendingFile[]): readonly string[] {
  const waiting = new Set(pending.map(({ changes, file }) => reviewedFile(changes.key, file.path)));
  return [...files].filter((file) => waiting.has(file));
}

/** Called after the command. Does nothing when another tab is in front by now, or all files of the review still wait. */
export async function removeDecidedFiles(inFront: ReviewInFront, { pending, open }: DecidedFilesDependencies): Promise<void> {
  const left = leftFiles(inFront.review, pending);
  if (left.length < inFront.review.files!.size) {
    await replaceReview(inFront, left, open);
  }
}

/** Replaces the tab, which must be in front, by a review of the files that are left, or closes it. */
export async function replaceReview(
  { tab, review }: ReviewInFront,
  left: readonly string[],
  open: DecidedFilesDependencies['open'],
): Promise<void> {
  if (!tab.isActive) {
    return;
  }
  const isOpen = left.length > 0 && (await open(review.groupId));
  if (isOpen && !tab.isPreview) {
    await vscode.commands.executeCommand('workbench.action.keepEditor');
  }
  // VS Code has replaced a tab that was only a preview.
  await vscode.window.tabGroups.close(tab, true).then(undefined, () => undefined);
}
