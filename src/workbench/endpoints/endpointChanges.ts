/** Lists and changes the endpoints of an agent's models. The choices are kept in the secret storage, and each new process of the agent gets them. */
import { isDeepStrictEqual } from 'node:util';
import { withChoice } from '../../application/endpoints/endpointRows';
import type { ModelProvider, ProviderChoice } from '../../core/account/provider';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { RemoteSessions } from '../../session/agent/remoteSessions';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import type { Account } from '../signIn/account';

export interface EndpointChangeDependencies {
  readonly account: Pick<Account, 'load' | 'endpointsOf' | 'endpoints'>;
  /** Connects to the agent without a session. The caller disposes the result. */
  connect(launch: AgentLaunch): Promise<Pick<RemoteSessions, 'providers' | 'dispose'>>;
  /** New sessions get a new process of the agent. */
  markStale(agentId: string): void;
}

export interface ListedEndpoints {
  readonly providers: readonly ModelProvider[];
  /** The user's choices. */
  readonly choices: readonly ProviderChoice[];
}

export class EndpointChanges {
  constructor(private readonly deps: EndpointChangeDependencies) {}

  /** An agent that cannot start with the present endpoints lists none, so that the user can change them. @throws Fault */
  async list(launch: AgentLaunch): Promise<ListedEndpoints> {
    const { account, connect } = this.deps;
    await account.load(launch);
    const choices = account.endpointsOf(launch);
    const agent = await connect(launch);
    try {
      return { providers: await agent.providers(), choices };
    } catch (error) {
      if (choices.length === 0) {
        throw error;
      }
      return { providers: [], choices };
    } finally {
      agent.dispose();
    }
  }

  /**
   * Changes the user's choice for an endpoint. A choice that a new process of the agent refuses is reverted.
   *
   * @param choice undefined: the agent's own endpoint applies
   * @throws Fault
   */
  async change(launch: AgentLaunch, providerId: string, choice: ProviderChoice | undefined): Promise<void> {
    const { account, connect, markStale } = this.deps;
    const saved = await account.endpoints();
    await account.load(launch);
    const choices = saved.of(launch);
    const isSaved = await saved.keep(launch, withChoice(choices, providerId, choice));
    // The endpoint belongs to the process: a new one has it, and the sessions of the old one end with it.
    markStale(launch.agentId);
    if (choice) {
      let agent: Awaited<ReturnType<typeof connect>> | undefined;
      try {
        agent = await connect(launch);
        await agent.providers();
      } catch (error) {
        await this.revert(launch, choice, choices);
        throw error;
      } finally {
        agent?.dispose();
      }
    }
    if (!isSaved) {
      void window.showWarningMessage(t("Couldn't save your credentials. They will be lost when the window is closed."));
    }
  }
  /** Restores the endpoint's earlier choice, unless the user has changed this one meanwhile. Other endpoints keep their present choices. */
  private async revert(launch: AgentLaunch, choice: ProviderChoice, earlier: readonly ProviderChoice[]): Promise<void> {
    const { account, markStale } = this.deps;
    const { providerId } = choice;
    const saved = await account.endpoints();
    const present = saved.of(launch);
    const isThis = (each: ProviderChoice): boolean => each.providerId === providerId;
    if (isDeepStrictEqual(present.find(isThis), choice)) {
      await saved.keep(launch, withChoice(present, providerId, earlier.find(isThis)));
      markStale(launch.agentId);
    }
  }
}
