/** The host's side of the page of an agent's endpoints. */
import { addressProblem, headersOf, listedEndpoints } from '../../application/endpoints/endpointRows';
import type { EndpointChange, EndpointsPage } from '../../core/protocol/channels/endpoints';
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

type Post = (page: Omit<EndpointsPage, 'shown'>) => void;

export class EndpointsPages {
  private readonly changes: EndpointChanges;

  constructor(private readonly deps: EndpointsPageDependencies) {
    this.changes = new EndpointChanges(deps);
  }

  /** Makes the change, if there is one, and posts the endpoints. */
  async handle(launch: AgentLaunch, change: EndpointChange | undefined, post: Post): Promise<void> {
    const choice = change && (await this.choiceFor(launch, change));
    if (change && !choice) {
      return; // The user has cancelled.
    }
    post({ isBusy: true });
    try {
      if (choice) {
        await this.changes.change(launch, change.providerId, choice.choice);
      }
      const { providers, choices } = await this.changes.list(launch);
      post({ isBusy: false, endpoints: listedEndpoints(providers, choices), ...(choice && { isChanged: true }) });
    } catch (error) {
      post({ isBusy: false, failure: failureOf(error) });
    }
  }

  /**
   * Returns the user's choice. Asks for the key, or for a confirmation: the page alone must not send the user's messages elsewhere. Undefined when the user
   * cancels.
   */
  private async choiceFor(
    launch: AgentLaunch,
    { providerId, to, apiType, baseUrl, header = 'none' }: EndpointChange,
  ): Promise<{ readonly choice: ProviderChoice | undefined } | undefined> {
    if (to !== 'set') {
      return { choice: to === 'off' ? { providerId, isOff: true } : undefined };
    }
    const address = baseUrl?.trim() ?? '';
    const problem = apiType === undefined ? undefined : addressProblem(address, t);
    if (apiType === undefined || problem) {
      void (problem && window.showWarningMessage(problem));
      return undefined;
    }
    const key = await this.deps.activity.during(async () =>
      header === 'none' ? ((await confirmEndpoint(address, launch.agentName)) ? '' : undefined) : askKey(address),
    );
    return key === undefined ? undefined : { choice: { providerId, apiType, baseUrl: address, headers: headersOf(header, key) } };
  }
}
