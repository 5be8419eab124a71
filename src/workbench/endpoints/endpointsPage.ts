/** The host's side of the page of an agent's endpoints. */
import { addressProblem, headersOf, listedEndpoints } from '../../application/endpoints/endpointRows';
import type { EndpointsPage } from '../../core/protocol/channels/endpoints';
import type { ProviderChoice } from '../../core/account/provider';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { failureOf } from '../../core/model/failure';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { askKey, confirmEndpoint } from './askKey';
import { type EndpointChangeDependencies, EndpointChanges } from './endpointChanges';

interface EndpointsPageDependencies extends EndpointChangeDependencies {
  readonly activity: UserActivity;
}

/** The endpoint as the user has typed it. */
interface TypedEndpoint {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly header: Parameters<typeof headersOf>[0];
}

type Post = (page: Omit<EndpointsPage, 'shown'>) => void;

export class EndpointsPages {
  private readonly changes: EndpointChanges;

  constructor(private readonly deps: EndpointsPageDependencies) {
    this.changes = new EndpointChanges(deps);
  }

  async show(launch: AgentLaunch, post: Post, isChanged = false): Promise<void> {
    post({ isBusy: true });
    try {
      const { providers, choices } = await this.changes.list(launch);
      post({ isBusy: false, endpoints: listedEndpoints(providers, choices), ...(isChanged && { isChanged }) });
    } catch (error) {
      post({ isBusy: false, failure: failureOf(error) });
    }
  }

  /** Asks for the key, or for a confirmation: the page alone must not send the user's messages elsewhere. */
  async set(launch: AgentLaunch, { providerId, apiType, baseUrl, header }: TypedEndpoint, post: Post): Promise<void> {
    const address = baseUrl.trim();
    const problem = addressProblem(address, t);
    if (problem) {
      void window.showWarningMessage(problem);
      return;
    }
    const key = await this.deps.activity.during(async () =>
      header === 'none' ? ((await confirmEndpoint(address, launch.agentName)) ? '' : undefined) : askKey(address),
    );
    if (key !== undefined) {
      await this.change(launch, providerId, { providerId, apiType, baseUrl: address, headers: headersOf(header, key) }, post);
    }
  }

  /** @param choice undefined: the agent's own endpoint applies */
  async change(launch: AgentLaunch, providerId: string, choice: ProviderChoice | undefined, post: Post): Promise<void> {
    post({ isBusy: true });
    try {
      await this.changes.change(launch, providerId, choice);
    } catch (error) {
      post({ isBusy: false, failure: failureOf(error) });
      return;
    }
    await this.show(launch, post, true);
  }
}
