import { ANSWER_DELAY_MS } from '../../core/approval/answerDelay';
import type { Clock } from '../../core/platform/clock';
import { entryIdOf, isAbsent } from '../../core/model/state';
import type { permission } from '../../core/protocol/channels/permission';
import type { UserActivity } from '../shared/userActivity';
import { feature } from '../routing/feature';

interface PermissionServices {
  readonly clock: Clock;
  readonly activity: Pick<UserActivity, 'cardSight'>;
}

export default feature<typeof permission, PermissionServices>(({ clock, activity }) => ({
  // The page guards its own buttons. An answer that arrives before a user could have read the question is ignored, whatever page sent it.
  answer_permission: ({ permissionId, optionId }, { session }) => {
    const request = session.store.state.entries.get(entryIdOf.permission(permissionId));
    if (request && !isAbsent(request) && clock.now() - request.at >= ANSWER_DELAY_MS) {
      session.answerPermission(permissionId, optionId);
    }
  },
  want_advice: () => undefined,
  make_rule: () => undefined,
  show_rule: () => undefined,
  card_sight: (card, { session }) => activity.cardSight(session.key, card),
}));
