/** A notification that leads to a request which only its card asks, while the session is out of sight. Loaded with the first one. */
import type { PendingPermission } from '../../session/permission/presenter';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { headingOf } from '../../application/permission/permissionText';

const MAX_NAME = 120;

/**
 * @param reveal shows the session, with the focus on what waits
 * @param answer asks in a quick pick; absent where the user wants none
 */
export async function notifyOfQuestion(
  ask: PendingPermission,
  reveal: (sessionKey: string) => void,
  answer?: (sessionKey: string) => void,
): Promise<void> {
  const { sessionKey, agentName } = ask;
  const show = t('Show in Session');
  const text = t('{agent} needs your permission: {title}', { agent: inertLine(agentName, MAX_NAME), title: headingOf(ask, t).words });
  const answers = t('Answer…');
  const chosen = await window.showInformationMessage(text, ...(answer ? [answers] : []), show);
  if (chosen === show) {
    reveal(sessionKey);
  } else if (chosen === answers) {
    answer?.(sessionKey);
  }
}
