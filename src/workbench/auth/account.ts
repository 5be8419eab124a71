/** The parts of signing in to agents that need the window: a terminal for the agent's own program, input boxes for values, and the secret storage. */
import * as vscode from 'vscode';
import { shownCommand } from '../../acp/redaction/launchSecrets';
import { secretValues } from '../../acp/redaction/secretValues';
import { prepareProgram, type PlacedLaunch } from '../../agent/prepare';
import type { AuthMethod } from '../../core/model/content';
import { isProcess } from '../../core/agents/endpoint';
import { fault } from '../../core/model/failure';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/ports';
import type { AccountPort } from '../../session/agent/signIn';
import type { LoadPty } from '../../terminal/pty';
import { displayCommand } from '../../util/commandLine';
import { overlayEnvironment, type Environment } from '../../util/environment';
import { type InertText, joined, visible } from '../shared/escape';
import { SavedCredentials, type Values } from './savedCredentials';
import { t } from '../shared/l10n';
import type { LaunchPlaces } from '../agents/launchPlaces';
import { namesProgram } from '../agents/programs';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

const MAX_NAME = 60;

export interface AccountDependencies {
  readonly secrets: vscode.SecretStorage;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
  readonly activity: UserActivity;
  /** The environment of the extension host. */
  readonly environment: Environment;
  readonly places: LaunchPlaces;
  readonly loadPty: LoadPty;
  /** True for the one agent that runs on VS Code's own Node. */
  runsAsNode(launch: AgentLaunch): boolean;
}

export class Account implements AccountPort {
  private readonly kept: SavedCredentials;
  /** The terminal of the last attempt, by agent. Its program may have failed and left output to read. */
  private readonly finished = new Map<string, vscode.Terminal>();

  constructor(private readonly ports: AccountDependencies) {
    const { secrets, globalState } = ports;
    this.kept = new SavedCredentials({ secrets, globalState, remoteName: vscode.env.remoteName });
  }

  /** Loads the saved values. Must be awaited before an agent is started, because {@link environment} answers synchronously. */
  async load(launch: AgentLaunch): Promise<void> {
    if (await this.kept.load(launch)) {
      const agent = visible(launch.agentName, MAX_NAME);
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

  /** The stored ids of agents with saved values. */
  get agentsWithValues(): readonly string[] {
    return this.kept.agents;
  }

  /** Deletes the saved values of all launches of this agent. Its next start goes without them. */
  forget(agent: AgentKey): Promise<void> {
    return this.kept.forget(agent);
  }

  async runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<void> {
    const { refuseSteering } = await import('./signInVariables');
    const { runVisibly } = await import('./signInTerminal');
    if (!isProcess(launch)) {
      throw fault('auth.unknown_method'); // There is no program to run.
    }
    const { command, args = [], env = {} } = method;
    refuseSteering(Object.keys(env));
    const own: PlacedLaunch = {
      ...launch,
      args: [...launch.args, ...args],
      env: { ...launch.env, ...this.environment(launch) },
      ...this.ports.places(launch, cwd),
      runAsNode: this.ports.runsAsNode(launch),
    };
    const placed =
      command === undefined ? own : { ...own, args, ...((await namesProgram(own, command, this.ports.environment)) ? {} : { command }) };
    // Prepared before the method's environment is added, because that must not decide which program runs.
    const program = await prepareProgram(placed, this.ports.environment);
    const commandLine = visible(shownCommand(placed.command, placed.args, secretValues(placed.env)));
    // The user agrees to the whole command line, so it is not shortened.
    if (command !== undefined && !(await this.agreed(launch, visible(displayCommand(placed.command, placed.args)), env))) {
      throw fault('auth.not_finished');
    }
    const environment = overlayEnvironment(program.environment, env);
    const { agentId } = launch;
    let terminal: vscode.Terminal | undefined;
    try {
      await runVisibly({ ...program, environment, title: titleOf(launch), commandLine }, this.ports.loadPty, signal, (opened) => {
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
    const { askValues, refuseSteering } = await import('./signInVariables');
    if (!isProcess(launch)) {
      throw fault('auth.unknown_method'); // There is no environment for the values.
    }
    refuseSteering((method.vars ?? []).map(({ name }) => name));
    await this.load(launch);
    const kept = this.environment(launch);
    const values = await this.ports.activity.during(() => askValues(titleOf(launch), method, kept, signal));
    const others = Object.entries(kept).filter(([name]) => !method.vars?.some((variable) => variable.name === name));
    if (!(await this.kept.keep(launch, { ...Object.fromEntries(others), ...values }))) {
      void window.showWarningMessage(t("Couldn't save your credentials. They will be lost when the window is closed."));
    }
  }

  hasVariables(launch: AgentLaunch, { vars = [] }: AuthMethod): boolean {
    const kept = this.environment(launch);
    return vars.some(({ name }) => name in kept) && vars.every(({ name, optional }) => optional || name in kept);
  }

  /** Asks the user to confirm a command that differs from the configured one, because an agent must not choose what runs. */
  private async agreed({ agentName }: AgentLaunch, commandLine: InertText, env: Values): Promise<boolean> {
    const variables = Object.entries(env).map(([name, value]) => joined([visible(name), visible(value)], '='));
    const run = t('Run in Terminal');
    const message = t("{agent} wants to run this to sign you in. It isn't the command in your settings.", {
      agent: visible(agentName, MAX_NAME),
    });
    const options = { modal: true, detail: joined([commandLine, ...variables], '\n') };
    return (await this.ports.activity.during(() => window.showWarningMessage(message, options, run))) === run;
  }
}

function titleOf({ agentName }: AgentLaunch): InertText {
  return t('Sign in: {agent}', { agent: visible(agentName, MAX_NAME) });
}
