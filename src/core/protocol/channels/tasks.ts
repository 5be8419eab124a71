/** The tasks in the background. */
import { message } from '../messages/channel';
import { id } from '../messages/fields';

export const tasks = {
  takes: {
    stop_task: message({ taskId: id }),
    /** Marks a tool call as ended whose end the agent has not reported. */
    mark_ended: message({ toolCallId: id }),
  },
};
