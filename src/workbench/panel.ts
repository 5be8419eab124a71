/** One session's webview panel: the page, the feed behind it, and what the view asks for. Closing it ends nothing but itself. */
import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { parseIntent } from '../core/intent';
import type { Clock, Log } from '../core/ports';
import { needsYou, titleOf } from '../core/select';
import type { FromView, ToView, ViewAction } from '../core/view';
import type { Drafts } from '../session/drafts';
import { ViewFeed } from '../session/feed';
import { Finder } from '../session/finder';
import type { Session } from '../session/session';
import { DisposableStore, toDisposable } from '../util/disposable';
import type { CodeBlocks } from './codeBlocks';
import { visible } from './escape';
import { t } from './l10n';
import type { Mailbox } from './mailbox';
import type { Openers } from './openers';
import { pageHtml } from './page';
import type { UserActivity } from './userActivity';
import { failureText } from './words';

export interface PanelPorts {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
  readonly activity: UserActivity;
  readonly openers: Openers;
  readonly drafts: Drafts;
  readonly code: CodeBlocks;
  /** Without `uris`, the user is asked for files. */
  attachFiles(session: Session, uris?: readonly string[]): void;
  /** Among the terminals of the window. */
  showTerminal(session: Session, terminalId: string): Promise<void>;
  /** A button of the view whose action is not the session's own: log, settings, a new session. */
  act(action: ViewAction, session: Session): void;
}

const MAX_TITLE = 60;
/** ms that a page gets to say where its user is. */
const WHERE_MS = 500;

export class SessionPanel {
  private readonly store = new DisposableStore();
  private readonly feed: ViewFeed;
  private readonly finder: Finder;
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
    this.finder = this.store.add(new Finder(session.store, ports.clock, (findId, found) => this.send({ type: 'found', findId, ...found })));
    this.store.add(toDisposable(() => mailbox.close()));
    this.store.add(session.store.onEvents(() => this.updateTitle()));
    this.store.add(ports.code.watch((message) => this.sendIfVisible(message)));
    this.store.add(panel.onDidChangeViewState(() => this.onVisibility()));
    this.store.add(panel.webview.onDidReceiveMessage((message: unknown) => this.onMessage(message)));
    this.store.add(panel.onDidDispose(() => this.store.dispose()));
    this.feed.setVisible(panel.visible);
    panel.iconPath = { light: folder('session-light.svg'), dark: folder('session-dark.svg') };
    this.updateTitle();
    panel.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')],
    };
    panel.webview.html = this.html();
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

  private html(): string {
    const { webview } = this.panel;
    const at = (...segments: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(this.ports.extensionUri, ...segments)).toString();
    return pageHtml({
      nonce: randomBytes(18).toString('base64url'),
      language: vscode.env.language,
      title: this.panel.title,
      cspSource: webview.cspSource,
      scriptUri: at('dist', 'webview', 'main.js'),
      styleUri: at('dist', 'webview', 'main.css'),
      mediaUri: at('media'),
      sessionKey: this.session.key,
      bundle: vscode.l10n.bundle,
    });
  }

  /** Runs with every event, so it looks first at what the title is made of. */
  private updateTitle(): void {
    const { state } = this.session.store;
    const told = [titleOf(state), needsYou(state)] as const;
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
      this.panel.title = shown;
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
      this.finder.stop();
    }
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
    } else if (!this.feed.handle(intent)) {
      this.act(intent);
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
    const draft = this.ports.drafts.get(this.session.key);
    if (draft) {
      this.send({ type: 'draft', ...draft });
    }
    // After the focus of a page that is merely shown again: what waits may ask for another place.
    this.mailbox.open((message) => this.send(message));
  }

  private act(intent: FromView): void {
    const { session, ports } = this;
    switch (intent.type) {
      case 'prompt':
        return this.prompt(intent);
      case 'draft':
        // Nothing of a replayed conversation is kept.
        return session.store.state.failure?.code === 'session.replayed' ? undefined : ports.drafts.set(session.key, intent);
      case 'cancel':
        return session.cancel();
      case 'attach_files':
        return ports.attachFiles(session);
      case 'attach_uris':
        return ports.attachFiles(session, intent.uris);
      case 'answer_permission':
        return void session.answerPermission(intent.permissionId, intent.optionId);
      case 'answer_elicitation':
        return void this.answerElicitation(intent);
      case 'open_elicitation':
        return void this.openPageOf(intent.requestKey);
      case 'sign_in':
        return session.signIn(intent.methodId);
      case 'set_config':
        return session.setConfig(intent.configId, intent.value);
      case 'stop_terminal':
        return session.stopTerminal(intent.terminalId);
      case 'show_terminal':
        return void ports.showTerminal(session, intent.terminalId);
      case 'typing':
        return ports.activity.typing();
      case 'find':
        return this.finder.find(intent.findId, intent);
      case 'reading':
        return this.asking.forEach((answer) => answer(intent.entryId));
      case 'copy':
        return void vscode.env.clipboard.writeText(intent.text);
      case 'insert_code':
      case 'apply_code':
        return void ports.code.act(intent, session.roots);
      case 'open_location':
        return void ports.openers.openPlace(session.roots, intent);
      case 'open_link':
        return void ports.openers.openLink(session.roots, intent.href);
      case 'open_diff':
        return void ports.openers.openDiff(session.store.state, intent.entryId, intent.content, intent.change);
      case 'open_turn_file':
        return void ports.openers.openTurnFile(session.store.state, session.roots, intent.entryId, intent.file);
      case 'open_content':
        return void ports.openers.openContent(session.store.state, intent.entryId, intent.content);
      case 'action':
        return void (session.act(intent.action) || ports.act(intent.action, session));
    }
  }

  /** A web page is opened first: the agent is told of the user's consent only when it came to that. The page hears of every answer not sent. */
  private async answerElicitation({ requestKey, action, content }: Extract<FromView, { type: 'answer_elicitation' }>): Promise<void> {
    const { elicitations } = this.session;
    if (action === 'accept' && elicitations.pageOf(requestKey) !== undefined && !(await this.openPageOf(requestKey))) {
      this.mailbox.post({ type: 'elicitation_problems', requestKey, problems: [] });
      return;
    }
    const problems = await elicitations.answer(requestKey, action, content);
    if (problems.length > 0) {
      this.mailbox.post({ type: 'elicitation_problems', requestKey, problems });
    }
  }

  private async openPageOf(requestKey: string): Promise<boolean> {
    const url = this.session.elicitations.pageOf(requestKey);
    return url !== undefined && (await this.ports.openers.openPage(url));
  }

  /** What the session does not take goes back into the composer, whole. */
  private prompt({ content }: Extract<FromView, { type: 'prompt' }>): void {
    const failure = this.session.submit(content);
    if (!failure) {
      return;
    }
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    const others = content.filter((block) => block.type !== 'text');
    if (text) {
      this.mailbox.post({ type: 'restore_text', text });
    }
    if (others.length > 0) {
      this.mailbox.post({ type: 'attach', blocks: others });
    }
    void vscode.window.showWarningMessage(failureText(failure, t));
  }
}
