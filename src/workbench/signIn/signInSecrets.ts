/** Asks for the key or the gateway of a sign-in method, and keeps it in the secret storage. Loaded with the first such sign-in. */
import type { AuthMethod } from '../../core/model/content';
import type { EnteredSecret, SignInSecret } from '../../core/account/signInSecret';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { fault } from '../../core/model/failure';
import { addressProblem, headersOf, isUnencrypted, type KeyHeader } from '../../application/endpoints/endpointRows';
import { secretFor, secretIn } from '../../application/signIn/secretText';
import { type InertText, inertLine, own } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';
import { SavedCredentials, type SavedCredentialsDependencies } from './savedCredentials';

const MAX_NAME = 60;

export class SignInSecrets {
  /** Saved per launch, as the values of other methods are. They are not part of the agent's environment. */
  private readonly kept: SavedCredentials;

  constructor(
    deps: SavedCredentialsDependencies,
    private readonly activity: Pick<UserActivity, 'during'>,
  ) {
    this.kept = new SavedCredentials(deps, {
      key: 'acpHost.signInSecrets.',
      oldKey: 'acpHost.signInSecretsByName.',
      agents: 'agentsWithSecrets',
    });
  }

  /** Asks for the secret unless it is stored. @throws Fault `auth.not_finished` when the user cancels or `signal` aborts */
  async ask(launch: AgentLaunch, method: AuthMethod, again: boolean, signal: AbortSignal): Promise<void> {
    await this.kept.load(launch);
    const { [method.methodId]: stored, ...others } = this.kept.of(launch);
    if (stored !== undefined && !again) {
      return;
    }
    const title = t('Sign in: {agent}', { agent: inertLine(launch.agentName, MAX_NAME) });
    const entered = await this.activity.during(() =>
      method.asks === 'gateway' ? askGateway(title, secretIn(stored)) : askForKey(title, method.provider),
    );
    if (!entered || signal.aborted) {
      throw fault('auth.not_finished');
    }
    if (!(await this.kept.keep(launch, { ...others, [method.methodId]: JSON.stringify(entered) }))) {
      void window.showWarningMessage(t("Couldn't save your credentials. They will be lost when the window is closed."));
    }
  }

  /** Returns the secret that was asked for, or loaded. */
  of(launch: AgentLaunch, { methodId }: AuthMethod): SignInSecret | undefined {
    const entered = secretIn(this.kept.of(launch)[methodId]);
    return entered && secretFor(entered);
  }

  /** The stored ids of agents with secrets. */
  get agents(): readonly string[] {
    return this.kept.agents;
  }

  forget(agent: AgentKey): Promise<void> {
    return this.kept.forget(agent);
  }
}

async function askForKey(title: InertText, provider: string | undefined): Promise<EnteredSecret | undefined> {
  const name = inertLine(provider ?? '', MAX_NAME);
  const key = await window.showInputBox({
    title,
    prompt:
      provider === undefined
        ? t("The API key. It is kept in VS Code's secret storage.")
        : t("The API key of {provider}. It is kept in VS Code's secret storage.", { provider: name }),
    password: true,
    ignoreFocusOut: true,
  });
  return key?.trim() ? { key: key.trim(), ...(provider !== undefined && { provider }) } : undefined;
}

async function askGateway(title: InertText, before: EnteredSecret | undefined): Promise<EnteredSecret | undefined> {
  const address = await window.showInputBox({
    title,
    prompt: t('Address of the gateway. The agent sends your messages and files there.'),
    placeHolder: own('https://gateway.example.com/v1'),
    value: before && 'baseUrl' in before ? before.baseUrl : '',
    ignoreFocusOut: true,
    validateInput: (text) => addressProblem(text, t),
  });
  if (address === undefined) {
    return undefined;
  }
  const rows: (Item & { readonly header: KeyHeader })[] = [
    { label: t('Bearer Token'), description: own('Authorization'), header: 'bearer' },
    { label: t('API Key'), description: own('x-api-key'), header: 'x-api-key' },
    { label: t('API Key'), description: own('api-key'), header: 'api-key' },
    { label: t('No Key'), header: 'none' },
  ];
  const header = (await window.showQuickPick(rows, { title, placeHolder: t('How the key is sent'), ignoreFocusOut: true }))?.header;
  if (header === undefined) {
    return undefined;
  }
  const baseUrl = address.trim();
  const key =
    header === 'none'
      ? ''
      : await window.showInputBox({
          title,
          prompt: isUnencrypted(baseUrl)
            ? t("The key. The address isn't encrypted, so others on the network can read the key.")
            : t("The key. It is kept in VS Code's secret storage."),
          password: true,
          ignoreFocusOut: true,
        });
  return key === undefined || (header !== 'none' && key.trim() === '') ? undefined : { baseUrl, headers: headersOf(header, key.trim()) };
}
