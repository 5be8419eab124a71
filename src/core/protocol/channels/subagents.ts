/** The subagents of the session. */
import { message } from '../channel';
import { id } from '../fields';

export const subagents = {
  takes: {
    stop_subagent: message({ subagentId: id }),
  },
};
