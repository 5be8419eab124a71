/** The answers to permission requests. */
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
  },
};
