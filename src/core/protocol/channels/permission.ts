/** Permission requests: their answers, the mode of the session, and the rules that the user makes of requests. */
import { permissionMode } from '../../modes/permissionMode';
import { literal } from '../../schema/schema';
import { message } from '../messages/channel';
import { id, ids, path } from '../messages/fields';

export const permission = {
  takes: {
    answer_permission: message({ permissionId: id, optionId: path }, { keepsPreview: true }),
    /** Answers all of these questions that offer the kind with their own option of it. */
    answer_alike: message({ permissionIds: ids, kind: literal('allow_once', 'reject_once') }, { keepsPreview: true }),
    /** Sets the session's permission mode. The host asks again before Allow everything. */
    set_permission_mode: message({ mode: permissionMode }, { keepsPreview: true }),
    /** The answers of a waiting permission request came into sight, got the focus, or are out of sight. */
    card_sight: message(
      { permissionId: id, sight: literal('hidden', 'seen', 'focused') },
      { recorded: true, restricted: true, aboutShowing: true },
    ),
    /** Makes a suggested rule and answers the request by it. */
    make_rule: message({ permissionId: id, suggestionId: id }, { keepsPreview: true }),
    /** Shows a rule in the list of all rules. */
    show_rule: message({ ruleId: path }, { recorded: true }),
  },
};
