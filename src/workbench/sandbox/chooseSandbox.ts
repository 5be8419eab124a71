/** The choice of a session's sandbox, in a quick pick that says what each mode holds back. Loaded with the first choice. */
import type { SandboxMode } from '../../core/sandbox/sandbox';
import type { Session } from '../../session/session';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';

interface ModeRow extends Item {
  readonly mode: SandboxMode;
}

export async function chooseSandbox(session: Session, activity: UserActivity): Promise<void> {
  const agent = inertLine(session.agentName, 60);
  const current = session.sandbox.mode;
  const rows: readonly ModeRow[] = [
    { mode: 'off', label: t('Off'), detail: t('{agent} and its commands can do what you can do.', { agent }) },
    {
      mode: 'commands',
      label: t('Commands'),
      detail: t('Commands run through VS Code. {agent} and commands that it starts itself stay outside.', { agent }),
    },
    {
      mode: 'agent',
      label: t('Agent'),
      detail: t('{agent} itself, with everything that it starts. Restarts it in a process of its own.', { agent }),
    },
  ];
  const marked = rows.map((row) => (row.mode === current ? { ...row, description: t('current') } : row));
  const placeHolder = t('Select what runs in a sandbox in this session');
  const chosen = await activity.during(() => window.showQuickPick(marked, { placeHolder, matchOnDetail: true }));
  if (!chosen || chosen.mode === current) {
    return;
  }
  session.sandbox.choose(chosen.mode);
  if (current === 'agent' || chosen.mode === 'agent') {
    session.restartAgent(true);
  }
}
