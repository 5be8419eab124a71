/** The tasks in the background. */
import { message } from '../messages/channel';
import { id } from '../messages/fields';

export const tasks = {
  takes: {
    stop_task: message({ taskId: id }),
  },
};
