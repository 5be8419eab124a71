import type { SessionPanels } from '../chat/panels';
import type { PermissionPresentation } from './presentation';
import type { PermissionService } from '../../permission/permissionService';

/** Offers questions to the user; one that only its card shows is told of where the card is not in sight. */
export function offering(
  permissions: () => PermissionService,
  presentation: PermissionPresentation,
  panels: () => SessionPanels,
): Pick<PermissionService, 'offer'> {
  return {
    offer: (ask, answered) => {
      if (presentation.value === 'card' && !panels().isVisible(ask.sessionKey)) {
        void import('./hiddenQuestions').then(({ notifyOfQuestion }) => notifyOfQuestion(ask, (sessionKey) => panels().reveal(sessionKey)));
      }
      return permissions().offer(ask, answered);
    },
  };
}
