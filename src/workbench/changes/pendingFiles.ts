/** What waits for the user in all sessions of the window, for those who show it or act on it. */
import type * as vscode from 'vscode';
import { isPending, type ReviewFile } from '../../changes/review/review';
import type { Disposable } from '../../core/model/ports';
import type { SessionChanges } from './sessionChanges';

/** A file that waits in the review of a session. */
export interface PendingFile {
  readonly changes: SessionChanges;
  readonly file: ReviewFile;
}

export interface PendingFiles {
  /** Those that are followed. */
  readonly sessions: readonly SessionChanges[];
  /** All files that wait, session by session. */
  readonly pending: readonly PendingFile[];
  /** Those of a document, the oldest session first. */
  pendingAt(uri: vscode.Uri): readonly PendingFile[];
  /** Of a session, by its key. */
  get(key: string): SessionChanges | undefined;
  onDidChange(listener: () => void): Disposable;
}

export function pendingOf({ review }: SessionChanges): readonly ReviewFile[] {
  return review?.files.filter(isPending) ?? [];
}
