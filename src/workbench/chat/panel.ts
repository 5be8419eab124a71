/** One session's webview panel: the page and the feed behind it. Closing it ends nothing but itself. */
import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { parseIntent } from '../../core/protocol/intent';
import type { Log } from '../../core/model/ports';
import { needsYou, titleOf } from '../../core/model/select';
import type { ToView } from '../../core/protocol/view';
import { ViewFeed } from '../../session/view/feed';
import type { Finder } from '../../session/view/finder';
import type { Session } from '../../session/session';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import type { Mailbox } from './mailbox';
import { pageHtml } from './page';
import { type PageFiles, readPageFiles } from './pageFiles';
import { PanelIntents, type PanelIntentPorts } from './panelIntents';
import { setTitle } from '../shared/window';

export interface PanelPorts extends PanelIntentPorts {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}

const MAX_TITLE = 60;
/** ms that a page gets to say where its user is. */
const WHERE_MS = 500;

/** Of a session's panel. Said when the panel is made: another value later would load its page twice. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  const folder = (name: string) => vscode.Uri.joinPath(extensionUri, name);
  return { enableScripts: true, enableCommandUris: false, localResourceRoots: [folder('dist'), folder('media')] };
}

export class SessionPanel {
  private readonly store = new DisposableStore();
  private readonly feed: ViewFeed;
  /** Its code is loaded with the first search. */
  private finder: Promise<Finder> | undefined;
  private readonly intents: PanelIntents;
  /** Who waits to hear where the user is. */
  private warned = false;
  private readonly asking = new Set<(entryId: string | undefined) => void>();
  /** What the title was last made of. */
  private told: readonly [title: string, needsYou: boolean] | undefined;

  /** Fills `panel`, which is new or was kept over a reload. */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly session: Session,
    private readonly mailbox: Mailbox,
    private readonly ports: PanelPorts,
  ) {
    const { extensionUri } = ports;
    const folder = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    this.feed = this.store.add(new ViewFeed(session.store, (message) => this.send(message), ports.clock));
    this.intents = new PanelIntents(session, mailbox, ports);
    this.store.add(toDisposable(() => mailbox.close()));
    this.store.add(toDisposable(() => ports.activity.pageFocus(session.key, false)));
    this.store.add(session.store.onEvents(() => this.updateTitle()));
    this.store.add(ports.code.watch((message) => this.sendIfVisible(message)));
    this.store.add(panel.onDidChangeViewState(() => this.onVisibility()));
    this.store.add(panel.webview.onDidReceiveMessage((message: unknown) => this.onMessage(message)));
    this.store.add(panel.onDidDispose(() => this.store.dispose()));
    this.feed.setVisible(panel.visible);
    panel.iconPath = { light: folder('session-light.svg'), dark: folder('session-dark.svg') };
    this.updateTitle();
    void this.fill();
  }

  reveal(): void {
    this.panel.reveal(undefined, false);
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
    return new Promise((resolve) => {
      const answer = (entryId: string | undefined): void => {
        this.asking.delete(answer);
        late.dispose();
        resolve(entryId);
      };
      const late = this.ports.clock.after(WHERE_MS, () => answer(undefined));
      this.asking.add(answer);
      this.send({ type: 'where' });
    });
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
    const told = [titleOf(state) || this.session.agentName, needsYou(state)] as const;
    if (this.told?.[0] === told[0] && this.told[1] === told[1]) {
      return;
    }
    this.told = told;
    const name = visible(told[0], MAX_TITLE);
    const { folder, others } = this.folder();
    const title = others ? t('{title} — {folder}', { title: name, folder: visible(folder, MAX_TITLE) }) : name;
    // Words, not a sign alone: a screen reader reads the title too.
    const shown = told[1] ? t('{title} (needs you)', { title }) : title;
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

  private onVisibility(): void {
    const { visible: shown } = this.panel;
    this.feed.setVisible(shown);
    if (!shown) {
      this.mailbox.close(); // The page is destroyed; the next one says `ready`.
      this.ports.activity.pageFocus(this.session.key, false);
      void this.finder?.then((finder) => finder.stop());
    }
  }

  private openFinder(): Promise<Finder> {
    return (this.finder ??= import('../../session/view/finder').then(({ Finder }) =>
      this.store.add(
        new Finder(this.session.store, this.ports.clock, (findId, found) => this.sendIfVisible({ type: 'found', findId, ...found })),
      ),
    ));
  }

  private send(message: ToView): void {
    void this.panel.webview.postMessage(message);
  }

  /** For what every new page is told anyway: a hidden one is not there. */
  private sendIfVisible(message: ToView): void {
    if (!this.store.disposed && this.panel.visible) {
      this.send(message);
    }
  }

  private onMessage(message: unknown): void {
    const intent = parseIntent(message);
    if (!intent) {
      // Once: the page could send any number of them.
      if (!this.warned) {
        this.ports.log.warn('A message of the session view was not understood and is ignored.');
      }
      this.warned = true;
    } else if (intent.type === 'find') {
      void this.openFinder().then((finder) => finder.find(intent.findId, intent));
    } else if (intent.type === 'reading') {
      this.asking.forEach((answer) => answer(intent.entryId));
    } else if (!this.feed.handle(intent)) {
      this.intents.act(intent);
    } else if (intent.type === 'ready') {
      this.onReady();
    }
  }

  private onReady(): void {
    const { folder, others } = this.folder();
    this.send({ type: 'page', folderName: folder, multiRoot: others });
    this.ports.code.tell((message) => this.sendIfVisible(message));
    // A page that has taken its time must not take the focus out of a question of ours that was opened meanwhile: that would close it.
    if (this.panel.active && !this.ports.activity.asking) {
      this.send({ type: 'focus', target: 'composer' });
    }
    this.send({ type: 'draft', ...(this.ports.drafts.get(this.session.key) ?? { at: 0, content: [] }) });
    // After the focus of a page that is merely shown again: what waits may ask for another place.
    this.mailbox.open((message) => this.send(message));
  }
}
