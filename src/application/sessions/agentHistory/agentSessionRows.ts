/** The sessions that an agent stores, as rows of a list. All of their text comes from the agent. Pure. */
import path from 'node:path';
import type { ListedSession } from '../../../acp/dialect';
import { inert, type InertText, joined, inertLine } from '../../shared/escape';
import { relativeTime, timeOf } from '../../shared/relativeTime';
import type { Translate } from '../../shared/translate';
import { isSameFolder } from '../../window/workspacePaths';

const MAX_TITLE = 100;
const MAX_FOLDER = 120;
/** The number of further folders that are named. The rest is shown as a count. */
const MAX_FOLDERS = 3;

export interface ListedRow {
  readonly label: InertText;
  /** The time of its last use, and whether it is open. */
  readonly description: InertText;
  /** The session's folders. */
  readonly detail: InertText;
  readonly listed: ListedSession;
  readonly isOpen: boolean;
}

export interface RowFacts {
  /** The absolute paths of the workspace's folders. */
  readonly folders: readonly string[];
  /** The ids of the sessions that are open in this window. */
  readonly open: ReadonlySet<string>;
  /** ms since the epoch */
  readonly now: number;
  /** BCP 47 */
  readonly language: string;
}

/** Returns the sessions of the workspace's own folders, and the others. Each list keeps the agent's order. */
export function agentSessionRows(
  sessions: readonly ListedSession[],
  facts: RowFacts,
  t: Translate,
): { readonly here: ListedRow[]; readonly elsewhere: ListedRow[] } {
  const here: ListedRow[] = [];
  const elsewhere: ListedRow[] = [];
  for (const listed of sessions) {
    (facts.folders.some((folder) => isSameFolder(folder, listed.cwd)) ? here : elsewhere).push(rowOf(listed, facts, t));
  }
  return { here, elsewhere };
}

function rowOf(listed: ListedSession, { open, now, language }: RowFacts, t: Translate): ListedRow {
  const { sessionId, title = '', cwd, updatedAt, additionalDirectories = [] } = listed;
  const isOpen = open.has(sessionId);
  const time = timeOf(updatedAt);
  return {
    label: inertLine(title, MAX_TITLE) || t('Untitled session {id}', { id: inertLine(sessionId, 12) }),
    description: joined([...(time === undefined ? [] : [inert(relativeTime(time, now, language))]), ...(isOpen ? [t('open')] : [])], ' · '),
    detail: joined([inertLine(cwd, MAX_FOLDER), ...furtherFolders(additionalDirectories, t)], ' + '),
    listed,
    isOpen,
  };
}

function furtherFolders(folders: readonly string[], t: Translate): InertText[] {
  const named = folders.slice(0, MAX_FOLDERS).map((folder) => inertLine(path.basename(folder) || folder, MAX_FOLDER));
  const rest = folders.length - named.length;
  return rest > 0 ? [...named, t('{count} more folders', { count: rest })] : named;
}
