/** Signing in at agents, as far as it needs the window: a terminal for the agent's own program, boxes for values, the secret storage for keeping them. */
import * as vscode from 'vscode';
import type { AuthMethod } from '../core/content';
import type { AgentLaunch } from '../core/ports';
import type { AccountPort } from '../session/signIn';
import { DisposableStore } from '../util/disposable';
import { visible } from './escape';
import { t } from './l10n';
import type { UserActivity } from './userActivity';

/** Where an agent's values are kept in the secret storage. */
const KEY = 'acpHost.environment.';

export class Account implements AccountPort {
  /** What is kept, by agent; filled by {@link load}. */
  private readonly kept = new Map<string, Readonly<Record<string, string>>>();

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly activity: UserActivity,
  ) {}

  /** Must be awaited before an agent is started: {@link environment} answers at once. */
  async load(agentName: string): Promise<void> {
    if (!this.kept.has(agentName)) {
      const text = await this.secrets.get(KEY + agentName);
      this.kept.set(agentName, text === undefined ? {} : (JSON.parse(text) as Record<string, string>));
    }
  }

  /** The values that the user typed for this agent. */
  environment(agentName: string): Readonly<Record<string, string>> {
    return this.kept.get(agentName) ?? {};
  }

  async runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<boolean> {
    const terminal = vscode.window.createTerminal({
      name: t('Sign in: {agent}', { agent: visible(launch.agentName, 60) }),
      iconPath: new vscode.ThemeIcon('key'),
      isTransient: true,
      shellPath: launch.command,
      shellArgs: [...launch.args, ...(method.args ?? [])],
      env: { ...launch.env, ...this.environment(launch.agentName), ...method.env },
      cwd: launch.cwd ?? cwd,
    });
    terminal.show();
    const watch = new DisposableStore();
    try {
      return await new Promise<boolean>((resolve) => {
        watch.add(vscode.window.onDidCloseTerminal((closed) => closed === terminal && resolve(closed.exitStatus?.code === 0)));
        signal.addEventListener('abort', () => terminal.dispose(), { once: true });
      });
    } finally {
      watch.dispose();
    }
  }

  async askVariables(launch: AgentLaunch, method: AuthMethod, signal: AbortSignal): Promise<boolean> {
    const values: Record<string, string> = {};
    for (const { name, label, secret, optional } of method.vars ?? []) {
      const value = await this.activity.during(() =>
        vscode.window.showInputBox({
          title: t('Sign in: {agent}', { agent: visible(launch.agentName, 60) }),
          prompt: visible(label ?? name, 200),
          placeHolder: name,
          password: secret,
          ignoreFocusOut: true,
          validateInput: (text) => (text === '' && !optional ? t('A value is needed.') : undefined),
        }),
      );
      if (value === undefined || signal.aborted) {
        return false;
      }
      if (value !== '') {
        values[name] = value;
      }
    }
    const all = { ...this.environment(launch.agentName), ...values };
    await this.secrets.store(KEY + launch.agentName, JSON.stringify(all));
    this.kept.set(launch.agentName, all);
    return true;
  }
}
