/** A request that is asked in the session alone, while nobody sees the session: a notification leads there. Loaded with the first one. */
import type { PendingPermission } from '../../permission/presenter';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_NAME = 120;
const MAX_TITLE = 160;

/** Sessions that a notification is about: what else one asks stands there, too. */
const notified = new Set<string>();

/** @param reveal shows the session, with the focus on what waits */
export async function notifyOfQuestion(
  { sessionKey, agentName, title }: PendingPermission,
  reveal: (sessionKey: string) => void,
): Promise<void> {
  if (notified.has(sessionKey)) {
    return;
  }
  notified.add(sessionKey);
  const show = t('Show in Session');
  const words = t('{agent} needs your permission: {title}', { agent: visible(agentName, MAX_NAME), title: visible(title, MAX_TITLE) });
  const chosen = await window.showInformationMessage(words, show);
  notified.delete(sessionKey);
  if (chosen === show) {
    reveal(sessionKey);
  }
}
