/** The page in a webview of a panel or of the side bar: its document, and the session that it shows. */
import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { machineOf } from '../../agent/machine';
import type { ChatLocation, FromView, ToView } from '../../core/protocol/view';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import type { PermissionPresentation } from '../permission/presentation';
import type { Mailbox } from '../../application/chat/mailbox';
import type { FrontEditors, WatchedFront } from '../window/activeEditor';
import { pageHtml } from '../../application/chat/page';
import { readPageFiles } from '../../application/chat/pageFiles';
import type { Router } from '../../application/routing/feature';
import type { AgentPreferencesStore } from '../preferences/agentPreferences';
import type { ShownTitles } from '../../application/chat/shownTitles';
import type { UnreadSessions } from '../../application/chat/unreadSessions';
import { type PageDependencies, type PageSurface, type PageStateSlot, PageController } from '../../application/chat/pageController';

/** Sends the context of the active editor, which the message box shows, to a page: now, and after each change. */
interface LiveContext {
  postLiveContext(front: FrontEditors, send: (message: ToView) => void): void;
  watchLiveContext(front: WatchedFront, send: (message: ToView) => void): Disposable;
}

export interface PanelDependencies extends PageDependencies {
  readonly extensionUri: vscode.Uri;
  readonly code: PageDependencies['code'] & WatchedFront;
  /** Loads in parallel with the page. */
  liveContext(): Promise<LiveContext>;
  readonly preferences: Pick<AgentPreferencesStore, 'shown' | 'onDidChange'>;
  /** Handles the messages of the page. Loads in parallel with it. */
  features(): Promise<Router>;
  readonly presentation: Pick<PermissionPresentation, 'value' | 'onDidChange'>;
  readonly unread: Pick<UnreadSessions, 'has' | 'onDidChange'>;
  readonly titles: ShownTitles;
  /** The user's setting for where sessions open. */
  chatLocation(): ChatLocation;
  /** Stores which session the chat view shows, or that it shows none, so that it can be restored with the window. */
  chatViewShows(sessionKey: string | undefined): void;
}

/** A session with the objects that belong to it on any surface. */
export interface PageItem {
  readonly session: Session;
  /** The messages that wait for a page. The mailbox outlives the page, so that returned text is not lost. */
  readonly mailbox: Mailbox;
  readonly pageState: PageStateSlot;
}

export class WebviewPage {
  private readonly owned = new DisposableStore();
  private readonly page: PageController;

  /** @param place the location of the webview @param onIntent called with each action before it is handled */
  constructor(
    private readonly webview: vscode.Webview,
    surface: Pick<PageSurface, 'visible' | 'active' | 'onDidChangeVisibility'>,
    private readonly place: ChatLocation,
    private readonly deps: PanelDependencies,
    private readonly onIntent: (intent: FromView) => void = () => undefined,
  ) {
    const whole: PageSurface = {
      get visible() {
        return surface.visible;
      },
      get active() {
        return surface.active;
      },
      postMessage: (message) => void webview.postMessage(message),
      onDidReceiveMessage: (listener) => webview.onDidReceiveMessage(listener),
      onDidChangeVisibility: (listener) => surface.onDidChangeVisibility(listener),
    };
    this.page = this.owned.add(
      new PageController(whole, { ...deps, code: withComposer(deps, withAppearance(deps.code, this.owned), this.owned) }),
    );
    this.owned.add(deps.presentation.onDidChange(() => this.page.postFacts()));
    this.owned.add(deps.preferences.onDidChange(() => this.page.postFacts()));
  }

  get disposed(): boolean {
    return this.owned.disposed;
  }

  /** Shows this session in place of the current content. */
  show({ session, mailbox, pageState }: PageItem): void {
    const features = this.deps.features();
    const post = (message: ToView): void => mailbox.post(message);
    this.page.switchTo({
      session,
      mailbox,
      pageState,
      facts: () => {
        const { folder, others } = folderOf(session);
        const host = session.launch && machineOf(session.launch);
        return {
          folderName: folder,
          multiRoot: others,
          ...(host !== undefined && { host }),
          present: this.deps.presentation.value,
          preferences: this.deps.preferences.shown(session.agentId),
        };
      },
      act: (intent, showing) => {
        this.onIntent(intent);
        void features.then((router) => router.act(intent, { session, showing, post }));
      },
    });
  }

  /** Shows the start page, without a session. */
  showNone(): void {
    this.page.showNone({
      facts: () => ({ location: this.deps.chatLocation() }),
      act: (intent) =>
        void this.deps.features().then((router) => router.act(intent, { session: undefined, showing: undefined, post: () => undefined })),
    });
  }

  /** Creates the document. @param sessionKey the session that it shows first, if any @param title the document's title */
  fill(sessionKey: string | undefined, title: string): void {
    const { webview, place, deps } = this;
    // Read synchronously: while VS Code creates the panel, the session's other work can wait.
    const files = readPageFiles(vscode.Uri.joinPath(deps.extensionUri, 'dist', 'webview').fsPath);
    const at = (...segments: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(deps.extensionUri, ...segments)).toString();
    webview.html = pageHtml({
      ...files,
      nonce: randomBytes(18).toString('base64url'),
      language: vscode.env.language,
      title,
      cspSource: webview.cspSource,
      scriptUri: at('dist', 'webview', 'main.js'),
      importUris: files.imports.map((name) => at('dist', 'webview', name)),
      mediaUri: at('media'),
      sessionKey,
      place,
      bundle: vscode.l10n.bundle,
    });
  }

  /** Returns the entry that the user reads, or undefined when the page does not answer. */
  whereIs(): Promise<string | undefined> {
    return this.page.whereIs();
  }

  /** Resolves when the page has sent its pending draft and state, or does not answer. */
  async settle(): Promise<void> {
    if (this.page.isThere) {
      await this.page.whereIs();
    }
  }

  /** See {@link PageController.leftScreen}. */
  leftScreen(): void {
    this.page.leftScreen();
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/**
 * Returns the session's folder by its name in the workspace, or by its own name outside the workspace. `others`: the workspace has several
 * folders.
 */
export function folderOf({ roots, store }: Session): { folder: string; others: boolean } {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = folders.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === roots.cwd);
  // A replayed log has no folder: its `cwd` is only text.
  const cwd = roots.cwd || store.state.cwd;
  return { folder: own?.name ?? (path.basename(cwd) || cwd), others: folders.length > 1 };
}

/** Adds the fonts to the messages that every page gets. The fonts are read once the page exists. */
function withAppearance(code: PageDependencies['code'], store: DisposableStore): PageDependencies['code'] {
  const appearance = import('./appearance');
  return {
    postState: (send) => {
      code.postState(send);
      void appearance.then(({ readAppearance }) => send(readAppearance()));
    },
    watch: (send) => {
      void appearance.then(({ watchAppearance }) => store.add(watchAppearance(send)));
      return code.watch(send);
    },
  };
}

/** Adds the context of the active editor, which the message box shows. */
function withComposer(deps: PanelDependencies, code: PageDependencies['code'], store: DisposableStore): PageDependencies['code'] {
  const front = deps.code;
  const live = deps.liveContext();
  return {
    postState: (send) => {
      code.postState(send);
      void live.then(({ postLiveContext }) => postLiveContext(front, send));
    },
    watch: (send) => {
      void live.then(({ watchLiveContext }) => store.add(watchLiveContext(front, send)));
      return code.watch(send);
    },
  };
}
