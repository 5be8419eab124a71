/** **ACP: Open Session…**: the sessions of this window, those that only a journal is left of, and the way to those that agents keep. */
import * as vscode from 'vscode';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import { journaledRow, sessionRow } from './sessionRows';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';

export type SessionChoice = { readonly session: Session } | { readonly journaled: JournalSummary };

type Row<Other> = Item & { readonly choice?: SessionChoice | Other };

/**
 * Asks which session; undefined when the user leaves or there is none. `journaled` without those that are live. `others`: rows of the caller's
 * own, after the sessions.
 */
export async function chooseSession<Other = never>(
  sessions: readonly Session[],
  journaled: readonly JournalSummary[],
  activity: UserActivity,
  placeHolder = t('Select a session'),
  others: readonly Row<Other>[] = [],
): Promise<SessionChoice | Other | undefined> {
  if (sessions.length === 0 && journaled.length === 0 && others.length === 0) {
    void window.showInformationMessage(t('No sessions yet. Start one with ACP: New Session.'));
    return undefined;
  }
  const now = Date.now();
  const past = journaled
    .toSorted((a, b) => (b.changedAt ?? b.createdAt) - (a.changedAt ?? a.createdAt))
    .map((each): Row<Other> => ({ ...journaledRow(each, now, vscode.env.language, t), choice: { journaled: each } }));
  const rows: Row<Other>[] = [
    // The newest first: it is the one most often looked for.
    ...sessions.map((session): Row<Other> => ({ ...sessionRow(session.store.state, t), choice: { session } })).reverse(),
    ...(past.length > 0 ? [separator(t('Earlier')), ...past] : []),
    ...(others.length > 0 ? [separator(), ...others] : []),
  ];
  const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await activity.during(() => window.showQuickPick(rows, options)))?.choice;
}
