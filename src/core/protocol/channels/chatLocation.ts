/** The place where conversations open. */
import { type Infer, literal } from '../../schema/schema';
import { message } from '../messages/channel';

const location = literal('editor', 'sideBar');
/** The place where conversations open: in an editor tab, or in the chat view of a side bar. */
export type ChatLocation = Infer<typeof location>;

export const chatLocation = {
  takes: {
    /** Sets where conversations open from now on, including this one. */
    set_chat_location: message({ location }, { recorded: true, restricted: true, withoutSession: true }),
  },
};
