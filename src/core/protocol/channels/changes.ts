/** The agent's changes of files: review, report and restore. */
import { literal, optional } from '../../schema/schema';
import { message } from '../messages/channel';
import { id, index, path } from '../messages/fields';

export const changes = {
  takes: {
    /**
     * Acts on the report about the agent's changes in the next prompt: opens a file, applies its changes again, or removes it from the report.
     * Without a path, on all files.
     */
    change_report: message({ act: literal('open', 'apply', 'remove'), path: optional(path) }),
    /** Keeps, undoes or opens the changes that wait for review. Without a path, all of the session. */
    review_changes: message({ act: literal('keep', 'undo', 'open'), path: optional(path) }),
    /** Offers to restore files, the conversation, or both to the state before this message. */
    restore_checkpoint: message({ entryId: id }),
    /** Undoes the last restore of files and conversation. */
    undo_restore: message({}),
    /**
     * Acts on lines that an agent's write may remove, or has removed: compares the file with the request or the notice, or puts the lines back.
     */
    saved_lines: message({ act: literal('compare', 'put_back'), entryId: id }),
    /** Opens a file that a turn changed, by its index in the turn's list. */
    open_turn_file: message({ entryId: id, file: index }, { recorded: true }),
  },
};
