/** All sessions in a line, and the one of them that needs the user next. Pure. */
import { needsYou } from '../../core/model/select';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import { inert, type InertText, joined, withIcon } from '../shared/escape';
import type { Translate } from '../shared/translate';

/** True while an agent runs for it, or is being started. */
export function isRunning({ status }: SessionState): boolean {
  return status === 'starting' || status === 'ready';
}

export interface Overview {
  /** Sessions with an agent. */
  readonly running: number;
  /** Sessions that wait for an answer of the user's. */
  readonly needing: number;
}

export function overviewOf(states: readonly SessionState[]): Overview {
  return { running: states.filter(isRunning).length, needing: states.filter(needsYou).length };
}

/** What the status bar shows; undefined when there is nothing to show. `unread`: sessions that ended something nobody has seen. */
export function statusBarWords(
  { running, needing }: Overview,
  t: Translate,
  unread = 0,
): { readonly text: InertText; readonly tooltip: InertText } | undefined {
  if (running === 0 && needing === 0 && unread === 0) {
    return undefined;
  }
  const sessions = running === 1 ? t('1 agent session is running') : t('{running} agent sessions are running', { running });
  const texts = [withIcon('comment-discussion', inert(String(running)))];
  const tooltips = [sessions];
  if (needing > 0) {
    texts.push(withIcon('bell-dot', inert(String(needing))));
    tooltips.push(needing === 1 ? t('1 needs your answer') : t('{needing} need your answer', { needing }));
  }
  if (unread > 0) {
    texts.push(withIcon('pass', inert(String(unread))));
    tooltips.push(unread === 1 ? t('1 is done') : t('{unread} are done', { unread }));
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
