/** All sessions in a line. Pure. */
import { needsYou } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
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
