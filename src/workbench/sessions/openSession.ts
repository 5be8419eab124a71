/** **ACP: Open Session…**: the sessions of this window, the stored ones, and a row for those that agents store. */
import * as vscode from 'vscode';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { SessionCatalog } from '../../session/journal/sessionCatalog';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import { journaledRow, sessionRow } from '../../application/shared/sessionRows';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { isSameFolder } from '../../application/window/workspacePaths';
import { workspaceFolders } from '../window/workspaceFolders';

export type SessionChoice = { readonly session: Session } | { readonly journaled: JournalSummary };

/** The number of sessions that **ACP: Open Session…** offers from this workspace and, below, from all other folders. */
const MAX_LISTED = 100;
const MAX_ELSEWHERE = 30;

/** A session that is not open in this window. */
export interface JournaledSession extends JournalSummary {
  /** True when another window has opened the session. */
  readonly isElsewhere: boolean;
}

/** Returns the sessions that this window has not opened: first those of this workspace, then those of other folders. */
export async function journaledSessions(
  journals: Pick<SessionCatalog, 'list' | 'isLiveElsewhere'>,
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
 * Asks for a session. Resolves to undefined when the user cancels or there is none. @param journaled stored sessions that are not live @param
 * others rows of the caller's own, after the sessions of this folder
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
    // The newest session comes first, because it is the one most often wanted.
    ...sessions.map((session): Row<Other> => ({ ...sessionRow(session.store.state, t), choice: { session } })).reverse(),
    ...(past.length > 0 ? [separator(t('Earlier')), ...past] : []),
    ...(others.length > 0 ? [separator(), ...others] : []),
    // Other folders come last, because they may have hundreds of sessions.
    ...(elsewhere.length > 0 ? [separator(t('Other folders')), ...elsewhere] : []),
  ];
  const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await activity.during(() => window.showQuickPick(rows, options)))?.choice;
}
