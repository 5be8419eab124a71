/** The messages that wait for the agent. */
import { array, literal } from '../../schema/schema';
import { message } from '../messages/channel';
import { data, id, index, MAX_BLOCKS } from '../messages/fields';

export const queue = {
  takes: {
    /** Starts to edit a queued message, which is not sent meanwhile. */
    edit_queued: message({ queueId: id }),
    /** Saves the new text, and the attachments that stay, by their index in the content. */
    save_queued: message({ queueId: id, text: data, kept: array(index, { max: MAX_BLOCKS }) }),
    /** Ends the editing without a change. */
    cancel_queued_edit: message({ queueId: id }),
    /** `index` counts without the message itself. */
    move_queued: message({ queueId: id, index }),
    remove_queued: message({ queueId: id }),
    /** Sends the message into the running turn, or interrupts the turn for it. */
    send_queued: message({ queueId: id, now: literal('steer', 'interrupt') }),
    /** Sends the queued messages that wait for the user. */
    resume_queue: message({}),
    /** Waits until the limit at which the turn failed has reset, then continues the conversation. */
    continue_later: message({ turnId: id }),
    /** Gives up that wait. */
    stop_waiting: message({}),
  },
};
