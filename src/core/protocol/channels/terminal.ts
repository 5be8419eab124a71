/** The terminals of the agent's commands, and tool calls that can be stopped one by one. */
import { message } from '../messages/channel';
import { id } from '../messages/fields';

export const terminal = {
  takes: {
    stop_terminal: message({ terminalId: id }),
    stop_tool_call: message({ toolCallId: id }),
    /** Shows a terminal of ours among the window's own. */
    show_terminal: message({ terminalId: id }),
  },
};
