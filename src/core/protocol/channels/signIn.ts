/** Signing in at the agent. */
import { optional } from '../../schema/schema';
import { message } from '../messages/channel';
import { id } from '../messages/fields';

export const signIn = {
  takes: {
    /** Without a method: the user cancels signing in. */
    sign_in: message({ methodId: optional(id) }),
  },
};
