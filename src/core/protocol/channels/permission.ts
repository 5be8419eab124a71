/** Permission requests: their answers, the rules that the user makes of them, and the advice of ACP Host. */
import { literal } from '../../schema/schema';
import type { PermissionAdvice } from '../../approval/advice';
import { message, sends } from '../messages/channel';
import { id, path } from '../messages/fields';

export const permission = {
  takes: {
    answer_permission: message({ permissionId: id, optionId: path }, { keepsPreview: true }),
    /** The answers of a waiting permission request came into sight, got the focus, or are out of sight. */
    card_sight: message(
      { permissionId: id, sight: literal('hidden', 'seen', 'focused') },
      { recorded: true, restricted: true, aboutShowing: true },
    ),
    /** Requests the advice about a waiting permission request. The answer is the message `permission_advice`. */
    want_advice: message({ permissionId: id }, { aboutShowing: true }),
    /** Makes the rule of an offer and answers the request by it. */
    make_rule: message({ permissionId: id, offerId: id }, { keepsPreview: true }),
    /** Shows a rule in the list of all rules. */
    show_rule: message({ ruleId: path }, { recorded: true }),
  },
  sends: sends<
    /** The advice about the requests of the session that still wait. Each message replaces the earlier one. */
    { readonly type: 'permission_advice'; readonly advices: readonly PermissionAdvice[] }
  >(),
};
