/** **ACP: Share Session…**: the questions before, the sharing of this window, and its page. Loaded by the command. Nothing listens before it. */
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { LOOPBACK, networkAddresses } from '../../application/share/addresses';
import { type Continued, continueSharing } from '../../application/share/continueSharing';
import { accessHint, rightName, settingsEntry, sharePageState } from '../../application/share/sharePageState';
import { sharedSessionOf } from '../../application/share/sharedSessionOf';
import { type InertText, inertLine } from '../../application/shared/escape';
import { contextKeys, settings, sharingKey, viewTypes } from '../../application/shared/ids';
import { loadTitles } from '../../application/shared/sessionTitle';
import type { FromSharePage, ShareAction } from '../../core/share/sharePage';
import type { ShareRight } from '../../core/share/share';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { Invitation } from '../../share/invitation';
import { type ShareAddress, Sharing } from '../../share/sharing';
import type { SharedSession } from '../../share/sharedSession';
import { SharingRecord } from '../../share/sharingRecord';
import { systemClock } from '../../util/clock';
import { readKeepLimits } from '../agents/keepingSettings';
import { AgentsPanel, type AgentsPanelListener } from '../agents/views/agentsPanel';
import { userValue } from '../settings/userValue';
import { ContextKey } from '../shared/contextKey';
import { t, verbatim } from '../shared/l10n';
import type { OutputLog } from '../shared/log';
import type { UserActivity } from '../shared/userActivity';
import { isRestricted } from '../trust/restrictedMode';
import { closeLeftPage } from '../shared/webviewPage';
import { type Item, window } from '../shared/window';

export interface ShareDependencies {
  readonly extensionUri: vscode.Uri;
  readonly log: OutputLog;
  readonly activity: Pick<UserActivity, 'during'>;
  readonly version: string;
  readonly sessions: Pick<Sessions, 'all' | 'get' | 'onChange'>;
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'secrets' | 'workspaceState'>;
  show(session: Session): void;
  /** Restores a session of an earlier window. */
  readBack(key: string): Promise<Session | undefined>;
}

/** ms between two updates of page and headers */
const UPDATE_MS = 100;
/** ms without a window after which nothing is shared again, whatever the user's limit for agents. */
const MAX_AWAY_MS = 10 * 60_000;

interface Shown extends Invitation {
  readonly token: string;
}

export class ShareFeature implements Disposable {
  private readonly sharing: Sharing;
  private panel: AgentsPanel | undefined;
  /** The token on the page. It is dropped when the page closes. */
  private shown: Shown | undefined;
  private updating: Disposable | undefined;
  private readonly isShared = new ContextKey(contextKeys.sharing);
  private readonly shared = new Map<string, Session>();
  private readonly following: Disposable;
  private readonly record: SharingRecord;
  private continuing: Promise<void> | undefined;

  constructor(private readonly deps: ShareDependencies) {
    this.sharing = new Sharing({
      clock: systemClock,
      log: deps.log,
      version: deps.version,
      redact: (text) => deps.log.withoutSecrets(text),
      secretStart: (text) => deps.log.secretStart(text),
      changed: () => {
        this.record.save(this.sharing.stored);
        this.update();
      },
    });
    const { globalStorageUri, secrets, workspaceState } = deps.context;
    this.record = new SharingRecord({
      clock: systemClock,
      log: deps.log,
      secrets,
      state: workspaceState,
      stateKey: sharingKey,
      folder: path.join(globalStorageUri.fsPath, 'sharings'),
      limit: awayLimit,
    });
    this.following = deps.sessions.onChange(() => this.removeGone());
    void loadTitles();
  }

  /** Shares the session, or shows the page where it is shared already. */
  async share(session: Session | undefined): Promise<void> {
    await this.continue();
    // After a crash of the extension host, sessions are shared again before a chat is open.
    if (session ? this.sharing.sessions.some(({ key }) => key === session.key) : this.sharing.url !== undefined) {
      return this.showPage();
    }
    if (!session || !canBeShared(session)) {
      void window.showInformationMessage(session ? t('Only a session with an agent can be shared.') : t('Open a session first.'));
      return;
    }
    const isRunning = this.sharing.url !== undefined;
    const host = isRunning ? undefined : await this.chooseHost();
    const right = isRunning || host !== undefined ? await this.chooseRight() : undefined;
    if (right === undefined) {
      return;
    }
    if (host !== undefined) {
      await this.sharing.start(await this.addressOf(host));
    }
    if (!canBeShared(session)) {
      await (this.sharing.sessions.length === 0 ? this.sharing.stop() : undefined);
      return; // The session has ended while the user chose.
    }
    this.shared.set(session.key, session);
    this.sharing.add(sharedSessionOf(session, verbatim));
    await this.invite(right);
    this.showPage();
  }

  /** Ends the sharing of all sessions, and withdraws all tokens. */
  async stop(): Promise<void> {
    await this.continue();
    const isShared = this.sharing.url !== undefined;
    await this.act({ action: 'stop_sharing' });
    void window.showInformationMessage(isShared ? t('Sessions are no longer shared.') : t('No session is shared.'));
  }

  /** Opens the page again for the link of a page whose extension host has exited. */
  async reopen(): Promise<void> {
    await this.continue();
    if (!this.panel) {
      await closeLeftPage(viewTypes.agents);
    }
    this.showPage();
  }

  /** Shares again what the window before has shared, when it was there a moment ago. Not in Restricted Mode, in which sessions can only be read. */
  continue(): Promise<void> {
    return (this.continuing ??= isRestricted() ? undefined : this.continueNow()) ?? Promise.resolve();
  }

  /** Fills the page that VS Code kept over a reload of the window, or closes it where nothing is shared. */
  async restorePage(panel: vscode.WebviewPanel): Promise<void> {
    await this.continue();
    if (this.sharing.url === undefined || this.panel) {
      panel.dispose();
    } else {
      this.showPage(panel);
    }
  }

  /** The window closes. Clients lose their connections, and connect again to the next window. Resolves when it can find the sharing. */
  async leave(): Promise<void> {
    const left = this.record.leave();
    this.following.dispose();
    await Promise.all([left, this.sharing.stop()]);
  }

  dispose(): void {
    void this.leave();
    this.updating?.dispose();
    this.panel?.dispose();
  }

  private async continueNow(): Promise<void> {
    const continued = await continueSharing({
      clock: systemClock,
      sharing: this.sharing,
      record: this.record,
      session: (key) => this.sharedAgain(key),
      ownCertificate: () => this.ownCertificate(),
    });
    if (continued.type === 'shared') {
      const { given, sessions } = this.sharing;
      this.deps.log.info(`Sharing: continues after a reload, with ${sessions.length} session(s) and ${given.length} token(s).`);
    } else if (continued.type === 'unavailable') {
      this.deps.log.warn(`Sharing: does not continue at ${continued.host}, port ${continued.port}: ${continued.detail}`);
      void window.showWarningMessage(unavailableText(continued));
    }
  }

  private async sharedAgain(key: string): Promise<SharedSession | 'elsewhere' | undefined> {
    const session = await this.deps.readBack(key);
    if (!session || !canBeShared(session)) {
      return session?.store.state.failure?.code === 'session.live_elsewhere' ? 'elsewhere' : undefined;
    }
    this.shared.set(key, session);
    return sharedSessionOf(session, verbatim);
  }

  private chooseHost(): Promise<string | undefined> {
    const here: Item & { readonly host: string } = {
      host: LOOPBACK,
      label: t('This computer only'),
      detail: t('Programs of this computer can attach with a token.'),
      iconPath: new vscode.ThemeIcon('device-desktop'),
    };
    const network = networkAddresses(networkInterfaces()).map(({ host, name }): typeof here => ({
      host,
      label: inertLine(host),
      description: inertLine(name),
      detail: t('Others in this network can attach with a token. The connection is encrypted.'),
      iconPath: new vscode.ThemeIcon('globe'),
    }));
    return this.deps.activity.during(async () => {
      const placeHolder = t('The session is served while it is open in this window.');
      return (await window.showQuickPick([here, ...network], { title: t('Share Session: Address'), placeHolder }))?.host;
    });
  }

  private chooseRight(): Promise<ShareRight | undefined> {
    const rows: readonly (Item & { readonly right: ShareRight })[] = [
      {
        right: 'answer',
        label: inertLine(rightName('answer', verbatim)),
        detail: t('Sends messages, answers questions, stops turns and sets options, as you do.'),
        iconPath: new vscode.ThemeIcon('comment-discussion'),
      },
      {
        right: 'read',
        label: inertLine(rightName('read', verbatim)),
        detail: t('Sees the conversation, with the texts of files and commands in it.'),
        iconPath: new vscode.ThemeIcon('eye'),
      },
    ];
    return this.deps.activity.during(async () => {
      const placeHolder = inertLine(accessHint(this.sharing.given.length, verbatim));
      return (await window.showQuickPick(rows, { title: t('Share Session: Access'), placeHolder }))?.right;
    });
  }

  /** On this computer alone, TLS is not needed. */
  private async addressOf(host: string): Promise<ShareAddress> {
    if (host === LOOPBACK) {
      return { host };
    }
    const own = await this.ownCertificate();
    const { makeCertificate } = await import('../../share/certificate');
    return { host, tls: own ?? { ...makeCertificate(host, systemClock.now()), isMade: true } };
  }

  /** The certificate of the settings. Undefined without one. */
  private async ownCertificate(): Promise<ShareAddress['tls']> {
    const file = (setting: string): string => userValue<string>(setting)?.trim() ?? '';
    const [certificate, key] = [file(settings.shareCertificate), file(settings.shareCertificateKey)];
    if (certificate === '' && key === '') {
      return undefined;
    }
    const { ownCertificate } = await import('../../share/certificate');
    return ownCertificate(await readFile(certificate, 'utf8'), await readFile(key, 'utf8'), systemClock.now());
  }

  private async invite(right: ShareRight): Promise<void> {
    const { invitationOf } = await import('../../share/invitation');
    const token = this.sharing.issue(right);
    this.shown = { token, ...invitationOf(this.sharing.url!, token, this.sharing.fingerprint) };
    this.update();
  }

  private showPage(restored?: vscode.WebviewPanel): void {
    if (this.panel) {
      this.panel.reveal();
      return;
    }
    const listener: AgentsPanelListener = {
      onMessage: (message) => {
        if (message.type === 'ready') {
          this.send();
        } else if (message.type === 'share') {
          void this.act(message.message);
        }
      },
      onVisibility: () => this.update(),
      onClosed: () => {
        this.panel = undefined;
        this.shown = undefined;
      },
    };
    this.panel = new AgentsPanel(t('Shared Sessions'), this.deps, listener, restored);
  }

  private async act({ action, key = '' }: FromSharePage): Promise<void> {
    switch (action) {
      case 'copy_link':
      case 'copy_token':
      case 'copy_settings':
        return this.copy(action);
      case 'hide_token':
        this.shown = undefined;
        return this.update();
      case 'new_answer':
      case 'new_read':
        return this.sharing.url === undefined ? undefined : this.invite(action === 'new_answer' ? 'answer' : 'read');
      case 'revoke':
        return this.sharing.revoke(key);
      case 'disconnect':
        this.sharing.withdraw({ clientId: key });
        return this.sharing.disconnect(key);
      case 'show_session': {
        const session = this.deps.sessions.get(key);
        return session && this.deps.show(session);
      }
      case 'stop_session':
        this.sharing.withdraw({ key });
        return this.sharing.remove(key);
      case 'stop_sharing':
        this.shown = undefined;
        this.sharing.withdraw();
        return this.sharing.stop();
    }
  }

  private async copy(action: Extract<ShareAction, `copy_${string}`>): Promise<void> {
    const { url, fingerprint } = this.sharing;
    const text =
      action === 'copy_settings' ? url && settingsEntry(url, fingerprint) : action === 'copy_link' ? this.shown?.link : this.shown?.token;
    if (text !== undefined) {
      await vscode.env.clipboard.writeText(text);
      this.panel?.post({ type: 'say', text: verbatim('Copied.') });
    }
  }

  /** Soon, because one change of a client is several events. */
  private update(): void {
    this.updating ??= systemClock.after(UPDATE_MS, () => {
      this.updating = undefined;
      const isShared = this.sharing.url !== undefined;
      this.isShared.set(isShared);
      if (!isShared) {
        this.shown = undefined;
      }
      this.markSessions();
      this.send();
    });
  }

  /** Ends the sharing of sessions that are no longer those of this window. */
  private removeGone(): void {
    for (const [key, session] of this.shared) {
      if (this.deps.sessions.get(key) !== session || session.store.state.failure?.code === 'session.live_elsewhere') {
        this.sharing.remove(key);
      }
    }
  }

  /** Shows the number of clients in the header of each shared session. */
  private markSessions(): void {
    const { attached } = this.sharing;
    const keys = new Set(this.sharing.sessions.map(({ key }) => key));
    for (const [key, { store }] of this.shared) {
      const clients = keys.has(key) ? attached.filter(({ sessions }) => sessions.includes(key)).length : undefined;
      if (store.state.sharing?.clients !== clients) {
        store.append({ type: 'sharing', ...(clients !== undefined && { clients }) });
      }
      if (clients === undefined) {
        this.shared.delete(key);
      }
    }
  }

  private send(): void {
    if (this.panel?.visible) {
      const { url, fingerprint, sessions, attached, given } = this.sharing;
      const facts = { url, fingerprint, sessions, attached, given };
      const { shown } = this;
      const invitation = shown && { token: shown.token, link: shown.link, ...(shown.code && { code: shown.code }) };
      this.panel.post(sharePageState(facts, invitation, vscode.env.language, verbatim));
    }
  }
}

function canBeShared({ isRecorded, launch, store }: Session): boolean {
  return !isRecorded && launch !== undefined && store.state.status !== 'ended';
}

/** ms without a window after which nothing is shared again. Undefined when agents end with their window. */
function awayLimit(): number | undefined {
  const limits = readKeepLimits();
  return limits && Math.min(limits.mode === 'reload' ? limits.awayMs : limits.idleMs, MAX_AWAY_MS);
}

function unavailableText({ host, port, detail, isTaken }: Extract<Continued, { type: 'unavailable' }>): InertText {
  const values = { host, port, detail };
  return isTaken
    ? t('Sessions are no longer shared, because another program uses port {port}. Share them again to get new tokens.', values)
    : t("Sessions are no longer shared, because {host} can't be used: {detail}. Share them again to get new tokens.", values);
}
