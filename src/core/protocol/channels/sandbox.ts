/** The sandbox of the session. */
import { message } from '../messages/channel';
import { sandboxRefusal } from '../../sandbox/sandbox';

export const sandbox = {
  takes: {
    /** Opens the choice of the mode. */
    sandbox_choose: message({}),
    /** Adds to the user's settings what the sandbox refused in this session. */
    sandbox_allow: message({ refusal: sandboxRefusal }),
  },
};
