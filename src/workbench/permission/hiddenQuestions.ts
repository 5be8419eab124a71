/** A notification that leads to a request which only its card asks, while the session is out of sight. Loaded with the first one. */
import type { PendingPermission } from '../../session/permission/presenter';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { headingOf } from '../../application/permission/permissionText';

const MAX_NAME = 120;

/**
 * VS Code keeps the notification in its list, also when the request is answered elsewhere. Its button then says so.
 *
 * @param reveal shows the session, with the focus on what waits
 * @param answer asks in a quick pick what waits in the session, and returns false when nothing does; absent where the user wants no pick
 */
export async function notifyOfQuestion(
  ask: PendingPermission,
  reveal: (sessionKey: string) => void,
  answer?: (sessionKey: string) => boolean,
): Promise<void> {
  const { sessionKey, agentName } = ask;
  const show = t('Show in Session');
  const title = headingOf(ask, t).words;
  const text = t('{agent} needs your permission: {title}', { agent: inertLine(agentName, MAX_NAME), title });
  const answers = t('Answer…');
  const chosen = await window.showInformationMessage(text, ...(answer ? [answers] : []), show);
  if (chosen === show) {
    reveal(sessionKey);
  } else if (chosen === answers && answer && !answer(sessionKey)) {
    if (ask.store?.state.pendingPermissions.includes(ask.permissionId) === false) {
      void window.showInformationMessage(t('This request was answered already: {title}', { title }));
    } else {
      reveal(sessionKey);
    }
  }
}
