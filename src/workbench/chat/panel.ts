/** A webview panel and the session in it: the tab's title, and the page. Closing the panel does not end the session. */
import * as vscode from 'vscode';
import { keepsPreview } from '../../core/protocol/intent';
import { DisposableStore } from '../../util/disposable';
import type { Disposable } from '../../core/platform/disposable';
import { setTitle } from '../shared/window';
import { watchTitle } from './titleWatch';
import { type PageItem, type PanelDependencies, WebviewPage } from './webviewPage';

export type { PanelDependencies } from './webviewPage';

export class SessionPanel {
  readonly place = 'editor';
  /** True while the session is only previewed: the next previewed session takes this panel. */
  preview = false;
  private readonly store = new DisposableStore();
  private readonly page: WebviewPage;
  private title: Disposable | undefined;
  /** True when the panel came to the front without the keyboard focus. VS Code then creates its page again, which must not take the focus. */
  private isQuiet = false;

  /**
   * Fills `panel`, which is new or was restored after a reload. @param used called when the user does something with the session beyond looking at
   * it
   */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    item: PageItem,
    private readonly deps: PanelDependencies,
    used: () => void = () => undefined,
  ) {
    const folder = (name: string) => vscode.Uri.joinPath(deps.extensionUri, 'media', name);
    const isActive = () => panel.active && !this.isQuiet;
    const surface = {
      get visible() {
        return panel.visible;
      },
      get active() {
        return isActive();
      },
      onDidChangeVisibility: (listener: () => void) => panel.onDidChangeViewState(listener),
    };
    this.page = this.store.add(new WebviewPage(panel.webview, surface, this.place, deps, (intent) => keepsPreview(intent) && used()));
    this.store.add({ dispose: () => this.title?.dispose() });
    this.store.add(panel.onDidChangeViewState(() => (this.isQuiet &&= panel.visible)));
    this.store.add(panel.onDidDispose(() => this.store.dispose()));
    panel.iconPath = { light: folder('session-light.svg'), dark: folder('session-dark.svg') };
    this.show(item);
    this.page.fill(item.session.key, panel.title);
  }

  /** Shows this session in place of the current one. */
  show(item: PageItem): void {
    this.page.show(item);
    this.title?.dispose();
    const { panel } = this;
    this.title = watchTitle(item.session, this.deps.unread, this.deps.titles, (title) => panel.title !== title && setTitle(panel, title));
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  get active(): boolean {
    return this.panel.active;
  }

  reveal(preserveFocus = false, beside = false): void {
    this.isQuiet = preserveFocus;
    if (!preserveFocus || beside || !this.panel.visible) {
      this.panel.reveal(beside ? vscode.ViewColumn.Beside : undefined, preserveFocus);
    }
    if (beside) {
      const { panel, deps } = this;
      void import('./frontEditor').then(({ keepEditor }) => keepEditor(panel, deps.clock));
    }
  }

  /** Returns the entry that the user reads, or undefined when the page does not answer. */
  whereIs(): Promise<string | undefined> {
    return this.page.whereIs();
  }

  settle(): Promise<void> {
    return this.page.settle();
  }

  /** Detaches from the panel, which stays open. */
  release(): void {
    this.store.dispose();
  }

  dispose(): void {
    this.panel.dispose();
  }
}
