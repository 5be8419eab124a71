/** The choice of a session's sandbox, in a quick pick that says what each mode holds back. Loaded with the first choice. */
import type { Session } from '../../session/session';
import { sandboxRows } from '../../application/sandbox/sandboxRows';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export async function chooseSandbox(session: Session, activity: UserActivity): Promise<void> {
  const current = session.sandbox.mode;
  const rows = sandboxRows(current, session.agentName, t);
  const placeHolder = t('Select what runs in a sandbox in this session');
  const chosen = await activity.during(() => window.showQuickPick(rows, { placeHolder, matchOnDetail: true }));
  if (!chosen || chosen.mode === current) {
    return;
  }
  session.sandbox.choose(chosen.mode);
  if (current === 'agent' || chosen.mode === 'agent') {
    session.restartAgent(true);
  }
}
