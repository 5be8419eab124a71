/** One session's webview panel: the document, the tab's title, and the page in it. Closing it ends nothing but itself. */
import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { needsYou } from '../../core/model/select';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import type { PermissionPresentation } from '../permission/presentation';
import { readsTitles, titleOf } from '../shared/sessionTitle';
import type { Mailbox } from './mailbox';
import type { UnreadSessions } from './unreadSessions';
import { pageHtml } from './page';
import { type PageFiles, readPageFiles } from './pageFiles';
import { PanelIntents, type PanelIntentDependencies } from './panelIntents';
import { type PagePorts, type PageSurface, SessionPage } from './sessionPage';
import { setTitle } from '../shared/window';

export interface PanelDependencies extends PanelIntentDependencies, Omit<PagePorts, 'drafts' | 'code'> {
  readonly extensionUri: vscode.Uri;
  readonly presentation: Pick<PermissionPresentation, 'value' | 'onDidChange'>;
  readonly unread: Pick<UnreadSessions, 'has' | 'onDidChange'>;
}

const MAX_TITLE = 60;

/** Of a session's panel. Said when the panel is made: another value later would load its page twice. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  const folder = (name: string) => vscode.Uri.joinPath(extensionUri, name);
  return { enableScripts: true, enableCommandUris: false, localResourceRoots: [folder('dist'), folder('media')] };
}

export class SessionPanel {
  private readonly store = new DisposableStore();
  private readonly page: SessionPage;
  /** What the title was last made of. */
  private shownTitle: readonly [title: string, need: string] | undefined;

  /** Fills `panel`, which is new or was kept over a reload. */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly session: Session,
    private readonly mailbox: Mailbox,
    private readonly ports: PanelDependencies,
  ) {
    const { extensionUri } = ports;
    const folder = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    this.page = this.store.add(new SessionPage(surfaceOf(panel), { ...ports, code: withAppearance(ports.code, this.store) }));
    const intents = new PanelIntents(session, mailbox, ports);
    const facts = () => {
      const { folder: folderName, others: multiRoot } = this.folder();
      return { folderName, multiRoot, present: ports.presentation.value };
    };
    this.page.attach({ session, mailbox, facts, act: (intent) => intents.act(intent) });
    this.store.add(ports.presentation.onDidChange(() => this.page.tellFacts()));
    this.store.add(session.store.onEvents(() => this.updateTitle()));
    this.store.add(ports.unread.onDidChange(() => this.updateTitle()));
    this.store.add(panel.onDidDispose(() => this.store.dispose()));
    panel.iconPath = { light: folder('session-light.svg'), dark: folder('session-dark.svg') };
    this.updateTitle();
    void this.fill();
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  reveal(preserveFocus = false, beside = false): void {
    this.panel.reveal(beside ? vscode.ViewColumn.Beside : undefined, preserveFocus);
  }

  /** Shows where to type what to find in the conversation. */
  openFind(): void {
    if (!this.panel.active) {
      this.reveal();
    }
    this.mailbox.post({ type: 'open_find' });
  }

  /** The entry that the user reads; undefined when the page cannot tell. */
  whereIs(): Promise<string | undefined> {
    return this.page.whereIs();
  }

  /** Closes the panel. */
  dispose(): void {
    this.panel.dispose();
  }

  /** Stops serving the panel without closing it. */
  release(): void {
    this.store.dispose();
  }

  private async fill(): Promise<void> {
    const files = await readPageFiles(vscode.Uri.joinPath(this.ports.extensionUri, 'dist', 'webview').fsPath);
    if (!this.store.disposed) {
      this.panel.webview.html = this.html(files);
    }
  }

  private html(files: PageFiles): string {
    const { webview } = this.panel;
    const at = (...segments: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(this.ports.extensionUri, ...segments)).toString();
    return pageHtml({
      ...files,
      nonce: randomBytes(18).toString('base64url'),
      language: vscode.env.language,
      title: this.panel.title,
      cspSource: webview.cspSource,
      scriptUri: at('dist', 'webview', 'main.js'),
      importUris: files.imports.map((name) => at('dist', 'webview', name)),
      mediaUri: at('media'),
      sessionKey: this.session.key,
      bundle: vscode.l10n.bundle,
    });
  }

  /** Runs with every event, so it looks first at what the title is made of. */
  private updateTitle(): void {
    const { state } = this.session.store;
    // The title that is there stays meanwhile.
    if (!readsTitles(state, () => this.store.disposed || this.updateTitle())) {
      return;
    }
    const need =
      state.pendingPermissions.length > 0 ? 'approval' : needsYou(state) ? 'input' : this.ports.unread.has(this.session.key) ? 'done' : '';
    const shownTitle = [titleOf(state) || this.session.agentName, need] as const;
    if (this.shownTitle?.[0] === shownTitle[0] && this.shownTitle[1] === shownTitle[1]) {
      return;
    }
    this.shownTitle = shownTitle;
    const name = visible(shownTitle[0], MAX_TITLE);
    const { folder, others } = this.folder();
    const title = others ? t('{title} — {folder}', { title: name, folder: visible(folder, MAX_TITLE) }) : name;
    // Words, not a sign alone: a screen reader reads the title too.
    const shown =
      need === 'approval'
        ? t('{title} (needs approval)', { title })
        : need === 'input'
          ? t('{title} (needs input)', { title })
          : need === 'done'
            ? t('{title} (done)', { title })
            : title;
    if (this.panel.title !== shown) {
      setTitle(this.panel, shown);
    }
  }

  /** The session's folder by its name in the workspace, and whether there are others to mistake it for. */
  private folder(): { folder: string; others: boolean } {
    const { cwd } = this.session.roots;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const own = folders.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === cwd);
    return { folder: own?.name ?? cwd, others: folders.length > 1 };
  }
}

/** What every page is told of the window: code's part, and fonts, which are read once the page is there. */
function withAppearance(code: PagePorts['code'], store: DisposableStore): PagePorts['code'] {
  const appearance = import('./appearance');
  return {
    tell: (send) => {
      code.tell(send);
      void appearance.then(({ readAppearance }) => send(readAppearance()));
    },
    watch: (send) => {
      void appearance.then(({ watchAppearance }) => store.add(watchAppearance(send)));
      return code.watch(send);
    },
  };
}

/** A panel as the page's surface. */
function surfaceOf(panel: vscode.WebviewPanel): PageSurface {
  return {
    get visible() {
      return panel.visible;
    },
    get active() {
      return panel.active;
    },
    postMessage: (message) => void panel.webview.postMessage(message),
    onDidReceiveMessage: (listener) => panel.webview.onDidReceiveMessage(listener),
    onDidChangeVisibility: (listener) => panel.onDidChangeViewState(listener),
  };
}
