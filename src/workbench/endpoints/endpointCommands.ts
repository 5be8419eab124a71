/** **ACP: Configure Model Endpoints…**: points an agent to another endpoint for its models, and back. */
import { addressProblem, endpointRows, headersOf, type KeyHeader } from '../../application/endpoints/endpointRows';
import { inertLine, own } from '../../application/shared/escape';
import type { AgentIdentity } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ModelProvider, ProviderChoice } from '../../core/account/provider';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';
import { askKey, endpointsTitle } from './askKey';
import { type EndpointChangeDependencies, EndpointChanges } from './endpointChanges';

export interface EndpointCommandDependencies extends EndpointChangeDependencies {
  readonly activity: UserActivity;
  agents(): readonly (AgentIdentity & { readonly launch: AgentLaunch })[];
}

const MAX_NAME = 80;

type Action = 'set' | 'reset' | 'off';

export class EndpointCommands {
  private readonly changes: EndpointChanges;

  constructor(private readonly deps: EndpointCommandDependencies) {
    this.changes = new EndpointChanges(deps);
  }

  /** @param agentId undefined: the user chooses the agent */
  configure(agentId?: string): Promise<void> {
    return this.deps.activity.during(() => this.ask(agentId));
  }

  private async ask(agentId: string | undefined): Promise<void> {
    const launch = await this.chooseAgent(agentId);
    if (!launch) {
      return;
    }
    const { providers, choices } = await this.changes.list(launch);
    const provider = await this.chooseProvider(launch, providers, choices);
    const action = provider && (await chooseAction(provider, choices));
    if (!provider || !action) {
      return;
    }
    const { providerId } = provider;
    const choice = action === 'set' ? await askEndpoint(provider) : action === 'off' ? ({ providerId, isOff: true } as const) : undefined;
    if (action === 'set' && !choice) {
      return;
    }
    await this.changes.change(launch, providerId, choice);
    const agent = inertLine(launch.agentName, MAX_NAME);
    void window.showInformationMessage(t('New sessions of {agent} use the endpoint. Restart the agent for open ones.', { agent }));
  }

  private async chooseAgent(agentId: string | undefined): Promise<AgentLaunch | undefined> {
    const agents = this.deps.agents();
    const known = agents.find((each) => each.agentId === agentId);
    if (known) {
      return known.launch;
    }
    const rows = agents.map(({ agentName, launch }) => ({ label: inertLine(agentName, MAX_NAME), launch }));
    return (await window.showQuickPick(rows, { title: endpointsTitle(), placeHolder: t('Select an agent') }))?.launch;
  }

  private async chooseProvider(
    { agentName }: AgentLaunch,
    providers: readonly ModelProvider[],
    choices: readonly ProviderChoice[],
  ): Promise<ModelProvider | undefined> {
    const rows = endpointRows(providers, choices, t);
    const agent = inertLine(agentName, MAX_NAME);
    if (rows.length === 0) {
      void window.showInformationMessage(t('{agent} has no endpoints that can be set.', { agent }));
      return undefined;
    }
    return (await window.showQuickPick(rows, { title: endpointsTitle(), placeHolder: t('Select an endpoint of {agent}', { agent }) }))
      ?.provider;
  }
}

async function chooseAction(provider: ModelProvider, choices: readonly ProviderChoice[]): Promise<Action | undefined> {
  const { providerId, supported, required, current } = provider;
  const rows: (Item & { readonly action: Action })[] = [
    ...(supported.length > 0 ? [{ label: t('Set Endpoint…'), action: 'set' as const }] : []),
    ...(choices.some((choice) => choice.providerId === providerId)
      ? [{ label: t("Use the Agent's Own Endpoint"), action: 'reset' as const }]
      : []),
    ...(!required && current ? [{ label: t('Turn Off'), action: 'off' as const }] : []),
  ];
  return (await window.showQuickPick(rows, { title: endpointsTitle(), placeHolder: inertLine(providerId, MAX_NAME) }))?.action;
}

/** Resolves to undefined when the user cancels. */
async function askEndpoint({ providerId, supported, current }: ModelProvider): Promise<ProviderChoice | undefined> {
  const kinds = supported.map((apiType) => ({ label: inertLine(apiType, MAX_NAME), apiType }));
  const apiType =
    supported.length === 1
      ? supported[0]
      : (await window.showQuickPick(kinds, { title: endpointsTitle(), placeHolder: t('Kind of endpoint') }))?.apiType;
  if (apiType === undefined) {
    return undefined;
  }
  const address = await window.showInputBox({
    title: endpointsTitle(),
    prompt: t('Address of the endpoint'),
    placeHolder: own('https://gateway.example.com/v1'),
    value: current?.apiType === apiType ? current.baseUrl : '',
    ignoreFocusOut: true,
    validateInput: (text) => addressProblem(text, t),
  });
  const kind = address === undefined ? undefined : await askKeyHeader();
  if (address === undefined || !kind) {
    return undefined;
  }
  const baseUrl = address.trim();
  const key = kind === 'none' ? '' : await askKey(baseUrl);
  return key === undefined ? undefined : { providerId, apiType, baseUrl, headers: headersOf(kind, key) };
}

async function askKeyHeader(): Promise<KeyHeader | undefined> {
  const rows: (Item & { readonly header: KeyHeader })[] = [
    { label: t('Bearer Token'), description: own('Authorization'), header: 'bearer' },
    { label: t('API Key'), description: own('x-api-key'), header: 'x-api-key' },
    { label: t('API Key'), description: own('api-key'), header: 'api-key' },
    { label: t('No Key'), header: 'none' },
  ];
  return (await window.showQuickPick(rows, { title: endpointsTitle(), placeHolder: t('How the key is sent') }))?.header;
}
