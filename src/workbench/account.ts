/** Signing in at agents, as far as it needs the window: a terminal for the agent's own program, boxes for values, the secret storage for keeping them. */
import type * as vscode from 'vscode';
import { prepareProgram, type PlacedLaunch } from '../agent/prepare';
import type { AuthMethod } from '../core/content';
import { fault } from '../core/failure';
import type { AgentLaunch } from '../core/ports';
import type { AccountPort } from '../session/signIn';
import type { LoadPty } from '../terminal/pty';
import { displayCommand } from '../util/commandLine';
import { overlayEnvironment, type Environment } from '../util/environment';
import { type InertText, joined, visible } from './escape';
import { t } from './l10n';
import { namesProgram } from './programs';
import type { UserActivity } from './userActivity';
import type { Values } from './signInVariables';
import { window } from './window';

/** Where an agent's values are kept in the secret storage. */
const KEY = 'acpHost.environment.';
/** Where it is kept which agents have any: the secret storage cannot be asked. */
const AGENTS = 'agentsWithValues';
const MAX_NAME = 60;

export interface AccountPorts {
  readonly secrets: vscode.SecretStorage;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
  readonly activity: UserActivity;
  /** Of the extension host. */
  readonly environment: Environment;
  readonly loadPty: LoadPty;
  /** True for the one agent that runs on VS Code's own Node. */
  runsAsNode(launch: AgentLaunch): boolean;
}

export class Account implements AccountPort {
  /** What is kept, by agent; filled by {@link load}. */
  private readonly kept = new Map<string, Values>();
  /** By agent, the terminal of the last attempt, whose program may have failed and left something to read. */
  private readonly finished = new Map<string, vscode.Terminal>();

  constructor(private readonly ports: AccountPorts) {}

  /** Must be awaited before an agent is started: {@link environment} answers at once. */
  async load(agentName: string): Promise<void> {
    if (!this.kept.has(agentName)) {
      // Agents start also where nothing can be kept.
      const text = await Promise.resolve(this.ports.secrets.get(KEY + agentName)).catch(() => undefined);
      this.kept.set(agentName, text === undefined ? {} : valuesIn(text));
    }
  }

  /** The values that the user typed for this agent. */
  environment(agentName: string): Values {
    return this.kept.get(agentName) ?? {};
  }

  /** Agents that values are kept for. */
  get agentsWithValues(): readonly string[] {
    return this.ports.globalState.get<readonly string[]>(AGENTS, []);
  }

  /** The agent's next start goes without the values. */
  async forget(agentName: string): Promise<void> {
    this.kept.set(agentName, {});
    await this.ports.secrets.delete(KEY + agentName);
    await this.ports.globalState.update(
      AGENTS,
      this.agentsWithValues.filter((each) => each !== agentName),
    );
  }

  async runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<void> {
    const { refuseSteering } = await import('./signInVariables');
    const { runVisibly } = await import('./signInTerminal');
    const { command, args = [], env = {} } = method;
    refuseSteering(Object.keys(env));
    const own: PlacedLaunch = {
      ...launch,
      args: [...launch.args, ...args],
      env: { ...launch.env, ...this.environment(launch.agentName) },
      cwd: launch.cwd ?? cwd,
      runAsNode: this.ports.runsAsNode(launch),
    };
    const placed = command === undefined ? own : { ...own, args, ...((await namesProgram(own, command, this.ports.environment)) ? {} : { command }) };
    // Found before the method's environment is laid over: it says nothing about which program runs.
    const program = await prepareProgram(placed, this.ports.environment);
    const commandLine = visible(displayCommand(placed.command, placed.args));
    if (command !== undefined && !(await this.agreed(launch, commandLine, env))) {
      throw fault('auth.not_finished');
    }
    const environment = overlayEnvironment(program.environment, env);
    const { agentName } = launch;
    let terminal: vscode.Terminal | undefined;
    try {
      await runVisibly({ ...program, environment, title: titleOf(launch), cwd: placed.cwd, commandLine }, this.ports.loadPty, signal, (opened) => {
        terminal = opened;
        this.finished.get(agentName)?.dispose();
      });
    } finally {
      if (terminal) {
        this.finished.set(agentName, terminal);
      }
    }
  }

  async askVariables(launch: AgentLaunch, method: AuthMethod, signal: AbortSignal): Promise<void> {
    const { askValues, refuseSteering } = await import('./signInVariables');
    const { agentName } = launch;
    refuseSteering((method.vars ?? []).map(({ name }) => name));
    await this.load(agentName);
    const kept = this.environment(agentName);
    const values = await this.ports.activity.during(() => askValues(titleOf(launch), method, kept, signal));
    const others = Object.entries(kept).filter(([name]) => !method.vars?.some((variable) => variable.name === name));
    const all = { ...Object.fromEntries(others), ...values };
    this.kept.set(agentName, all);
    try {
      await this.ports.secrets.store(KEY + agentName, JSON.stringify(all));
      await this.ports.globalState.update(AGENTS, [...new Set([...this.agentsWithValues, agentName])]);
    } catch {
      void window.showWarningMessage(t('What you typed could not be kept. It is forgotten when the window closes.'));
    }
  }

  hasVariables({ agentName }: AgentLaunch, { vars = [] }: AuthMethod): boolean {
    const kept = this.environment(agentName);
    return vars.some(({ name }) => name in kept) && vars.every(({ name, optional }) => optional || name in kept);
  }

  /** An agent's answer alone makes nothing run but what is configured. */
  private async agreed({ agentName }: AgentLaunch, commandLine: InertText, env: Values): Promise<boolean> {
    const variables = Object.entries(env).map(([name, value]) => joined([visible(name), visible(value)], '='));
    const run = t('Run in Terminal');
    const message = t('{agent} wants to run this to sign you in. It is not the command in the settings.', { agent: visible(agentName, MAX_NAME) });
    const options = { modal: true, detail: joined([commandLine, ...variables], '\n') };
    return (await this.ports.activity.during(() => window.showWarningMessage(message, options, run))) === run;
  }
}

function titleOf({ agentName }: AgentLaunch): InertText {
  return t('Sign in: {agent}', { agent: visible(agentName, MAX_NAME) });
}

/** What was kept under our key, as far as it is what we put there. */
function valuesIn(text: string): Values {
  try {
    const parsed: unknown = JSON.parse(text);
    const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
