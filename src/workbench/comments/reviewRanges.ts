/**
 * The lines that VS Code offers to comment on: in files with changes of an agent that the user has not reviewed, in an open review, and in plans. Anywhere
 * else, a range for each line would move the text of the user's files to the right.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { baselineScheme, versionScheme, planScheme } from '../../application/shared/changeCommandIds';
import type { ThreadController } from './commentThreads';

/** Files with changes to review. */
export interface ReviewedFiles {
  readonly pending: readonly { readonly file: { readonly path: string } }[];
  pendingAt(uri: vscode.Uri): readonly unknown[];
}

const REVIEWED: ReadonlySet<string> = new Set([baselineScheme, versionScheme]);

export class ReviewRanges implements Disposable {
  private readonly store = new DisposableStore();
  private reviewed: ReviewedFiles | undefined;
  private isOffered = false;
  /** Identifies the last offer. */
  private offered = '';

  constructor(private readonly controller: ThreadController) {
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.refresh()));
    this.store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.refresh()));
  }

  follow(reviewed: ReviewedFiles): void {
    this.reviewed = reviewed;
    this.refresh();
  }

  /** @param isOffered true while a session takes comments */
  offer(isOffered: boolean): void {
    this.isOffered = isOffered;
    this.offered = '';
    this.refresh();
  }

  /** True for a document whose lines VS Code offers. */
  has(uri: vscode.Uri): boolean {
    return this.isOffered && this.isUnderReview(uri);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** VS Code asks again for the ranges when the provider is another object. */
  private refresh(): void {
    // The real path of a document, by which the review knows it, can become known after VS Code has asked.
    const visible = vscode.window.visibleTextEditors.flatMap(({ document: { uri } }) => (this.isUnderReview(uri) ? [uri.toString()] : []));
    const pending = (this.reviewed?.pending ?? []).map(({ file }) => file.path);
    const offered = JSON.stringify([this.isOffered, [...this.openReviews()], pending, [...new Set(visible)].sort()]);
    if (this.store.disposed || offered === this.offered) {
      return;
    }
    this.offered = offered;
    this.controller.commentingRangeProvider = this.isOffered
      ? {
          provideCommentingRanges: ({ uri, lineCount }) => (this.has(uri) ? [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)] : []),
        }
      : undefined;
  }

  private isUnderReview(uri: vscode.Uri): boolean {
    if (uri.scheme !== 'file') {
      return uri.scheme === planScheme;
    }
    // A session that has ended takes no comments on its changes, but another session does.
    return (this.reviewed?.pendingAt(uri).length ?? 0) > 0 || this.openReviews().has(uri.toString());
  }

  /** The files of open differences from an agent's change. */
  private openReviews(): ReadonlySet<string> {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    return new Set(
      inputs.flatMap((input) =>
        input instanceof vscode.TabInputTextDiff && REVIEWED.has(input.original.scheme) ? [input.modified.toString()] : [],
      ),
    );
  }
}
