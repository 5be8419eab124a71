/** **ACP: Open Session…**: the sessions of this window, and those that only a journal is left of. */
import * as vscode from 'vscode';
import type { JournalSummary } from '../session/journalSummary';
import type { Session } from '../session/session';
import { visible } from './escape';
import { t } from './l10n';
import { sessionRow } from './sessionRows';
import type { UserActivity } from './userActivity';

export type SessionChoice = { readonly session: Session } | { readonly journaled: JournalSummary };

type Row = vscode.QuickPickItem & { readonly choice?: SessionChoice };

/** Asks which session; undefined when the user leaves or there is none. `journaled` without those that are live. */
export async function chooseSession(
  sessions: readonly Session[],
  journaled: readonly JournalSummary[],
  activity: UserActivity,
  placeHolder = t('Choose a session'),
): Promise<SessionChoice | undefined> {
  if (sessions.length === 0 && journaled.length === 0) {
    void vscode.window.showInformationMessage(t('There is no session yet. Start one with ACP: New Session.'));
    return undefined;
  }
  const past = journaled.toSorted((a, b) => b.createdAt - a.createdAt).map(journaledRow);
  const rows: Row[] = [
    // The newest first: it is the one most often looked for.
    ...sessions.map((session): Row => ({ ...sessionRow(session.store.state, t), choice: { session } })).reverse(),
    ...(past.length > 0 ? [{ label: t('earlier'), kind: vscode.QuickPickItemKind.Separator }, ...past] : []),
  ];
  const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await activity.during(() => vscode.window.showQuickPick(rows, options)))?.choice;
}

function journaledRow(journaled: JournalSummary): Row {
  return {
    label: visible(journaled.title || journaled.agentName, 100),
    description: new Date(journaled.createdAt).toLocaleString(vscode.env.language),
    detail: t('{agent} in {folder}', { agent: visible(journaled.agentName, 100), folder: visible(journaled.cwd, 120) }),
    choice: { journaled },
  };
}
