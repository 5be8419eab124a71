/** **ACP: Open Session…**: the sessions of this window, those that only a journal is left of, and the way to those that agents keep. */
import * as vscode from 'vscode';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { KeptSessions } from '../../session/journal/keptSessions';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import { journaledRow, sessionRow } from './sessionRows';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { isSameFolder } from '../shared/workspacePaths';
import { workspaceFolders } from './workspaceFolders';

export type SessionChoice = { readonly session: Session } | { readonly journaled: JournalSummary };

/** Sessions that **ACP: Open Session…** offers of this workspace, and of all others. */
const MAX_LISTED = 100;
const MAX_ELSEWHERE = 30;

/** A session that this window has not open. */
export interface JournaledSession extends JournalSummary {
  /** Another window has. */
  readonly isElsewhere: boolean;
}

/** Those that this window has not open, of this workspace and then of other folders. */
export async function journaledSessions(
  journals: Pick<KeptSessions, 'list' | 'isLiveElsewhere'>,
  live: { get(key: string): Session | undefined },
  limit = MAX_LISTED,
): Promise<JournaledSession[]> {
  const folders = workspaceFolders();
  const pages =
    folders.length === 0
      ? [await journals.list({ archived: false, limit })]
      : await Promise.all([
          journals.list({ folders, archived: false, limit }),
          journals.list({ folders, elsewhere: true, archived: false, limit: Math.min(limit, MAX_ELSEWHERE) }),
        ]);
  const earlier = pages.flatMap(({ summaries }) => summaries).filter(({ key }) => !live.get(key));
  return Promise.all(earlier.map(async (each) => ({ ...each, isElsewhere: await journals.isLiveElsewhere(each.key) })));
}

type Row<Other> = Item & { readonly choice?: SessionChoice | Other };

/**
 * Asks which session; undefined when the user leaves or there is none. `journaled` without those that are live. `others`: rows of the caller's
 * own, after the sessions of this folder.
 */
export async function chooseSession<Other = never>(
  sessions: readonly Session[],
  journaled: readonly JournaledSession[],
  activity: UserActivity,
  placeHolder = t('Select a session'),
  others: readonly Row<Other>[] = [],
): Promise<SessionChoice | Other | undefined> {
  if (sessions.length === 0 && journaled.length === 0 && others.length === 0) {
    void window.showInformationMessage(t('No sessions yet. Start one with ACP: New Session.'));
    return undefined;
  }
  const now = Date.now();
  const folders = workspaceFolders();
  const isHere = ({ cwd }: JournalSummary): boolean => folders.length === 0 || folders.some((folder) => isSameFolder(folder, cwd));
  const rowsOf = (summaries: readonly JournaledSession[]): Row<Other>[] =>
    summaries
      .toSorted((a, b) => (b.changedAt ?? b.createdAt) - (a.changedAt ?? a.createdAt))
      .map((each): Row<Other> => ({ ...journaledRow(each, now, vscode.env.language, t, each.isElsewhere), choice: { journaled: each } }));
  const past = rowsOf(journaled.filter(isHere));
  const elsewhere = rowsOf(journaled.filter((each) => !isHere(each)));
  const rows: Row<Other>[] = [
    // The newest first: it is the one most often looked for.
    ...sessions.map((session): Row<Other> => ({ ...sessionRow(session.store.state, t), choice: { session } })).reverse(),
    ...(past.length > 0 ? [separator(t('Earlier')), ...past] : []),
    ...(others.length > 0 ? [separator(), ...others] : []),
    // Of other folders there may be hundreds.
    ...(elsewhere.length > 0 ? [separator(t('Other folders')), ...elsewhere] : []),
  ];
  const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await activity.during(() => window.showQuickPick(rows, options)))?.choice;
}
