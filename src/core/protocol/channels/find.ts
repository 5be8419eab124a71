/** The search in a conversation. */
import { boolean, string } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { index } from '../messages/fields';
import { type Found, MAX_QUERY } from '../messages/findQuery';

export const find = {
  takes: {
    /** Starts a search, which replaces the earlier one. An empty text ends it. The result comes back with `findId`. */
    find: message(
      { findId: index, text: string({ max: MAX_QUERY }), caseSensitive: boolean(), wholeWord: boolean() },
      { recorded: true, restricted: true, aboutShowing: true },
    ),
  },
  sends: sends<
    /** The user wants to find something in the conversation. `at`: find this text, starting at this entry. */
    | { readonly type: 'open_find'; readonly at?: { readonly entryId: string; readonly text: string } }
    /** The result of the newest `find`. Sent again when the conversation continues and the result has changed. */
    | ({ readonly type: 'found'; readonly findId: number } & Found)
  >(),
};
