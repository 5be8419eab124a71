/** A page of the extension in a webview, such as the page of agents. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { agentsPageHtml } from '../../application/agents/views/pageDocument';

type PageName = 'agents' | 'inspector';

/** Returns the options of the webview that shows the page. @param reopen the command with which the page opens again after its host has exited */
export function pageOptions(extensionUri: vscode.Uri, name: PageName, reopen: string): vscode.WebviewOptions {
  return { enableScripts: true, enableCommandUris: [reopen], localResourceRoots: [pageFolder(extensionUri, name)] };
}

/** Closes the page in front, which an extension host that has exited has left. The user has just clicked in it. */
export async function closeLeftPage(viewType: string): Promise<void> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  if (activeTab?.input instanceof vscode.TabInputWebview && activeTab.input.viewType.endsWith(viewType)) {
    await vscode.window.tabGroups.close(activeTab, true);
  }
}

/** Sets the icon of the tab and the document. Rejects when the style of the page cannot be read. */
export async function fillPage(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, name: PageName, title: string): Promise<void> {
  const { webview } = panel;
  const media = vscode.Uri.joinPath(extensionUri, 'media');
  panel.iconPath = { light: vscode.Uri.joinPath(media, 'session-light.svg'), dark: vscode.Uri.joinPath(media, 'session-dark.svg') };
  const folder = pageFolder(extensionUri, name);
  const style = await readFile(path.join(folder.fsPath, 'main.css'), 'utf8');
  webview.html = agentsPageHtml({
    nonce: randomBytes(18).toString('base64url'),
    language: vscode.env.language,
    title,
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'main.js')).toString(),
    style,
    mediaUri: webview.asWebviewUri(media).toString(),
    bundle: vscode.l10n.bundle,
  });
}

function pageFolder(extensionUri: vscode.Uri, name: PageName): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name);
}
