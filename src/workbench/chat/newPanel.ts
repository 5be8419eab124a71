/**
 * A panel that is there before its session: VS Code takes longest over making it, and does so while the rest of the extension is loaded. That is why
 * this imports nothing that a session needs.
 */
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { visible } from '../shared/escape';
import { commands, settings, viewTypes } from '../shared/ids';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { readChatLocation } from './chatLocation';
import { sessionColumn } from './columns';
import { MAX_TITLE, type Place } from './placement';

/** ms in which VS Code is told of a panel: its messages wait in a timer, and are compressed. */
const TOLD_MS = 5;

/**
 * Said when the webview is made: another value later would load its page twice. The command is how a page is left whose extension host is gone: VS Code
 * runs it, on a click of the user, in the host that it has started instead (`webview/connection/disconnected.tsx`).
 */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  const folder = (name: string) => vscode.Uri.joinPath(extensionUri, name);
  return { enableScripts: true, enableCommandUris: [commands.openSession], localResourceRoots: [folder('dist'), folder('media')] };
}

/**
 * A session of an earlier extension host may have left a tab that no host answers. Must be called before the session gets a panel.
 * @param shown the sessions of this window, with what shows each
 */
export function closeStale(
  session: Session,
  shown: Iterable<{ readonly session: Session; readonly holder?: { readonly place: Place } | undefined }>,
): void {
  if (session.store.state.status === 'disconnected') {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const others = [...shown].flatMap((other) => (other.holder?.place === 'editor' ? [other.session] : []));
    void import('./staleTabs').then(({ closeStaleTabs }) => closeStaleTabs(tabs, session, others));
  }
}

/** A panel without a document, for a session that is still to be made. */
export class EarlyPanel {
  private panel: vscode.WebviewPanel | undefined;
  private readonly closed: vscode.Disposable;

  constructor(panel: vscode.WebviewPanel) {
    this.panel = panel;
    this.closed = panel.onDidDispose(() => void this.take());
  }

  /** For its session; undefined when another has it, or the user has closed it. */
  take(): vscode.WebviewPanel | undefined {
    const { panel } = this;
    this.panel = undefined;
    this.closed.dispose();
    return panel;
  }

  /** Closes it, unless a session has it. */
  leave(): void {
    this.take()?.dispose();
  }
}

/**
 * The panel of the session that **ACP: New Session** will make, where nothing will be asked before: its agent and its folder are settled. Resolves when
 * VS Code works on it.
 */
export async function openEarlyPanel(extensionUri: vscode.Uri): Promise<EarlyPanel | undefined> {
  const agentName = settledAgent();
  const { workspaceFolders, isTrusted } = vscode.workspace;
  const isSettled = agentName !== undefined && isTrusted && workspaceFolders?.length === 1 && workspaceFolders[0]!.uri.scheme === 'file';
  if (!isSettled || readChatLocation() !== 'editor') {
    return undefined;
  }
  const column = { viewColumn: sessionColumn() };
  const title = visible(agentName, MAX_TITLE);
  const early = new EarlyPanel(window.createWebviewPanel(viewTypes.session, title, column, webviewOptions(extensionUri)));
  await new Promise((resolve) => setTimeout(resolve, TOLD_MS));
  return early;
}

/** The user's default agent, where it is one of the user's own or the demo; the others are known later. */
function settledAgent(): string | undefined {
  const configuration = vscode.workspace.getConfiguration();
  const name = configuration.inspect(settings.defaultAgent)?.globalValue;
  const agents = configuration.inspect(settings.agents)?.globalValue;
  const isThere =
    typeof name === 'string' &&
    (name === t('Demo Agent') || (typeof agents === 'object' && agents !== null && Object.hasOwn(agents, name)));
  return isThere ? name : undefined;
}
