/**
 * What VS Code loads first. It registers and returns; everything else is behind `import()` and comes with the first use, so that having this
 * extension installed costs nothing.
 */
import * as vscode from 'vscode';
import type { AcpHostApi, AgentProvider } from './api';
import type { App } from './workbench/app';
import { registerCommands, type CommandActions } from './workbench/commands';
import { commands, viewTypes } from './workbench/shared/ids';
import { OutputLog } from './workbench/shared/log';

let loading: Promise<App> | undefined;

/** Called by VS Code on first use. */
export function activate(context: vscode.ExtensionContext): AcpHostApi {
  const log = new OutputLog();
  const changed = new vscode.EventEmitter<void>();
  const providers = new Set<AgentProvider>();
  let app: App | undefined;
  const load = (): Promise<App> =>
    (loading ??= import('./workbench/app').then((module) => {
      app = new module.App(context, log, () => changed.fire(), providers);
      return app;
    }));

  const names = Object.keys(commands) as (keyof CommandActions)[];
  const actions = Object.fromEntries(
    names.map((name) => [name, async (...args: unknown[]) => (await load()).actions[name](...args)]),
  ) as unknown as CommandActions;
  context.subscriptions.push(
    log,
    changed,
    registerCommands(actions, log),
    vscode.window.registerWebviewPanelSerializer(viewTypes.session, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restore(panel, state),
    }),
  );
  return {
    apiVersion: 2,
    agents: async () => (await load()).agents(),
    registerAgentProvider: (provider) => {
      if (!provider.id || !provider.label || [...providers].some(({ id }) => id === provider.id)) {
        throw new Error('An agent provider needs a label, and an id that no other has.');
      }
      providers.add(provider);
      return new vscode.Disposable(() => void providers.delete(provider));
    },
    newSession: async (options) => (await load()).newSession(options),
    get sessions() {
      return app?.described ?? [];
    },
    onDidChangeSessions: changed.event,
  };
}

/** The window closes: agents end, journals reach the disk. */
export async function deactivate(): Promise<void> {
  const app = await loading;
  loading = undefined;
  await app?.shutdown();
}
