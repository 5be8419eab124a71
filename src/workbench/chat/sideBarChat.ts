/**
 * The chat view: one page in a side bar, which can show any session. VS Code creates the view when the user first opens it, and again after it was
 * moved.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposable';
import { ContextKey } from '../shared/contextKey';
import { chatViews, contextKeys } from '../../application/shared/ids';
import { type PageItem, type PanelDependencies, WebviewPage } from './webviewPage';
import { webviewOptions } from './newPanel';

/** The time in ms in which a page without a session loads its start page. */
const EMPTIED_MS = 500;

export class SideBarChat {
  readonly place = 'sideBar';
  readonly preview = false;
  private item: PageItem | undefined;
  private view: vscode.WebviewView | undefined;
  private page: WebviewPage | undefined;
  /** Lives as long as the view. */
  private owned: DisposableStore | undefined;
  private readonly shows = new ContextKey(contextKeys.chatShowsSession);

  /** @param viewId the view's id in this version of VS Code */
  constructor(
    private readonly viewId: string,
    private readonly deps: PanelDependencies,
  ) {}

  /** Fills the view that VS Code has created. */
  resolve(view: vscode.WebviewView): void {
    this.release();
    const owned = new DisposableStore();
    this.owned = owned;
    this.view = view;
    view.webview.options = webviewOptions(this.deps.extensionUri);
    const surface = {
      // The page keeps running while the view is hidden (`retainContextWhenHidden`), so it continues to get messages.
      visible: true,
      // A caller that wants the keyboard focus in the view posts a `focus` message.
      active: false,
      onDidChangeVisibility: () => ({ dispose: () => undefined }),
    };
    const page = owned.add(new WebviewPage(view.webview, surface, this.place, this.deps));
    this.page = page;
    owned.add(
      view.onDidChangeVisibility(() => {
        if (!view.visible) {
          page.leftScreen();
        }
        this.update();
        this.deps.activity.screenChanged();
      }),
    );
    owned.add(
      view.onDidDispose(() => {
        this.release();
        this.update();
      }),
    );
    this.showItem();
    page.fill(this.item?.session.key, view.title ?? '');
    this.update();
  }

  /** Shows this session in place of the current one, or the start page when `item` is undefined. */
  show(item: PageItem | undefined): void {
    if (item !== this.item || !item) {
      this.item = item;
      this.deps.chatViewShows(item?.session.key);
      this.showItem();
      this.update();
    }
  }

  get shown(): PageItem | undefined {
    return this.item;
  }

  get visible(): boolean {
    return this.view?.visible === true;
  }

  /** Always false: VS Code does not report whether a view is active. Its page reports the focus. */
  get active(): boolean {
    return false;
  }

  reveal(preserveFocus = false): void {
    if (this.view) {
      this.view.show(preserveFocus);
    } else {
      void vscode.commands.executeCommand(`${this.viewId}.focus`, { preserveFocus });
    }
  }

  whereIs(): Promise<string | undefined> {
    return this.page?.whereIs() ?? Promise.resolve(undefined);
  }

  async settle(): Promise<void> {
    await this.page?.settle();
  }

  /** Detaches from the view, which stays open. */
  release(): void {
    this.owned?.dispose();
    this.view = this.page = this.owned = undefined;
  }

  dispose(): void {
    this.show(undefined);
  }

  /**
   * Resolves when another page may be created after `dispose`. Where VS Code serves all pages from one address, as in a browser, versions without
   * the secondary side bar have a bug. A page created while another one is loading may stay empty.
   */
  emptied(): Promise<void> {
    return new Promise((resolve) => void (this.viewId === chatViews.primary ? this.deps.clock.after(EMPTIED_MS, resolve) : resolve()));
  }

  private showItem(): void {
    const { page, item } = this;
    if (item) {
      page?.show(item);
    } else {
      page?.showNone();
    }
  }

  private update(): void {
    this.shows.set(this.visible && this.item !== undefined);
  }
}
