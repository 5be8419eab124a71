import { otherAccounts } from '../../application/agents/accounts';
import type { accounts } from '../../core/protocol/channels/accounts';
import type { SessionCommands } from '../sessions/sessionCommands';
import { feature } from '../routing/feature';

interface AccountsServices {
  readonly sessionCommands: Pick<SessionCommands, 'deps' | 'actions'>;
}

export default feature<typeof accounts, AccountsServices>(({ sessionCommands }) => {
  const accountsOf = (agentId: string) => otherAccounts(sessionCommands.deps.agents().catalog.entries, agentId);
  return {
    accounts: (_, { session, post }) =>
      post({ type: 'accounts', accounts: accountsOf(session.agentId).map(({ agentId, agentName }) => ({ agentId, name: agentName })) }),
    continue_with_account: async ({ agentId }, { session }) => {
      const account = accountsOf(session.agentId).find((each) => each.agentId === agentId);
      if (account) {
        await (await sessionCommands.actions()).handover().then((handover) => handover.continueWith(session, account.launch));
      }
    },
  };
});
