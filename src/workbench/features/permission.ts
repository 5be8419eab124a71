import { ANSWER_DELAY_MS } from '../../core/approval/answerDelay';
import { alikeAnswers } from '../../core/approval/alikeAnswers';
import type { Clock } from '../../core/platform/clock';
import { entryIdOf, isAbsent, type PermissionEntry } from '../../core/model/state';
import type { permission } from '../../core/protocol/channels/permission';
import type { Session } from '../../session/session';
import type { RulesView } from '../permission/rules/rulesView';
import type { WindowRules } from '../permission/rules/windowRules';
import type { UserActivity } from '../shared/userActivity';
import { feature } from '../routing/feature';

interface PermissionServices {
  readonly clock: Clock;
  readonly activity: Pick<UserActivity, 'cardSight' | 'during'>;
  readonly rules: Pick<WindowRules, 'store' | 'suggestion'>;
  rulesView(): Promise<Pick<RulesView, 'reveal'>>;
}

export default feature<typeof permission, PermissionServices>(({ clock, activity, rules, rulesView }) => {
  /** Returns the waiting request. Undefined before a user could have read the question: the page guards its own buttons, but a page can be wrong. */
  const waiting = ({ store }: Session, permissionId: string): PermissionEntry | undefined => {
    const request = store.state.entries.get(entryIdOf.permission(permissionId));
    const isReadable = request?.kind === 'permission' && !isAbsent(request) && clock.now() - request.at >= ANSWER_DELAY_MS;
    return isReadable && request.outcome === undefined ? request : undefined;
  };
  return {
    answer_permission: ({ permissionId, optionId }, { session }) => {
      if (waiting(session, permissionId)) {
        session.answerPermission(permissionId, optionId);
      }
    },
    answer_alike: ({ permissionIds, kind }, { session }) => {
      const questions = permissionIds.flatMap((permissionId) => waiting(session, permissionId) ?? []);
      alikeAnswers(questions, kind, session.store.state).forEach(({ permissionId, optionId }) =>
        session.answerPermission(permissionId, optionId),
      );
    },
    set_permission_mode: async ({ mode }, { session }) =>
      (await import('../permission/setPermissionMode')).setPermissionMode(session, mode, activity),
    make_rule: async ({ permissionId, suggestionId }, { session }) => {
      if (waiting(session, permissionId)) {
        await (await import('../permission/rules/makeRule')).makeRule(rules, session, permissionId, suggestionId);
      }
    },
    show_rule: async ({ ruleId }) => (await rulesView()).reveal(ruleId),
    card_sight: (card, { session }) => activity.cardSight(session.key, card),
  };
});
