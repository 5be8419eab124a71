import type { endpoints, EndpointsPage } from '../../core/protocol/channels/endpoints';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { lazy } from '../../util/lazy';
import type { EndpointsPages } from '../endpoints/endpointsPage';
import type { SessionCommands } from '../sessions/sessionCommands';
import type { UserActivity } from '../shared/userActivity';
import { feature } from '../routing/feature';

interface EndpointServices {
  readonly activity: UserActivity;
  readonly sessions: Pick<Sessions, 'markStale'>;
  readonly sessionCommands: Pick<SessionCommands, 'deps' | 'history'>;
}

interface Source {
  readonly session: Pick<Session, 'launch'>;
  post(message: { readonly type: 'endpoints' } & EndpointsPage): void;
}

type PageOf = [pages: EndpointsPages, launch: AgentLaunch, post: (page: Omit<EndpointsPage, 'shown'>) => void];

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
  /** Calls `use` with the launch of the session's agent and a function that sends the page. */
  const during = async (shown: string, { session: { launch }, post }: Source, use: (...args: PageOf) => Promise<void>): Promise<void> => {
    if (launch) {
      await use(await pages(), launch, (page) => post({ type: 'endpoints', shown, ...page }));
    }
  };
  return {
    show_endpoints: ({ shown }, source) => during(shown, source, (all, launch, post) => all.show(launch, post)),
    set_endpoint: ({ shown, ...typed }, source) => during(shown, source, (all, launch, post) => all.set(launch, typed, post)),
    reset_endpoint: ({ shown, providerId }, source) =>
      during(shown, source, (all, launch, post) => all.change(launch, providerId, undefined, post)),
    turn_off_endpoint: ({ shown, providerId }, source) =>
      during(shown, source, (all, launch, post) => all.change(launch, providerId, { providerId, isOff: true }, post)),
  };
});
