/** The sandbox of the session. */
import { literal } from '../../schema/schema';
import { message } from '../messages/channel';
import { place } from '../messages/fields';

export const sandbox = {
  takes: {
    /** Opens the choice of the mode. */
    sandbox_choose: message({}),
    /** Adds to the user's settings what the sandbox refused in this session. */
    sandbox_allow: message({ kind: literal('host', 'write', 'read'), target: place }),
  },
};
