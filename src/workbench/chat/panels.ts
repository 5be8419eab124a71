/** The surfaces that show sessions: panels, of which one at a time may be a preview, and the chat view of the side bar. */
import * as vscode from 'vscode';
import type { DraftBlock } from '../../core/mentions/mention';
import type { Disposable } from '../../core/platform/disposable';
import type { ToView } from '../../core/protocol/view';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import { lazy } from '../../util/lazy';
import { Listeners } from '../../core/platform/listeners';
import { sessionColumn } from '../window/columns';
import { ContextKey } from '../shared/contextKey';
import { own } from '../../application/shared/escape';
import { chatViews, contextKeys, viewTypes } from '../../application/shared/ids';
import { returnPrompt } from '../../application/chat/returnPrompt';
import { Mailbox } from '../../application/chat/mailbox';
import { closeStale, type PreopenedPanel, webviewOptions } from './newPanel';
import { type PanelDependencies, SessionPanel } from './panel';
import { type OpenOptions, placementOf } from '../../application/chat/placement';
import type { SideBarChat } from './sideBarChat';
import type { PageItem } from './webviewPage';
import { hasSecondarySideBar } from '../../application/window/secondarySideBar';
import { window } from '../shared/window';

/** The element that gets the keyboard focus. */
type Target = 'composer' | 'permission';

/** A surface that shows a session. */
type Holder = SessionPanel | SideBarChat;

interface Surface extends PageItem {
  readonly subscription: Disposable;
  holder?: Holder | undefined;
}

export class SessionPanels implements Disposable {
  private readonly surfaces = new Map<string, Surface>();
  /** The keys of the shown sessions. The session that was in front last is at the end. */
  private recent: string[] = [];
  private readonly activeListeners = new Listeners<[]>();
  /** Called when a panel or the side bar no longer shows this session. The session may be moving to another surface. */
  readonly hidden = new Listeners<[sessionKey: string]>();
  private readonly focused = new ContextKey(contextKeys.sessionFocused);
  private focusedKey: string | undefined;
  private readonly previewInFront = new ContextKey(contextKeys.previewInFront);
  private readonly chatInEditor = new ContextKey(contextKeys.chatInEditor);
  private readonly deps: PanelDependencies;
  private sideBar: SideBarChat | undefined;
  private readonly loadSideBar = lazy(async () => {
    const { SideBarChat } = await import('./sideBarChat');
    return (this.sideBar = new SideBarChat(hasSecondarySideBar(vscode.version) ? chatViews.secondary : chatViews.primary, this.deps));
  });

  constructor(deps: PanelDependencies) {
    const { activity } = deps;
    this.deps = {
      ...deps,
      activity: {
        typing: () => activity.typing(),
        cardSight: (sessionKey) => activity.cardSight(sessionKey),
        screenChanged: () => activity.screenChanged(),
        pageFocus: (sessionKey, hasFocus) => {
          if (hasFocus && this.surfaces.get(sessionKey)?.holder) {
            this.toFront(sessionKey);
          }
          // The page that loses the focus may report it after the page that gets it.
          this.focusedKey = hasFocus ? sessionKey : this.focusedKey === sessionKey ? undefined : this.focusedKey;
          this.focused.set(this.focusedKey !== undefined);
          activity.pageFocus(sessionKey, hasFocus);
        },
      },
    };
  }

  /** The key of the session that was in front last, while a surface shows it. */
  get activeKey(): string | undefined {
    return this.recent.at(-1);
  }

  get active(): Session | undefined {
    return this.surfaces.get(this.activeKey ?? '')?.session;
  }

  /** Calls `listener` when `activeKey` has changed. */
  onDidChangeActive(listener: () => void): Disposable {
    return this.activeListeners.add(listener);
  }

  /** True while a panel or the side bar shows the session, on the screen or in the background. */
  isShown(sessionKey: string): boolean {
    return this.surfaces.get(sessionKey)?.holder !== undefined;
  }

  /** Shows the session on its current surface, or where the setting says, with the focus in `target`. @param early its new panel */
  open(session: Session, target: Target = 'composer', options: OpenOptions = {}, early?: PreopenedPanel): void {
    const { preview, preserveFocus = false, beside = false } = options;
    const where = options.where ?? (beside ? 'editor' : undefined);
    const surface = this.surfaceOf(session);
    const { holder } = surface;
    const previewed = this.previewed();
    const placement = placementOf({
      ...(where && { where }),
      ...(preview !== undefined && { preview }),
      shownIn: holder?.place,
      location: this.deps.chatLocation(),
      hasPreview: previewed !== undefined,
    });
    if (placement.leaves) {
      return void this.move(surface, holder!, target, { ...options, ...(where && { where }) });
    }
    if (!preserveFocus) {
      surface.mailbox.post({ type: 'focus', target });
    }
    if (placement.act === 'reveal') {
      if (!placement.preview) {
        this.keep(session.key);
      }
      holder!.reveal(preserveFocus, beside);
    } else if (placement.act === 'sideBar') {
      void this.showInSideBar(surface, preserveFocus);
    } else if (placement.act === 'reuse') {
      this.reuse(previewed!, surface, preserveFocus);
    } else {
      this.showInPanel(surface, placement.preview, preserveFocus, beside, early);
    }
    if (where === 'window') {
      void this.toNewWindow(surface);
    }
  }

  /** Returns the session for a command that moves one to `where`: among the sessions elsewhere, the one that was in front last. */
  movable(where: NonNullable<OpenOptions['where']>): Session | undefined {
    const key = this.recent.findLast((each) => where === 'window' || this.surfaces.get(each)?.holder?.place !== where);
    return this.surfaces.get(key ?? '')?.session;
  }

  /** Keeps the session's panel open when another session is previewed. Without a key, keeps the current preview. */
  keep(sessionKey = this.previewed()?.session.key): void {
    const holder = sessionKey === undefined ? undefined : this.surfaces.get(sessionKey)?.holder;
    if (holder?.place === 'editor' && holder.preview) {
      holder.preview = false;
      this.update();
    }
  }

  /** Fills a panel that VS Code kept over a reload of the window. */
  restore(session: Session, panel: vscode.WebviewPanel): void {
    const surface = this.surfaceOf(session);
    if (surface.holder) {
      panel.dispose(); // A session is shown by one surface only.
    } else {
      panel.webview.options = webviewOptions(this.deps.extensionUri);
      this.adopt(surface, panel, false);
    }
  }

  /** Returns a session that is shown or was shown. */
  sessionOf(sessionKey: string): Session | undefined {
    return this.surfaces.get(sessionKey)?.session;
  }

  /** Fills the chat view that VS Code has just created. @param restored finds the session that the view showed before the reload */
  async resolveView(view: vscode.WebviewView, restored: () => Promise<Session | undefined>): Promise<void> {
    const sideBar = await this.loadSideBar();
    if (!sideBar.shown) {
      const session = await restored();
      const surface = session && this.surfaceOf(session);
      // Another session may have been opened in the view meanwhile. A session that a panel shows stays there.
      if (surface && !sideBar.shown && !surface.holder) {
        this.putIntoSideBar(sideBar, surface);
      }
    }
    sideBar.resolve(view);
  }

  /** Replaces an earlier session with the same key on its surface. */
  replace(session: Session): void {
    void (this.surfaces.has(session.key) && this.surfaceOf(session));
  }

  /** Shows a session that was opened before. */
  reveal(sessionKey: string): void {
    const surface = this.surfaces.get(sessionKey);
    if (surface) {
      this.open(surface.session, 'permission');
    }
  }

  /** Posts to the page of a session that was opened, now or when the page exists. */
  post(sessionKey: string, message: ToView): void {
    this.surfaces.get(sessionKey)?.mailbox.post(message);
  }

  /** Opens the find box in the session in front. */
  openFind(): void {
    const surface = this.surfaces.get(this.activeKey ?? '');
    if (surface?.holder && !surface.holder.active) {
      surface.holder.reveal();
    }
    surface?.mailbox.post({ type: 'open_find' });
  }

  /** Returns the entry that the user reads in this session, or undefined when no surface shows it. */
  async whereIs(sessionKey: string): Promise<string | undefined> {
    return this.surfaces.get(sessionKey)?.holder?.whereIs();
  }

  /** True while the session is on the screen. */
  isVisible(sessionKey: string): boolean {
    return this.surfaces.get(sessionKey)?.holder?.visible === true;
  }

  /** Adds attachments to the session's next prompt. */
  attach(session: Session, blocks: readonly DraftBlock[]): void {
    this.surfaceOf(session).mailbox.post({ type: 'attach', blocks });
  }

  /** Closes the panel of a session that was deleted. */
  forget(sessionKey: string): void {
    const surface = this.surfaces.get(sessionKey);
    if (surface) {
      this.surfaces.delete(sessionKey);
      surface.subscription.dispose();
      this.setRecent(this.recent.filter((key) => key !== sessionKey));
      surface.holder?.dispose();
    }
  }

  /** Leaves panels and view to VS Code, which restores them with the window. */
  dispose(): void {
    for (const { subscription, holder } of this.surfaces.values()) {
      subscription.dispose();
      holder?.release();
    }
    this.sideBar?.release();
    this.surfaces.clear();
    this.activeListeners.clear();
    this.hidden.clear();
  }

  private surfaceOf(session: Session): Surface {
    const known = this.surfaces.get(session.key);
    if (known?.session === session) {
      return known;
    }
    known?.subscription.dispose();
    const { mailbox = new Mailbox(), pageState = {}, holder } = known ?? {};
    const subscription = session.onPromptReturned((_text, _others, content) => returnPrompt(mailbox, content));
    const surface: Surface = { session, mailbox, subscription, pageState, holder };
    this.surfaces.set(session.key, surface);
    holder?.show(surface);
    return surface;
  }

  /** The session in the preview panel, which the next previewed session may take. */
  private previewed(): Surface | undefined {
    return [...this.surfaces.values()].find(({ holder }) => holder?.preview === true);
  }

  private showInPanel(surface: Surface, preview: boolean, preserveFocus: boolean, beside = false, early?: PreopenedPanel): void {
    const column = { viewColumn: beside ? vscode.ViewColumn.Beside : sessionColumn(), preserveFocus };
    const options = webviewOptions(this.deps.extensionUri);
    closeStale(surface.session, this.surfaces.values());
    this.adopt(surface, early?.take() ?? window.createWebviewPanel(viewTypes.session, own(''), column, options), preview);
    if (preserveFocus) {
      surface.holder?.reveal(true);
    }
  }

  /** Shows another session in the preview panel. */
  private reuse(before: Surface, surface: Surface, preserveFocus: boolean): void {
    const panel = before.holder as SessionPanel;
    closeStale(surface.session, this.surfaces.values(), true);
    before.holder = undefined;
    surface.holder = panel;
    panel.show(surface);
    panel.reveal(preserveFocus);
    const { key } = before.session;
    this.hidden.call(key);
    this.setRecent(this.recent.map((each) => (each === key ? surface.session.key : each)));
  }

  private async showInSideBar(surface: Surface, preserveFocus: boolean): Promise<void> {
    const sideBar = await this.loadSideBar();
    if (surface.holder && surface.holder !== sideBar) {
      return; // Another surface has opened the session meanwhile.
    }
    this.putIntoSideBar(sideBar, surface);
    this.toFront(surface.session.key);
    sideBar.reveal(preserveFocus);
  }

  private putIntoSideBar(sideBar: SideBarChat, surface: Surface): void {
    const before = [...this.surfaces.values()].find(({ holder }) => holder === sideBar);
    if (before && before !== surface) {
      this.leave(before);
    }
    surface.holder = sideBar;
    sideBar.show(surface);
    if (!this.recent.includes(surface.session.key)) {
      this.setRecent([surface.session.key, ...this.recent]);
    }
  }

  /** Moves the session to another surface, once the page has sent its pending draft, disclosures and scroll position. */
  private async move(surface: Surface, from: Holder, target: Target, { where, preserveFocus = false }: OpenOptions): Promise<void> {
    const sideBar = await this.loadSideBar();
    await from.settle();
    if (surface.holder !== from || !this.surfaces.has(surface.session.key)) {
      return;
    }
    this.leave(surface);
    // The old page is disposed first, so that waiting messages go to the new page.
    from.dispose();
    if (!preserveFocus) {
      surface.mailbox.post({ type: 'focus', target });
    }
    if (from === sideBar) {
      await sideBar.emptied();
      if (surface.holder || !this.surfaces.has(surface.session.key)) {
        return;
      }
      this.showInPanel(surface, false, preserveFocus);
      if (where === 'window') {
        await this.toNewWindow(surface);
      }
    } else {
      await this.showInSideBar(surface, preserveFocus);
    }
  }

  /** Detaches the session from its surface. */
  private leave(surface: Surface): void {
    surface.holder = undefined;
    this.hidden.call(surface.session.key);
    this.setRecent(this.recent.filter((key) => key !== surface.session.key));
  }

  private async toNewWindow(surface: Surface): Promise<void> {
    const { holder } = surface;
    if (holder?.place === 'editor') {
      await (await import('./frontEditor')).moveToNewWindow(holder, this.deps.clock);
    }
  }

  private adopt(first: Surface, webviewPanel: vscode.WebviewPanel, preview: boolean): void {
    const watch = new DisposableStore();
    const shown = (): Surface | undefined => [...this.surfaces.values()].find(({ holder }) => holder === panel);
    const panel: SessionPanel = new SessionPanel(webviewPanel, first, this.deps, () => this.keep(shown()?.session.key));
    panel.preview = preview;
    first.holder = panel;
    watch.add(
      webviewPanel.onDidChangeViewState(() => {
        const key = shown()?.session.key;
        if (webviewPanel.active && key !== undefined) {
          this.toFront(key);
        }
        this.update();
      }),
    );
    if (preview) {
      void import('./pinnedTab').then(({ onPinned }) => watch.add(onPinned(webviewPanel, () => this.keep(shown()?.session.key))));
    }
    watch.add(
      webviewPanel.onDidDispose(() => {
        watch.dispose();
        const surface = shown();
        if (surface) {
          this.leave(surface);
        }
      }),
    );
    const { key } = first.session;
    if (webviewPanel.active) {
      this.toFront(key);
    } else if (!this.recent.includes(key)) {
      this.setRecent([key, ...this.recent]);
    }
    this.update();
  }

  private toFront(sessionKey: string): void {
    this.setRecent([...this.recent.filter((key) => key !== sessionKey), sessionKey]);
  }

  private setRecent(recent: string[]): void {
    const before = this.activeKey;
    this.recent = recent;
    if (this.activeKey !== before) {
      this.activeListeners.call();
    }
    this.update();
  }

  private update(): void {
    this.chatInEditor.set([...this.surfaces.values()].some(({ holder }) => holder?.place === 'editor'));
    this.previewInFront.set(this.previewed()?.holder?.active === true);
  }
}
