/** A webview panel with the page of agents. */
import * as vscode from 'vscode';
import type { InertText } from '../../../application/shared/escape';
import { commands, viewTypes } from '../../../application/shared/ids';
import { type FromAgentsPage, fromAgentsPage, type ToAgentsPage } from '../../../core/agents/agentsPage';
import type { Log } from '../../../core/platform/log';
import { DisposableStore } from '../../../util/disposable';
import { fillPage, pageOptions } from '../../shared/webviewPage';
import { window } from '../../shared/window';

export interface AgentsPanelDependencies {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}

/** A message of the page, without the pings, which the panel confirms. */
export type AgentsPageMessage = Exclude<FromAgentsPage, { readonly type: 'ping' }>;

export interface AgentsPanelListener {
  onMessage(message: AgentsPageMessage): void;
  /** The panel has come to the screen, or has left it. */
  onVisibility(): void;
  onClosed(): void;
}

/** A page of agents. */
export class AgentsPanel {
  private readonly panel: vscode.WebviewPanel;
  private readonly store = new DisposableStore();
  private isReady = false;
  private waiting: ToAgentsPage[] = [];

  /** @param restored the panel that VS Code kept over a reload of the window */
  constructor(title: InertText, deps: AgentsPanelDependencies, listener: AgentsPanelListener, restored?: vscode.WebviewPanel) {
    const { extensionUri, log } = deps;
    const options = pageOptions(extensionUri, 'agents', commands.browseAgents);
    const panel = restored ?? window.createWebviewPanel(viewTypes.agents, title, { viewColumn: vscode.ViewColumn.Active }, options);
    if (restored) {
      panel.webview.options = options;
    }
    this.panel = panel;
    this.store.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (!fromAgentsPage.validate(message)) {
          log.warn(`Ignored a message of the page of agents: ${JSON.stringify(message).slice(0, 200)}`);
          return;
        }
        const read = fromAgentsPage.parse(message);
        if (read.type === 'ping') {
          void panel.webview.postMessage({ type: 'pong' } satisfies ToAgentsPage);
          return;
        }
        if (read.type === 'ready') {
          this.isReady = true;
        }
        listener.onMessage(read);
        if (read.type === 'ready') {
          this.waiting.splice(0).forEach((each) => this.post(each));
        }
      }),
    );
    this.store.add(
      panel.onDidChangeViewState(() => {
        // VS Code deletes the document of a hidden panel, and creates it again.
        this.isReady &&= panel.visible;
        listener.onVisibility();
      }),
    );
    this.store.add(
      panel.onDidDispose(() => {
        this.store.dispose();
        listener.onClosed();
      }),
    );
    fillPage(panel, extensionUri, 'agents', title).catch((error: unknown) =>
      log.error(`The page of agents could not be created: ${String(error)}`),
    );
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Sends the state to the page. It is dropped while the page is not on the screen, because a page asks for it when it is created. */
  post(message: ToAgentsPage): void {
    if (this.isReady) {
      void this.panel.webview.postMessage(message);
    } else if (message.type === 'tab') {
      this.waiting = [message];
    }
  }

  dispose(): void {
    this.panel.dispose();
  }
}
