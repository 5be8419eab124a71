/** The context keys of the review, which `when` clauses of commands, menus and keys read. */
import * as vscode from 'vscode';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import { ContextKey } from '../../shared/contextKey';
import { contextKeys } from '../../../application/shared/ids';
import type { OpenReviews } from './openReviews';
import type { PendingFiles } from '../session/pendingFiles';

export class ReviewContext implements Disposable {
  private readonly store = new DisposableStore();
  private readonly hasChanges = new ContextKey(contextKeys.hasChanges);
  private readonly editorHasChanges = new ContextKey(contextKeys.editorHasChanges);
  private readonly reviewInFront = new ContextKey(contextKeys.reviewInFront);

  constructor(
    private readonly changes: PendingFiles,
    private readonly reviews: OpenReviews,
  ) {
    const update = (): void => this.update();
    this.store.add(vscode.window.onDidChangeActiveTextEditor(update));
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(update));
    this.store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
  }

  update(): void {
    const document = vscode.window.activeTextEditor?.document;
    const hasChanges = this.changes.pending.length > 0;
    this.hasChanges.set(hasChanges);
    this.editorHasChanges.set(document !== undefined && this.changes.pendingAt(document.uri).length > 0);
    this.reviewInFront.set(hasChanges && this.reviews.inFront !== undefined);
  }

  dispose(): void {
    this.store.dispose();
    [this.hasChanges, this.editorHasChanges, this.reviewInFront].forEach((key) => key.set(false));
  }
}
