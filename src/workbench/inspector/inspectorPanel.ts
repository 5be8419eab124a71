/** The webview panel of the inspector. */
import * as vscode from 'vscode';
import { commands, inspectorViewType } from '../../application/shared/ids';
import { type FromInspectorPage, fromInspectorPage, type ToInspectorPage } from '../../core/inspector/inspectorPage';
import type { Log } from '../../core/platform/log';
import { DisposableStore } from '../../util/disposable';
import { t } from '../shared/l10n';
import { fillPage, pageOptions } from '../shared/webviewPage';
import { window } from '../shared/window';

/** A message of the page, without the pings, which the panel confirms. */
export type InspectorPageMessage = Exclude<FromInspectorPage, { readonly type: 'ping' }>;

export interface InspectorPanelListener {
  onMessage(message: InspectorPageMessage): void;
  /** The page has left the screen, so that VS Code has deleted its document. */
  onHidden(): void;
  onClosed(): void;
}

export class InspectorPanel {
  private readonly panel: vscode.WebviewPanel;
  private readonly store = new DisposableStore();

  constructor(extensionUri: vscode.Uri, log: Log, listener: InspectorPanelListener) {
    const title = t('ACP Inspector');
    const panel = window.createWebviewPanel(
      inspectorViewType,
      title,
      { viewColumn: vscode.ViewColumn.Active },
      pageOptions(extensionUri, 'inspector', commands.openInspector),
    );
    this.panel = panel;
    this.store.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (fromInspectorPage.validate(message)) {
          const read = fromInspectorPage.parse(message);
          if (read.type === 'ping') {
            this.post({ type: 'pong' });
          } else {
            listener.onMessage(read);
          }
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
    fillPage(panel, extensionUri, 'inspector', title).catch((error: unknown) =>
      log.error(`The inspector could not be created: ${String(error)}`),
    );
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
}
