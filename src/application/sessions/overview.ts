/** The one-line summary of all sessions, and the session that needs the user next. Pure. */
import { isRunning, needsYou } from '../../core/model/select';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import { inert, type InertText, joined, withIcon } from '../shared/escape';
import type { Translate } from '../shared/translate';

export interface Overview {
  /** The number of sessions with an agent. */
  readonly running: number;
  /** The number of sessions that wait for an answer from the user. */
  readonly needing: number;
  /** Questions that wait, of all sessions. */
  readonly questions: number;
  /** Files with changes to review. */
  readonly pending: number;
}

export function overviewOf(states: readonly SessionState[]): Overview {
  return {
    running: states.filter(isRunning).length,
    needing: states.filter(needsYou).length,
    questions: states.reduce(
      (sum, { pendingPermissions, pendingElicitations }) => sum + pendingPermissions.length + pendingElicitations.length,
      0,
    ),
    pending: pendingFiles(states),
  };
}

/** The number of files with changes to review. Several sessions may have changed the same file. */
function pendingFiles(states: readonly SessionState[]): number {
  const pending = states.flatMap(({ pendingChanges }) => pendingChanges ?? []);
  const more = pending.reduce((sum, each) => sum + (each.more ?? 0), 0);
  const listed =
    pending.length > 1 ? new Set(pending.flatMap(({ files }) => files.map(({ path }) => path))).size : pending[0]?.files.length;
  return (listed ?? 0) + more;
}

/**
 * Returns the text for the status bar, or undefined when there is nothing to show. @param unread the number of sessions with a result that the
 * user has not seen
 */
export function statusBarText(
  { running, needing, questions, pending }: Overview,
  t: Translate,
  unread = 0,
): { readonly text: InertText; readonly tooltip: InertText } | undefined {
  const isAnySession = running + needing + unread > 0;
  if (!isAnySession && pending === 0) {
    return undefined;
  }
  const sessions = running === 1 ? t('1 agent session is running') : t('{running} agent sessions are running', { running });
  const texts = isAnySession ? [withIcon('comment-discussion', inert(String(running)))] : [];
  const tooltips = isAnySession ? [sessions] : [];
  if (needing > 0) {
    // A session may need the user without a question, for a sign-in.
    const count = questions === 1 ? t('1 question') : t('{count} questions', { count: questions });
    texts.push(withIcon('bell-dot', questions > 0 ? count : inert(String(needing))));
    tooltips.push(needing === 1 ? t('1 needs your answer') : t('{needing} need your answer', { needing }));
  }
  if (unread > 0) {
    texts.push(withIcon('pass', inert(String(unread))));
    tooltips.push(unread === 1 ? t('1 is done') : t('{unread} are done', { unread }));
  }
  if (pending > 0) {
    texts.push(withIcon('diff', inert(String(pending))));
    tooltips.push(pending === 1 ? t('1 file has changes to review') : t('{count} files have changes to review', { count: pending }));
  }
  return { text: joined(texts, ' '), tooltip: joined(tooltips, ', ') };
}

interface Needing {
  readonly key: string;
  readonly store: { readonly state: SessionState };
}

/**
 * Returns the session in front if it needs the user, or else the one that asked last: the user was just notified of it. Undefined when none does.
 * @param front the session whose page the user sees
 * @param since ms since the epoch, from when a session needs the user; for what has no entry, as a sign-in
 */
export function nextNeeding<T extends Needing>(
  sessions: readonly T[],
  front: string | undefined,
  since: (key: string) => number | undefined = () => undefined,
): T | undefined {
  const needing = sessions.filter(({ store }) => needsYou(store.state));
  const at = ({ key, store }: T): number => askedAt(store.state) ?? since(key) ?? 0;
  return needing.find(({ key }) => key === front) ?? needing.toSorted((a, b) => at(a) - at(b)).at(-1);
}

/** ms since the epoch; when the newest of the pending requests came. */
function askedAt({ entries, pendingPermissions, pendingElicitations }: SessionState): number | undefined {
  const ids = [...pendingPermissions.map(entryIdOf.permission), ...pendingElicitations.map(entryIdOf.elicitation)];
  const times = ids.flatMap((id) => {
    const slot = entries.get(id);
    return slot && !isAbsent(slot) ? slot.at : [];
  });
  return times.length > 0 ? Math.max(...times) : undefined;
}
