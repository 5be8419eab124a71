/** The subagents of the session. */
import { message } from '../messages/channel';
import { id } from '../messages/fields';

export const subagents = {
  takes: {
    stop_subagent: message({ subagentId: id }),
  },
};
