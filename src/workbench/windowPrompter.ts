/** The questions of a window's sessions, with notifications as the user has set them. */
import * as vscode from 'vscode';
import type { Clock } from '../core/platform/clock';
import type { PermissionPromptQueue } from '../session/permission/promptQueue';
import { userValue } from './settings/userValue';
import type { SessionPanels } from './chat/panels';
import { isWanted, type NotificationsSetting } from '../application/sessionsView/notificationRules';
import { settings } from '../application/shared/ids';
import type { PermissionPresenter } from './permission/permissionPresenter';
import { permissionPrompter } from './permission/permissionPrompter';
import type { PermissionPresentation } from './permission/presentation';

export function windowPrompter(
  clock: Clock,
  permissions: PermissionPromptQueue,
  presentation: PermissionPresentation,
  panels: SessionPanels,
  picks: PermissionPresenter,
): Pick<PermissionPromptQueue, 'prompt'> {
  const setting = (): NotificationsSetting | undefined => userValue<NotificationsSetting>(settings.notifications);
  return permissionPrompter({
    clock,
    permissions,
    presentation,
    panels,
    picks,
    mayNotify: () => setting() !== 'off',
    isNotified: () => isWanted(setting(), { window: vscode.window.state.focused, session: false }),
    notify: (ask) =>
      import('./permission/hiddenQuestions').then(({ notifyOfQuestion }) =>
        notifyOfQuestion(
          ask,
          (sessionKey) => panels.reveal(sessionKey),
          presentation.value === 'card' ? undefined : (sessionKey) => permissions.reopen(sessionKey),
        ),
      ),
  });
}
