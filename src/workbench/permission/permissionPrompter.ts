import type { Clock } from '../../core/platform/clock';
import type { PendingPermission } from '../../session/permission/presenter';
import type { PermissionPromptQueue } from '../../session/permission/promptQueue';
import type { ActiveSession, PermissionPresenter } from './permissionPresenter';
import type { PermissionPresentation } from './presentation';

export interface PrompterDependencies {
  readonly clock: Clock;
  readonly permissions: Pick<PermissionPromptQueue, 'prompt' | 'isUnseen' | 'isExpected'>;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  readonly panels: Pick<ActiveSession, 'isVisible'>;
  readonly picks: Pick<PermissionPresenter, 'surfaceOf'>;
  /** False when the user wants no notifications. */
  mayNotify(): boolean;
  /** True when the session's need for an answer is notified in any case. */
  isNotified(): boolean;
  /** Shows a notification. Resolves when it is closed, which may be never: an ignored one stays in VS Code's list. */
  notify(ask: PendingPermission): Promise<void>;
}

/** The time in ms in which a pick must open for a request that is out of sight. It is longer than the pause that a pick waits for. */
export const UNSEEN_MS = 3000;

/**
 * Offers questions to the user. A notification leads to a question of a session that is out of sight when no pick asks it. Reasons are a focus that is
 * not known, a hidden page that has reported the focus, and a user who did not pause.
 */
export function permissionPrompter(deps: PrompterDependencies): Pick<PermissionPromptQueue, 'prompt'> {
  const { clock, permissions, presentation, panels, picks } = deps;
  /** The waiting requests with an open notification, by session. A further request of such a session gets no notification of its own. */
  const notified = new Map<string, PendingPermission>();
  const settle = (ask: PendingPermission): void => void (notified.get(ask.sessionKey) === ask && notified.delete(ask.sessionKey));
  const notify = (ask: PendingPermission): void => {
    if (!notified.has(ask.sessionKey)) {
      notified.set(ask.sessionKey, ask);
      void deps.notify(ask).finally(() => settle(ask));
    }
  };
  return {
    prompt: (ask, answered) => {
      const isOutOfSight = !panels.isVisible(ask.sessionKey);
      const isAsked = picks.surfaceOf(ask) !== undefined || permissions.isExpected(ask.sessionKey);
      const isUnasked = presentation.value === 'auto' && !isAsked && deps.mayNotify();
      const isAtOnce = isOutOfSight && (presentation.value === 'card' || isUnasked);
      const isNotified = isAtOnce || deps.isNotified();
      if (isAtOnce) {
        notify(ask);
      }
      const offered = permissions.prompt(ask, answered);
      const late = clock.after(UNSEEN_MS, () => {
        if (!isNotified && deps.mayNotify() && permissions.isUnseen(ask) && !panels.isVisible(ask.sessionKey)) {
          notify(ask);
        }
      });
      return {
        dispose: () => {
          settle(ask);
          late.dispose();
          offered.dispose();
        },
      };
    },
  };
}
