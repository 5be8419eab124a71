/**
 * What VS Code loads first. It registers and returns; everything else is behind `import()` and comes with the first use, so that having this
 * extension installed costs nothing.
 */
import * as vscode from 'vscode';
import type { AcpHostApi } from './api';
import type { App } from './workbench/app';
import { registerCommands, type CommandActions } from './workbench/commands';
import { chatViews, commands, contextKeys, viewTypes } from './workbench/shared/ids';
import { OutputLog } from './workbench/shared/log';
import { hasSecondarySideBar } from './workbench/shared/secondarySideBar';

let loading: Promise<App> | undefined;

/** Called by VS Code on first use. */
export function activate(context: vscode.ExtensionContext): AcpHostApi {
  const log = new OutputLog();
  const changed = new vscode.EventEmitter<void>();
  let app: App | undefined;
  const load = (): Promise<App> =>
    (loading ??= import('./workbench/app').then((module) => {
      app = new module.App(context, log, () => changed.fire());
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
    ...Object.values(chatViews).map((viewId) =>
      vscode.window.registerWebviewViewProvider(
        viewId,
        { resolveWebviewView: async (view, { state }: { readonly state: unknown }) => (await load()).resolveChatView(view, state) },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
    ),
  );
  // A version between the two that the setting in package.json's clauses tells apart.
  if (hasSecondarySideBar()) {
    void vscode.commands.executeCommand('setContext', contextKeys.secondarySideBar, true);
  }
  return {
    apiVersion: 1,
    agents: async () => (await load()).agents(),
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
