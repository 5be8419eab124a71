/** The other accounts of the session's agent, in which the conversation can continue. */
import { message, sends } from '../messages/channel';
import { id } from '../messages/fields';

export interface AccountOnPage {
  /** The agent's id: each account is an agent of its own. */
  readonly agentId: string;
  readonly name: string;
}

export const accounts = {
  takes: {
    /** Requests the message of this name. */
    accounts: message({}, { aboutShowing: true }),
    /** Continues the conversation in a new session of this account. */
    continue_with_account: message({ agentId: id }),
  },
  sends: sends<{ readonly type: 'accounts'; readonly accounts: readonly AccountOnPage[] }>(),
};
