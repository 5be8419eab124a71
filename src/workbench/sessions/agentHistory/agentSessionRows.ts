/** The sessions that an agent keeps, as rows of a list. Everything in them is the agent's own text. Pure. */
import path from 'node:path';
import type { ListedSession } from '../../../acp/dialect';
import { inert, type InertText, joined, visible } from '../../shared/escape';
import { relativeTime, timeOf } from '../../shared/relativeTime';
import type { Translate } from '../../shared/translate';
import { isSameFolder } from '../../shared/workspacePaths';

const MAX_TITLE = 100;
const MAX_FOLDER = 120;
/** Further folders that are named; of more, their number is. */
const MOST_FOLDERS = 3;

export interface ListedRow {
  readonly label: InertText;
  /** When it was used last, and whether it is open. */
  readonly description: InertText;
  /** Its folders. */
  readonly detail: InertText;
  readonly listed: ListedSession;
  readonly isOpen: boolean;
}

export interface RowFacts {
  /** Of the workspace; absolute. */
  readonly folders: readonly string[];
  /** Sessions that this window has. */
  readonly open: ReadonlySet<string>;
  /** ms since the epoch */
  readonly now: number;
  /** BCP 47 */
  readonly language: string;
}

/** Those of the workspace's own folders, and the others; each in the agent's order. */
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
    label: visible(title, MAX_TITLE) || t('Untitled session {id}', { id: visible(sessionId, 12) }),
    description: joined([...(time === undefined ? [] : [inert(relativeTime(time, now, language))]), ...(isOpen ? [t('open')] : [])], ' · '),
    detail: joined([visible(cwd, MAX_FOLDER), ...furtherFolders(additionalDirectories, t)], ' + '),
    listed,
    isOpen,
  };
}

function furtherFolders(folders: readonly string[], t: Translate): InertText[] {
  const named = folders.slice(0, MOST_FOLDERS).map((folder) => visible(path.basename(folder) || folder, MAX_FOLDER));
  const rest = folders.length - named.length;
  return rest > 0 ? [...named, t('{count} more folders', { count: rest })] : named;
}
