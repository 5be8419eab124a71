/** The MCP servers of the session. */
import { message } from '../messages/channel';

export const mcp = {
  takes: {
    /** Opens the list of the servers. */
    servers_choose: message({}),
    /** Asks for the consents and the values that are missing. */
    servers_review: message({}),
    /** Restarts the session with the servers as they are now. */
    servers_restart: message({}),
  },
};
