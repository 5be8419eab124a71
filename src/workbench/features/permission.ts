import { ANSWER_DELAY_MS } from '../../core/approval/answerDelay';
import { alikeAnswers } from '../../core/approval/alikeAnswers';
import type { Clock } from '../../core/platform/clock';
import { entryIdOf, isAbsent } from '../../core/model/state';
import type { permission } from '../../core/protocol/channels/permission';
import type { UserActivity } from '../shared/userActivity';
import { feature } from '../routing/feature';

interface PermissionServices {
  readonly clock: Clock;
  readonly activity: Pick<UserActivity, 'cardSight' | 'during'>;
}

export default feature<typeof permission, PermissionServices>(({ clock, activity }) => ({
  // The page guards its own buttons. An answer that arrives before a user could have read the question is ignored, whatever page sent it.
  answer_permission: ({ permissionId, optionId }, { session }) => {
    const request = session.store.state.entries.get(entryIdOf.permission(permissionId));
    if (request && !isAbsent(request) && clock.now() - request.at >= ANSWER_DELAY_MS) {
      session.answerPermission(permissionId, optionId);
    }
  },
  answer_alike: ({ permissionIds, kind }, { session }) => {
    const { entries } = session.store.state;
    const questions = permissionIds.flatMap((permissionId) => {
      const request = entries.get(entryIdOf.permission(permissionId));
      const isOld = request?.kind === 'permission' && !isAbsent(request) && clock.now() - request.at >= ANSWER_DELAY_MS;
      return isOld && !request.outcome ? [request] : [];
    });
    alikeAnswers(questions, kind, session.store.state).forEach(({ permissionId, optionId }) =>
      session.answerPermission(permissionId, optionId),
    );
  },
  set_permission_mode: async ({ mode }, { session }) =>
    (await import('../permission/setPermissionMode')).setPermissionMode(session, mode, activity),
  card_sight: (card, { session }) => activity.cardSight(session.key, card),
}));
