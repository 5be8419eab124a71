/** A webview panel and the session in it: the tab's title, and the page. Closing it ends nothing but itself. */
import * as vscode from 'vscode';
import type { FromView } from '../../core/protocol/view';
import { DisposableStore } from '../../util/disposable';
import type { Disposable } from '../../core/model/ports';
import { setTitle } from '../shared/window';
import { watchTitle } from './titleWatch';
import { type PageItem, type PanelDependencies, WebviewPage } from './webviewPage';

export type { PanelDependencies } from './webviewPage';

export class SessionPanel {
  readonly place = 'editor';
  /** Its session is only looked at: the next such one takes its place. */
  preview = false;
  private readonly store = new DisposableStore();
  private readonly page: WebviewPage;
  private title: Disposable | undefined;
  /** It came to the front without the keyboard: its page, which is made anew then, does not take it. */
  private isQuiet = false;

  /** Fills `panel`, which is new or was kept over a reload. @param used the user does something with the session, which is more than looking at it */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    item: PageItem,
    private readonly ports: PanelDependencies,
    used: () => void = () => undefined,
  ) {
    const folder = (name: string) => vscode.Uri.joinPath(ports.extensionUri, 'media', name);
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
    this.page = this.store.add(new WebviewPage(panel.webview, surface, this.place, ports, (intent) => isUse(intent) && used()));
    this.store.add({ dispose: () => this.title?.dispose() });
    this.store.add(panel.onDidChangeViewState(() => (this.isQuiet &&= panel.visible)));
    this.store.add(panel.onDidDispose(() => this.store.dispose()));
    panel.iconPath = { light: folder('session-light.svg'), dark: folder('session-dark.svg') };
    this.show(item);
    this.page.fill(item.session.key, panel.title);
  }

  /** Shows this session, in place of the one that it shows. */
  show(item: PageItem): void {
    this.page.show(item);
    this.title?.dispose();
    const { panel } = this;
    this.title = watchTitle(item.session, this.ports.unread, (title) => panel.title !== title && setTitle(panel, title));
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
      const { panel, ports } = this;
      void import('./frontEditor').then(({ keepEditor }) => keepEditor(panel, ports.clock));
    }
  }

  /** The entry that the user reads; undefined when the page cannot tell. */
  whereIs(): Promise<string | undefined> {
    return this.page.whereIs();
  }

  settle(): Promise<void> {
    return this.page.settle();
  }

  /** Lets go of the panel, which stays. */
  release(): void {
    this.store.dispose();
  }

  /** Closes the panel. */
  dispose(): void {
    this.panel.dispose();
  }
}

/** As VS Code keeps a previewed file once it is edited. */
function isUse(intent: FromView): boolean {
  switch (intent.type) {
    case 'prompt':
    case 'answer_permission':
    case 'answer_elicitation':
    case 'set_config':
      return true;
    case 'draft':
      return intent.content.length > 0;
    default:
      return false;
  }
}
