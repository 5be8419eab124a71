/**
 * A panel that is created before its session. Creating it takes VS Code longest, and happens while the rest of the extension is loaded. For this
 * reason the module imports nothing that a session needs.
 */
import * as vscode from 'vscode';
import { DEMO_AGENT_ID } from '../../core/agents/agentIds';
import type { Session } from '../../session/session';
import { inertLine } from '../../application/shared/escape';
import { commands, settings, viewTypes } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { readChatLocation } from './chatLocation';
import { sessionColumn } from '../window/columns';
import { MAX_TITLE } from '../../application/chat/placement';
import type { ShownSession } from './staleTabs';

/** The time in ms in which VS Code learns of a panel: its messages wait for a timer and are compressed. */
const PANEL_READY_MS = 5;

/**
 * The options for a new webview. A different value later would load its page twice. The command lets the user leave a page whose extension host
 * has exited: VS Code runs it in the new host (`webview/connection/disconnected.tsx`).
 */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  const folder = (name: string) => vscode.Uri.joinPath(extensionUri, name);
  return { enableScripts: true, enableCommandUris: [commands.openSession], localResourceRoots: [folder('dist'), folder('media')] };
}

/**
 * Closes a tab that a session of an earlier extension host has left, because no host answers it, or because VS Code has not restored it yet. Must be
 * called before the session gets a panel.
 * @param surfaces the sessions of this window, with the surface that shows each
 * @param isReused true when the session gets the panel of another one
 */
export function closeStale(session: Session, surfaces: Iterable<ShownSession>, isReused?: boolean): void {
  if (session.isAdopted || ['disconnected', 'ended'].includes(session.store.state.status)) {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => [tab, tab.label] as const));
    void import('./staleTabs').then(({ closeStaleTabs }) => closeStaleTabs(tabs, session, [...surfaces], isReused));
  }
}

/** A panel without a document, for a session that will be created. */
export class PreopenedPanel {
  private panel: vscode.WebviewPanel | undefined;
  private readonly closed: vscode.Disposable;

  constructor(panel: vscode.WebviewPanel) {
    this.panel = panel;
    this.closed = panel.onDidDispose(() => void this.take());
  }

  /** Returns the panel for its session, or undefined when another session has it or the user has closed it. */
  take(): vscode.WebviewPanel | undefined {
    const { panel } = this;
    this.panel = undefined;
    this.closed.dispose();
    return panel;
  }

  /** Closes the panel unless a session has taken it. */
  leave(): void {
    this.take()?.dispose();
  }
}

/**
 * Opens the panel of the session that **ACP: New Session** will create, when no question comes first because agent and folder are settled.
 * Resolves when VS Code has begun to create it.
 */
export async function openEarlyPanel(extensionUri: vscode.Uri): Promise<PreopenedPanel | undefined> {
  const agentName = settledAgent();
  const { workspaceFolders, isTrusted } = vscode.workspace;
  const isSettled = agentName !== undefined && isTrusted && workspaceFolders?.length === 1 && workspaceFolders[0]!.uri.scheme === 'file';
  if (!isSettled || readChatLocation() !== 'editor') {
    return undefined;
  }
  const column = { viewColumn: sessionColumn() };
  const title = inertLine(agentName, MAX_TITLE);
  const early = new PreopenedPanel(window.createWebviewPanel(viewTypes.session, title, column, webviewOptions(extensionUri)));
  await new Promise((resolve) => setTimeout(resolve, PANEL_READY_MS));
  return early;
}

/**
 * Returns the name of the user's default agent if the user's settings define it or it is the demo agent. Other agents are known only later, as
 * is an agent that the setting means by its display name.
 */
function settledAgent(): string | undefined {
  const configuration = vscode.workspace.getConfiguration();
  const id = configuration.inspect(settings.defaultAgent)?.globalValue;
  const agents: unknown = configuration.inspect(settings.agents)?.globalValue;
  if (typeof id !== 'string') {
    return undefined;
  }
  if (isRecord(agents) && Object.hasOwn(agents, id)) {
    const entry = agents[id];
    return isRecord(entry) && typeof entry['name'] === 'string' && entry['name'].trim() !== '' ? entry['name'].trim() : id;
  }
  return id === DEMO_AGENT_ID || id === t('Demo Agent') ? t('Demo Agent') : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
