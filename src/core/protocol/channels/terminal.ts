/** The terminals of the agent's commands. */
import { message } from '../channel';
import { id } from '../fields';

export const terminal = {
  takes: {
    stop_terminal: message({ terminalId: id }),
    /** Shows a terminal of ours among the window's own. */
    show_terminal: message({ terminalId: id }),
  },
};
