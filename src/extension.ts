/**
 * The entry point that VS Code loads first. It registers and returns. Everything else is behind `import()` and loaded at the first use, so that the
 * installed extension costs nothing.
 */
import * as vscode from 'vscode';
import type { AcpHostApi, AgentProvider } from './api';
import type { App } from './workbench/app';
import { showStoredChanges } from './workbench/changes/storedChanges';
import { type NewSessionCommand, registerCommands } from './workbench/commands';
import type { RulesTree } from './workbench/permission/rules/rulesView';
import type { Row } from './workbench/sessionsView/sessionsView';
import { chatViews, commands, contextKeys, lastAgentKey, settingsSection, treeViews, viewTypes } from './application/shared/ids';
import { OutputLog } from './workbench/shared/log';
import { hasSecondarySideBar } from './application/window/secondarySideBar';
import { restoreWaiting } from './workbench/sessions/restoreWaiting';
import { showRestriction, unlessRestricted } from './workbench/trust/restrictedMode';

let loading: Promise<App> | undefined;

/** Called by VS Code on first use. */
export function activate(context: vscode.ExtensionContext): AcpHostApi {
  const log = new OutputLog();
  const changed = new vscode.EventEmitter<void>();
  const providers = new Set<AgentProvider>();
  let app: App | undefined;
  const load = (): Promise<App> =>
    (loading ??= import('./workbench/app').then((module) => {
      app = new module.App(context, log, { trees, refresh: sessions.refresh, rules }, () => changed.fire(), providers);
      return app;
    }));

  const newSession = async (): Promise<unknown> => {
    const { openEarlyPanel } = await import('./workbench/chat/newPanel');
    const early = await openEarlyPanel(context.extensionUri);
    try {
      return await (await load()).newSession({}, early);
    } finally {
      early?.leave();
    }
  };

  const sessions = treeOf(treeViews.sessions, async () => (await load()).sessionsView());
  const rules = treeOf(treeViews.permissionRules, async () => (await load()).rulesView());
  const trees = [sessions.tree];
  context.subscriptions.push(
    log,
    changed,
    sessions.refresh,
    sessions.tree,
    rules.refresh,
    rules.tree,
    registerCommands(
      commands,
      (name, args) => unlessRestricted(name, async () => (isNewSession(name) ? newSession() : (await load()).actions[name](...args))),
      log,
    ),
    registerCommands(
      otherCommands(context),
      (name, args) => unlessRestricted(name, async () => (await load()).runSessionCommand(name, args)),
      log,
    ),
    showRestriction(trees),
    showStoredChanges(context.workspaceState, async () => (await load()).showStoredChanges()),
    restoreWaiting(context.workspaceState, async () => (await load()).restoreWaiting()),
    vscode.window.registerWebviewPanelSerializer(viewTypes.session, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer(viewTypes.agents, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restoreAgentPage(panel, state),
    }),
    ...Object.values(chatViews).map((viewId) =>
      vscode.window.registerWebviewViewProvider(
        viewId,
        { resolveWebviewView: async (view, { state }: { readonly state: unknown }) => (await load()).resolveChatView(view, state) },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
    ),
  );
  // The `when` clauses in package.json recognize newer versions by a setting. This key covers the versions since 1.106 without that setting.
  if (hasSecondarySideBar(vscode.version)) {
    void vscode.commands.executeCommand('setContext', contextKeys.secondarySideBar, true);
  }
  if (context.globalState.get(lastAgentKey) !== undefined) {
    void vscode.commands.executeCommand('setContext', contextKeys.hasLastAgent, true);
  }
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
    newSession: async (options) => (await load()).newSession(options, undefined, true),
    get sessions() {
      return app?.described ?? [];
    },
    onDidChangeSessions: changed.event,
  };
}

interface TreeRows {
  children(row?: Row): Row[] | Promise<Row[]>;
  parent(row: Row): Row | undefined;
  item(row: Row): vscode.TreeItem;
}

/** Registers a tree view. `load` loads its rows when VS Code first requests one. */
function treeOf(viewId: string, load: () => Promise<TreeRows>): RulesTree {
  const refresh = new vscode.EventEmitter<Row | Row[] | undefined>();
  const rows: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: refresh.event,
    getChildren: async (row) => (await load()).children(row),
    // VS Code cannot reveal a row without this method.
    getParent: async (row) => (await load()).parent(row),
    getTreeItem: async (row) => (await load()).item(row),
  };
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- what it shows is made by `treeItem` and `setBadge` in shared/treeItem.ts, which comes later
  return { refresh, tree: vscode.window.createTreeView(viewId, { treeDataProvider: rows, showCollapseAll: true }) };
}

/** The window closes: ends the agents and writes the journals to disk. */
export async function deactivate(): Promise<void> {
  const app = await loading;
  loading = undefined;
  await app?.shutdown();
}

function isNewSession(name: keyof typeof commands): name is NewSessionCommand {
  return name === 'newSession' || name === 'newAgentSession';
}

/** Returns the commands of package.json that are not in the first load, by name. */
function otherCommands({ extension }: vscode.ExtensionContext): Record<string, string> {
  const { contributes } = extension.packageJSON as { readonly contributes: { readonly commands: readonly { readonly command: string }[] } };
  const names = contributes.commands.map(({ command }) => command.slice(settingsSection.length + 1));
  return Object.fromEntries(names.filter((name) => !(name in commands)).map((name) => [name, `${settingsSection}.${name}`]));
}
