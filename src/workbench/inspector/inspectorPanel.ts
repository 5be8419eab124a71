/** The webview panel of the inspector. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { agentsPageHtml } from '../../application/agents/views/pageDocument';
import { inspectorViewType } from '../../application/shared/ids';
import { type FromInspectorPage, fromInspectorPage, type ToInspectorPage } from '../../core/inspector/inspectorPage';
import type { Log } from '../../core/platform/log';
import { DisposableStore } from '../../util/disposable';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

export interface InspectorPanelListener {
  onMessage(message: FromInspectorPage): void;
  /** The page has left the screen, so that VS Code has deleted its document. */
  onHidden(): void;
  onClosed(): void;
}

export class InspectorPanel {
  private readonly panel: vscode.WebviewPanel;
  private readonly store = new DisposableStore();

  constructor(
    private readonly extensionUri: vscode.Uri,
    log: Log,
    listener: InspectorPanelListener,
  ) {
    const options = { enableScripts: true, localResourceRoots: [this.folder('dist', 'webview', 'inspector')] };
    const title = t('ACP Inspector');
    const panel = window.createWebviewPanel(inspectorViewType, title, { viewColumn: vscode.ViewColumn.Active }, options);
    this.panel = panel;
    panel.iconPath = { light: this.folder('media', 'session-light.svg'), dark: this.folder('media', 'session-dark.svg') };
    this.store.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (fromInspectorPage.validate(message)) {
          listener.onMessage(fromInspectorPage.parse(message));
        } else {
          log.warn(`Ignored a message of the inspector: ${JSON.stringify(message).slice(0, 200)}`);
        }
      }),
    );
    this.store.add(panel.onDidChangeViewState(() => panel.visible || listener.onHidden()));
    this.store.add(
      panel.onDidDispose(() => {
        this.store.dispose();
        listener.onClosed();
      }),
    );
    this.fill(title).catch((error: unknown) => log.error(`The inspector could not be created: ${String(error)}`));
  }

  reveal(): void {
    this.panel.reveal();
  }

  post(message: ToInspectorPage): void {
    void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.panel.dispose();
  }

  private folder(...names: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, ...names);
  }

  private async fill(title: string): Promise<void> {
    const { webview } = this.panel;
    const folder = this.folder('dist', 'webview', 'inspector');
    const style = await readFile(path.join(folder.fsPath, 'main.css'), 'utf8');
    webview.html = agentsPageHtml({
      nonce: randomBytes(18).toString('base64url'),
      language: vscode.env.language,
      title,
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'main.js')).toString(),
      style,
      mediaUri: webview.asWebviewUri(this.folder('media')).toString(),
      bundle: vscode.l10n.bundle,
    });
  }
}
