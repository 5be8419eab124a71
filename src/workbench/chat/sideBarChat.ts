/**
 * The chat view: one page in a side bar, which is told what session it shows. VS Code makes the view when the user first looks at it, and again when
 * it was moved to another place.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposable';
import { ContextKey } from '../shared/contextKey';
import { chatViews, contextKeys } from '../shared/ids';
import { type PageItem, type PanelDependencies, WebviewPage } from './webviewPage';
import { webviewOptions } from './newPanel';

/** ms in which a page that has lost its session loads what one can begin with. */
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

  /** @param viewId the one that this VS Code offers */
  constructor(
    private readonly viewId: string,
    private readonly ports: PanelDependencies,
  ) {}

  /** Fills the view that VS Code has made. */
  resolve(view: vscode.WebviewView): void {
    this.release();
    const owned = new DisposableStore();
    this.owned = owned;
    this.view = view;
    view.webview.options = webviewOptions(this.ports.extensionUri);
    const surface = {
      // The page stays while the view is hidden (`retainContextWhenHidden`): it goes on being told what happens.
      visible: true,
      // Who wants the keyboard in it says so.
      active: false,
      onDidChangeVisibility: () => ({ dispose: () => undefined }),
    };
    const page = owned.add(new WebviewPage(view.webview, surface, this.place, this.ports));
    this.page = page;
    owned.add(view.onDidChangeVisibility(() => this.update()));
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

  /** Shows this session, in place of the one that it shows; none: what one can begin with. */
  show(item: PageItem | undefined): void {
    if (item !== this.item || !item) {
      this.item = item;
      this.ports.chatViewShows(item?.session.key);
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

  /** VS Code does not tell; its page does. */
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

  /** Lets go of the view, which stays. */
  release(): void {
    this.owned?.dispose();
    this.view = this.page = this.owned = undefined;
  }

  dispose(): void {
    this.show(undefined);
  }

  /**
   * Resolves when another page may begin, after `dispose`. Where VS Code serves all pages from its own address, as in a browser, its versions of before the
   * secondary side bar may leave a page empty for good that begins while another one loads something.
   */
  emptied(): Promise<void> {
    return new Promise((resolve) => void (this.viewId === chatViews.primary ? this.ports.clock.after(EMPTIED_MS, resolve) : resolve()));
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
