/** The files that wait for review in all sessions of the window. */
import type * as vscode from 'vscode';
import { waitsForReview } from '../../../changes/review/pendingSummary';
import type { ReviewFile } from '../../../changes/review/review';
import type { Disposable } from '../../../core/platform/disposable';
import type { Session } from '../../../session/session';
import type { SessionChanges } from './sessionChanges';
import type { RunningFile } from '../documents/runningChanges';
import { type TurnGroup, turnGroups } from '../../../application/changes/session/turnGroups';
import { turnOrder } from '../text/turnTitles';

/** A file that waits in the review of a session. */
export interface PendingFile {
  readonly changes: SessionChanges;
  readonly file: ReviewFile;
}

export interface PendingFiles {
  /** The followed sessions. */
  readonly sessions: readonly SessionChanges[];
  /** All files that wait, session by session. */
  readonly pending: readonly PendingFile[];
  /** The pending files of a document, the oldest session first. */
  pendingAt(uri: vscode.Uri): readonly PendingFile[];
  /** The changes of running turns at a document, which the review does not have yet. */
  runningAt(uri: vscode.Uri): readonly RunningFile<SessionChanges>[];
  /** True when {@link runningAt} has changes of some document. */
  readonly isRunning: boolean;
  /** Returns a session by its key. */
  get(key: string): SessionChanges | undefined;
  onDidChange(listener: () => void): Disposable;
}

/** The files of a session that wait for the user, also those of which only the permissions changed. */
export function pendingOf({ review }: SessionChanges): readonly ReviewFile[] {
  return review?.files.filter(waitsForReview) ?? [];
}

/** The sessions in which something waits, each with its turns, the newest last. */
export function sessionsIn(
  pending: readonly PendingFile[],
): readonly { readonly session: Session; readonly turns: readonly TurnGroup<PendingFile>[] }[] {
  const sessions = [...new Set(pending.map(({ changes }) => changes.session))];
  return sessions.map((session) => ({
    session,
    turns: turnGroups(
      pending.filter(({ changes }) => changes.session === session),
      turnOrder(session),
    ),
  }));
}

/** The id of a source control group: a session, or one of its turns. */
export function groupId(sessionKey: string, turnId?: string): string {
  return turnId === undefined ? sessionKey : `${sessionKey}/${turnId}`;
}

export function inGroup(id: string): { readonly sessionKey: string; readonly turnId?: string } {
  const at = id.indexOf('/');
  return at < 0 ? { sessionKey: id } : { sessionKey: id.slice(0, at), turnId: id.slice(at + 1) };
}
