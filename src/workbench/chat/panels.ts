/** The panels of the sessions: one each, made when it is first shown, made anew after it was closed. */
import * as vscode from 'vscode';
import type { ContentBlock } from '../../core/model/content';
import type { Disposable } from '../../core/model/ports';
import type { ToView } from '../../core/protocol/view';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import { Listeners } from '../../util/listeners';
import { sessionColumn } from './columns';
import { own } from '../shared/escape';
import { viewTypes } from '../shared/ids';
import { Mailbox } from './mailbox';
import { type PanelDependencies, SessionPanel, webviewOptions } from './panel';
import { window } from '../shared/window';

interface Surface {
  readonly session: Session;
  /** What waits for a page: it outlives the panel, because text that was given back must not be lost with it. */
  readonly mailbox: Mailbox;
  readonly subscription: Disposable;
  panel?: SessionPanel | undefined;
}

export interface OpenOptions {
  /** It is only looked at. */
  readonly preview?: boolean;
  /** The keyboard stays where it is. */
  readonly preserveFocus?: boolean;
  /** In the editor group beside the one in front. */
  readonly beside?: boolean;
}

export class SessionPanels implements Disposable {
  private readonly surfaces = new Map<string, Surface>();
  /** Keys of the sessions with a panel, the one in front last at the end. */
  private recent: string[] = [];
  private readonly activeListeners = new Listeners<[]>();

  constructor(private readonly ports: PanelDependencies) {}

  /** The session whose panel was in front last, while that panel is open. */
  get activeKey(): string | undefined {
    return this.recent.at(-1);
  }

  get active(): Session | undefined {
    const key = this.activeKey;
    return key === undefined ? undefined : this.surfaces.get(key)?.session;
  }

  /** `activeKey` changed. */
  onDidChangeActive(listener: () => void): Disposable {
    return this.activeListeners.add(listener);
  }

  /** Shows the session's panel, the one it has or a new one, with the focus in the composer or on the permission card. */
  open(
    session: Session,
    target: 'composer' | 'permission' = 'composer',
    { preserveFocus = false, beside = false }: OpenOptions = {},
  ): void {
    const surface = this.surfaceOf(session);
    if (!preserveFocus) {
      surface.mailbox.post({ type: 'focus', target });
    }
    if (surface.panel) {
      surface.panel.reveal(preserveFocus, beside);
    } else {
      const column = { viewColumn: beside ? vscode.ViewColumn.Beside : sessionColumn(), preserveFocus };
      const options = webviewOptions(this.ports.extensionUri);
      this.adopt(surface, window.createWebviewPanel(viewTypes.session, own(''), column, options));
    }
  }

  /** Fills a panel that VS Code kept over a reload of the window. */
  restore(session: Session, panel: vscode.WebviewPanel): void {
    const surface = this.surfaceOf(session);
    if (surface.panel) {
      panel.dispose(); // One session, one panel.
    } else {
      panel.webview.options = webviewOptions(this.ports.extensionUri);
      this.adopt(surface, panel);
    }
  }

  /** As it is shown, or was. */
  sessionOf(sessionKey: string): Session | undefined {
    return this.surfaces.get(sessionKey)?.session;
  }

  /** Shows a session that was opened before. */
  reveal(sessionKey: string): void {
    const surface = this.surfaces.get(sessionKey);
    if (surface) {
      this.open(surface.session, 'permission');
    }
  }

  /** To the page of a session that was opened, now or when it is there. */
  post(sessionKey: string, message: ToView): void {
    this.surfaces.get(sessionKey)?.mailbox.post(message);
  }

  /** In the panel in front: where to type what to find. */
  openFind(): void {
    const key = this.activeKey;
    const panel = key === undefined ? undefined : this.surfaces.get(key)?.panel;
    panel?.openFind();
  }

  /** The entry that the user reads in this session's panel; undefined when it has none that is visible. */
  async whereIs(sessionKey: string): Promise<string | undefined> {
    return this.surfaces.get(sessionKey)?.panel?.whereIs();
  }

  /** True while the session's panel is on the screen. */
  isVisible(sessionKey: string): boolean {
    return this.surfaces.get(sessionKey)?.panel?.visible === true;
  }

  /** Adds to what the session's next prompt carries. */
  attach(session: Session, blocks: readonly ContentBlock[]): void {
    this.surfaceOf(session).mailbox.post({ type: 'attach', blocks });
  }

  /** The session is gone for good: its panel closes. */
  forget(sessionKey: string): void {
    const surface = this.surfaces.get(sessionKey);
    if (surface) {
      this.surfaces.delete(sessionKey);
      surface.subscription.dispose();
      surface.panel?.dispose();
    }
  }

  /** Leaves the panels to VS Code, which restores them with the window. */
  dispose(): void {
    for (const { subscription, panel } of this.surfaces.values()) {
      subscription.dispose();
      panel?.release();
    }
    this.surfaces.clear();
    this.activeListeners.clear();
  }

  private surfaceOf(session: Session): Surface {
    const known = this.surfaces.get(session.key);
    if (known) {
      return known;
    }
    const mailbox = new Mailbox();
    const subscription = session.onPromptReturned((text, others) => {
      if (text) {
        mailbox.post({ type: 'restore_text', text });
      }
      if (others.length > 0) {
        mailbox.post({ type: 'attach', blocks: others });
      }
    });
    const surface: Surface = { session, mailbox, subscription };
    this.surfaces.set(session.key, surface);
    return surface;
  }

  private adopt(surface: Surface, webviewPanel: vscode.WebviewPanel): void {
    const { session, mailbox } = surface;
    const watch = new DisposableStore();
    surface.panel = new SessionPanel(webviewPanel, session, mailbox, this.ports);
    watch.add(webviewPanel.onDidChangeViewState(() => webviewPanel.active && this.toFront(session.key)));
    watch.add(
      webviewPanel.onDidDispose(() => {
        watch.dispose();
        surface.panel = undefined;
        this.setRecent(this.recent.filter((key) => key !== session.key));
      }),
    );
    if (webviewPanel.active) {
      this.toFront(session.key);
    } else if (!this.recent.includes(session.key)) {
      this.setRecent([session.key, ...this.recent]);
    }
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
  }
}
