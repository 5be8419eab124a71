/** The terminals of the agent's commands. */
import { message } from '../messages/channel';
import { id } from '../messages/fields';

export const terminal = {
  takes: {
    stop_terminal: message({ terminalId: id }),
    /** Shows a terminal of ours among the window's own. */
    show_terminal: message({ terminalId: id }),
  },
};
