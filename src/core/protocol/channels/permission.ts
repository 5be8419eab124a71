/** Permission requests: their answers, and the rules that the user makes of them. */
import { literal } from '../../schema/schema';
import { message } from '../messages/channel';
import { id, path } from '../messages/fields';

export const permission = {
  takes: {
    answer_permission: message({ permissionId: id, optionId: path }, { keepsPreview: true }),
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
