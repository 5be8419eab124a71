import type { endpoints } from '../../core/protocol/channels/endpoints';
import type { Sessions } from '../../session/sessions';
import { lazy } from '../../util/lazy';
import type { SessionCommands } from '../sessions/sessionCommands';
import type { UserActivity } from '../shared/userActivity';
import { feature } from '../routing/feature';

interface EndpointServices {
  readonly activity: UserActivity;
  readonly sessions: Pick<Sessions, 'markStale'>;
  readonly sessionCommands: Pick<SessionCommands, 'deps' | 'history'>;
}

export default feature<typeof endpoints, EndpointServices>(({ activity, sessions, sessionCommands }) => {
  const pages = lazy(
    async () =>
      new (await import('../endpoints/endpointsPage')).EndpointsPages({
        account: sessionCommands.deps.account,
        activity,
        connect: async (launch) => (await sessionCommands.history()).remote(launch),
        markStale: (agentId) => sessions.markStale(agentId),
      }),
  );
  return {
    endpoints: async ({ shown, change }, { session: { launch }, post }) => {
      if (launch) {
        await (await pages()).handle(launch, change, (page) => post({ type: 'endpoints', shown, ...page }));
      }
    },
  };
});
