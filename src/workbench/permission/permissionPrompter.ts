import type { PermissionPromptQueue } from '../../session/permission/promptQueue';
import { userValue } from '../settings/userValue';
import { settings } from '../shared/ids';
import type { ActiveSession, PermissionPresenter } from './permissionPresenter';
import type { PermissionPresentation } from './presentation';

/** Offers questions to the user. A notification leads to a question that no pick asks, while its session is out of sight. */
export function permissionPrompter(
  permissions: PermissionPromptQueue,
  presentation: PermissionPresentation,
  panels: Pick<ActiveSession, 'isVisible' | 'reveal'>,
  picks: Pick<PermissionPresenter, 'surfaceOf'>,
): Pick<PermissionPromptQueue, 'prompt'> {
  return {
    prompt: (ask, answered) => {
      const isUnasked =
        presentation.value === 'auto' && picks.surfaceOf(ask) === undefined && userValue<string>(settings.notifications) !== 'off';
      if ((presentation.value === 'card' || isUnasked) && !panels.isVisible(ask.sessionKey)) {
        void import('./hiddenQuestions').then(({ notifyOfQuestion }) => notifyOfQuestion(ask, (sessionKey) => panels.reveal(sessionKey)));
      }
      return permissions.prompt(ask, answered);
    },
  };
}
