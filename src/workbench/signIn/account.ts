/** The parts of signing in to agents that need the window: a terminal for the agent's own program, input boxes for values, and the secret storage. */
import * as vscode from 'vscode';
import type { AuthMethod } from '../../core/model/content';
import { isProcess, type RemoteEndpoint } from '../../core/agents/endpoint';
import { fault } from '../../core/model/failure';
import type { SignInSecret } from '../../core/account/signInSecret';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ProviderChoice } from '../../core/account/provider';
import type { SignInUi } from '../../session/agent/signIn';
import { type InertText, inertLine } from '../../application/shared/escape';
import { lazy } from '../../util/lazy';
import type { EndpointChoices } from './endpointChoices';
import { SavedCredentials, type SavedCredentialsDependencies, type Values } from './savedCredentials';
import type { SignInSecrets } from './signInSecrets';
import type { SignInProgramDependencies } from './signInProgram';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_NAME = 60;

export interface AccountDependencies extends SignInProgramDependencies {
  readonly secrets: vscode.SecretStorage;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
}

export class Account implements SignInUi {
  private readonly storage: SavedCredentialsDependencies;
  private readonly kept: SavedCredentials;
  /** Undefined until it is loaded. */
  private choices: EndpointChoices | undefined;
  /** The user's choices for the endpoints of agents' models. */
  readonly endpoints = lazy(async () => {
    const { EndpointChoices } = await import('./endpointChoices');
    return (this.choices = new EndpointChoices(this.storage));
  });
  /** Undefined until they are loaded. */
  private loadedSecrets: SignInSecrets | undefined;
  /** The secrets that are sent with `authenticate`. */
  readonly signInSecrets = lazy(async () => {
    const { SignInSecrets } = await import('./signInSecrets');
    return (this.loadedSecrets = new SignInSecrets(this.storage, this.deps.activity));
  });
  /** The terminal of the last attempt, by agent. Its program may have failed and left output to read. */
  private readonly finished = new Map<string, vscode.Terminal>();

  constructor(private readonly deps: AccountDependencies) {
    const { secrets, globalState } = deps;
    this.storage = { secrets, globalState, remoteName: vscode.env.remoteName };
    this.kept = new SavedCredentials(this.storage);
  }

  /** Loads the saved values. Must be awaited before an agent is started, because {@link environment} answers synchronously. */
  async load(launch: AgentLaunch): Promise<void> {
    if (this.choices ?? this.deps.globalState.get('endpointAgents', undefined)) {
      await (await this.endpoints()).load(launch);
    }
    if (await this.kept.load(launch)) {
      const agent = inertLine(launch.agentName, MAX_NAME);
      void window.showInformationMessage(
        t("The saved credentials for {agent} weren't tied to its command and have been deleted. Sign in again when {agent} asks you to.", {
          agent,
        }),
      );
    }
  }

  /** The values that the user typed for this launch. */
  environment(launch: AgentLaunch): Values {
    return this.kept.of(launch);
  }

  /** The endpoints that the user has set for the models of this launch. */
  endpointsOf(launch: AgentLaunch): readonly ProviderChoice[] {
    return this.choices?.of(launch) ?? [];
  }

  /** The stored ids of agents with saved values. */
  get agentsWithValues(): readonly string[] {
    return this.kept.agents;
  }

  /** Deletes the saved values of all launches of this agent. Its next start goes without them. */
  forget(agent: AgentKey): Promise<void> {
    return this.kept.forget(agent);
  }

  /**
   * Returns the launch with the values of the variables in its headers. Asks for those that the user enters once, and keeps them.
   *
   * @param again asks for values that are known, because the agent has refused them
   */
  async withHeaders(launch: AgentLaunch & RemoteEndpoint, again: boolean): Promise<AgentLaunch> {
    const { inputNames, withHeaderValues } = await import('../../application/agents/remoteHeaders');
    await this.load(launch);
    const kept = this.environment(launch);
    const entered: Record<string, string> = {};
    for (const name of inputNames(launch.headers)) {
      if (again || kept[name] === undefined) {
        const prompt = t('Enter {name} for {agent}. It is kept in the secret storage of VS Code.', {
          name: inertLine(name, MAX_NAME),
          agent: inertLine(launch.agentName, MAX_NAME),
        });
        const options = { title: titleOf(launch), prompt, password: true, ignoreFocusOut: true };
        const value = await this.deps.activity.during(() => window.showInputBox(options), 'start');
        if (value === undefined) {
          throw fault('remote.no_secret', { name });
        }
        entered[name] = value.trim();
      }
    }
    const values = { ...kept, ...entered };
    if (Object.keys(entered).length > 0 && !(await this.kept.keep(launch, values))) {
      void window.showWarningMessage(t("The value couldn't be saved. It is used until the window is closed."));
    }
    return { ...launch, headers: withHeaderValues(launch.headers, (name) => process.env[name], values) };
  }

  async runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<void> {
    const isOnHost = launch.kind === 'ssh' && method.command === undefined;
    if (!isProcess(launch) && !isOnHost) {
      throw fault('auth.unknown_method'); // There is no program to run.
    }
    const { runSignInProgram, signInOnHost } = await import('./signInProgram');
    const { agentId } = launch;
    let terminal: vscode.Terminal | undefined;
    try {
      const program = isProcess(launch)
        ? { launch: { ...launch, env: { ...launch.env, ...this.environment(launch) } }, method }
        : await signInOnHost(launch, cwd, method);
      await runSignInProgram(this.deps, { ...program, cwd, title: titleOf(launch) }, signal, (opened) => {
        terminal = opened;
        this.finished.get(agentId)?.dispose();
      });
    } finally {
      if (terminal) {
        this.finished.set(agentId, terminal);
      }
    }
  }

  async askVariables(launch: AgentLaunch, method: AuthMethod, signal: AbortSignal): Promise<void> {
    const { askValues, rejectUnsafeVariables } = await import('./signInVariables');
    if (!isProcess(launch)) {
      throw fault('auth.unknown_method'); // There is no environment for the values.
    }
    rejectUnsafeVariables((method.vars ?? []).map(({ name }) => name));
    await this.load(launch);
    const kept = this.environment(launch);
    const values = await this.deps.activity.during(() => askValues(titleOf(launch), method, kept, signal));
    const others = Object.entries(kept).filter(([name]) => !method.vars?.some((variable) => variable.name === name));
    if (!(await this.kept.keep(launch, { ...Object.fromEntries(others), ...values }))) {
      void window.showWarningMessage(t("Couldn't save your credentials. They will be lost when the window is closed."));
    }
  }

  async askSecret(...asked: Parameters<SignInUi['askSecret']>): Promise<void> {
    await (await this.signInSecrets()).ask(...asked);
  }

  secret(launch: AgentLaunch, method: AuthMethod): SignInSecret | undefined {
    return this.loadedSecrets?.of(launch, method);
  }

  hasVariables(launch: AgentLaunch, { vars = [] }: AuthMethod): boolean {
    const kept = this.environment(launch);
    return vars.some(({ name }) => name in kept) && vars.every(({ name, optional }) => optional || name in kept);
  }
}

function titleOf({ agentName }: AgentLaunch): InertText {
  return t('Sign in: {agent}', { agent: inertLine(agentName, MAX_NAME) });
}
