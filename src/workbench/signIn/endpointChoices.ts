/** The user's choices for the endpoints of agents' models, in the secret storage. Loaded when there are some. */
import { choiceIn } from '../../application/endpoints/storedChoice';
import type { ProviderChoice } from '../../core/account/provider';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { SavedCredentials, type SavedCredentialsDependencies } from './savedCredentials';

export class EndpointChoices {
  /** Each choice as JSON, by the endpoint's id. */
  private readonly kept: SavedCredentials;

  constructor(deps: SavedCredentialsDependencies) {
    this.kept = new SavedCredentials(deps, {
      key: 'acpHost.endpoints.',
      oldKey: 'acpHost.endpointsByName.',
      agents: 'endpointAgents',
    });
  }

  /**
   * Loads the choices, also those that another window has changed: the prompts of a new agent must not go to an earlier endpoint. Must be awaited
   * before an agent is started, because {@link of} answers synchronously.
   */
  async load(launch: AgentLaunch): Promise<void> {
    await this.kept.load(launch, true);
  }

  of(launch: AgentLaunch): readonly ProviderChoice[] {
    return Object.entries(this.kept.of(launch)).flatMap(([providerId, text]) => choiceIn(providerId, text));
  }

  /** Saves all choices of this launch. Resolves to false when they last only until the window closes. */
  keep(launch: AgentLaunch, choices: readonly ProviderChoice[]): Promise<boolean> {
    return this.kept.keep(launch, Object.fromEntries(choices.map((choice) => [choice.providerId, JSON.stringify(choice)])));
  }

  /** The stored ids of agents with choices. */
  get agents(): readonly string[] {
    return this.kept.agents;
  }

  forget(agent: AgentKey): Promise<void> {
    return this.kept.forget(agent);
  }
}
