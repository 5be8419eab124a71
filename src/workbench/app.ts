/**
 * The composition root: the only place that makes the long-lived things and wires them. Loaded by the first command, panel or API call, because
 * activation must cost nothing (see `extension.ts`).
 */
import type * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AcpSession, AgentDescription, NewSessionOptions } from '../api';
import { Traces } from '../acp/trace/traces';
import { type Catalog, catalogOf } from '../agent/catalog';
import type { AgentLaunch, Disposable } from '../core/model/ports';
import type { ViewAction } from '../core/protocol/view';
import { PermissionService } from '../permission/permissionService';
import { Drafts } from '../session/journal/drafts';
import { JournalFiles } from '../session/journal/journalFiles';
import type { Session } from '../session/session';
import { Sessions } from '../session/sessions';
import { loadNodePty } from '../terminal/nodePty';
import { systemClock } from '../util/clock';
import { DisposableStore } from '../util/disposable';
import { Account } from './auth/account';
import type { AccountCommands } from './auth/accountCommands';
import { AgentOffers } from './agents/agentOffers';
import { readAgentSettings, readMaxJournalBytes, readMaxLineBytes } from './agents/agentSettings';
import { apiSession } from './sessions/apiSession';
import { CleanTexts } from './editor/cleanTexts';
import { CodeBlocks } from './editor/codeBlocks';
import { type CommandActions, openAgentSettings, runCommand } from './commands';
import { connector, runsAsNode } from './agents/connector';
import { KnownSecrets } from './agents/knownSecrets';
import { t } from './shared/l10n';
import { LazyServices } from './lazyServices';
import { launchPlaces } from './agents/launchPlaces';
import type { OutputLog } from './shared/log';
import { SessionOverview } from './sessions/statusBar';
import { sessionKeyOf } from './chat/page';
import { SessionPanels } from './chat/panels';
import { PermissionPresenter } from './permission/permissionPresenter';
import { PermissionPresentation } from './permission/presentation';
import { serviceDependencies } from './serviceDependencies';
import { SessionCommands } from './sessions/sessionCommands';
import { UserActivity } from './shared/userActivity';

/** What a button of the view does that is a command of the palette. */
const VIEW_COMMANDS: Partial<Record<ViewAction, keyof CommandActions>> = {
  new_session: 'newSession',
  session_history: 'openSession',
  change_folders: 'changeFolders',
  copy_conversation: 'copyConversation',
  export_conversation: 'exportConversation',
  show_protocol_log: 'showProtocolLog',
};
/** ms that the last events and drafts get to reach the disk when the window closes. */
const FLUSH_MS = 1500;

export class App implements Disposable {
  private readonly store = new DisposableStore();
  private readonly activity: UserActivity;
  private readonly sessions: Sessions;
  private readonly panels: SessionPanels;
  private readonly picks: PermissionPresenter;
  private readonly permissions: PermissionService;
  private readonly journals: JournalFiles;
  private readonly drafts: Drafts;
  private readonly demo: AgentLaunch;
  private readonly account: Account;
  private readonly code: CodeBlocks;
  private accountCommandsLoading: Promise<AccountCommands> | undefined;
  private readonly sessionCommands: SessionCommands;
  private readonly traces = new Traces(systemClock);
  private readonly secrets = new KnownSecrets();
  private readonly offers: AgentOffers;
  private readonly late: LazyServices;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: OutputLog,
    onChange: () => void,
  ) {
    const { store } = this;
    log.withoutSecrets = this.secrets.text;
    this.demo = {
      agentName: t('Demo Agent'),
      command: process.execPath,
      args: [path.join(context.extensionPath, 'dist', 'demo-agent.js')],
      env: {},
    };
    this.offers = new AgentOffers(context.globalState);
    const cleanTexts = store.add(new CleanTexts());
    this.activity = store.add(new UserActivity());
    const places = launchPlaces(context);
    this.account = new Account({
      secrets: context.secrets,
      globalState: context.globalState,
      activity: this.activity,
      environment: process.env,
      places,
      loadPty: loadNodePty,
      runsAsNode: (launch) => runsAsNode(launch, this.demo),
    });
    this.code = store.add(new CodeBlocks(this.activity, log));
    this.journals = new JournalFiles(path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'sessions'), readMaxJournalBytes);
    this.drafts = new Drafts(this.journals, log);
    const presentation = store.add(new PermissionPresentation());
    this.panels = store.add(
      new SessionPanels({
        extensionUri: context.extensionUri,
        clock: systemClock,
        log,
        activity: this.activity,
        openHandlers: () => this.late.openHandlers(),
        drafts: this.drafts,
        code: this.code,
        presentation,
        attachFiles: (session) => void this.late.attachCommands().then((attaching) => attaching.chosen(session)),
        attachDropped: (session, uris) => void this.late.attachCommands().then((attaching) => attaching.dropped(session, uris)),
        showTerminal: async (session, terminalId) => (await this.late.terminals()).show(session, terminalId),
        startPage: async (session) =>
          (await import('./chat/startPageFacts')).startPageFor(session, {
            journals: this.journals,
            sessions: this.sessions.all,
            isDemo: session.launch !== undefined && runsAsNode(session.launch, this.demo),
            document: this.code.lastDocument,
          }),
        openSession: (sessionKey) => void this.sessionCommands.present().then((sessions) => sessions.openKept(sessionKey)),
        act: (action, session) => void this.act(action, session),
      }),
    );
    this.picks = new PermissionPresenter(this.activity, this.panels, presentation);
    this.permissions = store.add(new PermissionService(this.picks, systemClock));
    const { version } = this;
    this.sessions = new Sessions({
      clock: systemClock,
      log,
      permissions: {
        offer: (ask, answered) => {
          if (presentation.value === 'card' && !this.panels.isVisible(ask.sessionKey)) {
            void import('./permission/hiddenQuestions').then(({ notifyOfQuestion }) =>
              notifyOfQuestion(ask, (sessionKey) => this.panels.reveal(sessionKey)),
            );
          }
          return this.permissions.offer(ask, answered);
        },
      },
      account: this.account,
      journals: this.journals,
      secretsOf: (agentName) => this.secrets.of(agentName),
      mintKey: () => `${systemClock.now().toString(36)}-${randomUUID().slice(0, 8)}`,
      connect: this.offers.learning(
        connector({
          clock: systemClock,
          log,
          environment: process.env,
          places,
          demo: this.demo,
          version,
          traces: this.traces,
          valuesOf: (launch) => this.account.environment(launch),
          keepSecret: (agentName, values) => this.secrets.add(agentName, values),
          maxLineBytes: readMaxLineBytes,
        }),
      ),
      ...serviceDependencies(cleanTexts, systemClock, log),
    });
    this.late = store.add(
      new LazyServices({
        panels: this.panels,
        journals: this.journals,
        traces: this.traces,
        clock: systemClock,
        activity: this.activity,
        version,
        sessions: () => this.sessions.all,
        flush: () => this.sessions.flush(),
        secretsOf: (agentName) => this.secrets.of(agentName),
      }),
    );
    this.sessionCommands = new SessionCommands({
      sessions: this.sessions,
      panels: this.panels,
      journals: this.journals,
      drafts: this.drafts,
      account: this.account,
      activity: this.activity,
      globalState: context.globalState,
      workspaceState: context.workspaceState,
      agents: () => this.agentCatalog(),
      offers: this.offers,
      permissions: this.permissions,
      presentation,
    });
    // Disposed before the panels, so that what ends with the window is still told to them.
    store.add(this.sessions);
    store.add(new SessionOverview(this.sessions));
    store.add(this.sessions.onChange(onChange));
    const first = store.add(
      this.sessions.onChange(() => {
        first.dispose();
        void import('./sessions/turnNotifications').then(({ notifyTurnEnds }) => {
          if (!store.disposed) {
            store.add(notifyTurnEnds(this.sessions, this.panels));
          }
        });
      }),
    );
  }

  readonly actions: CommandActions = {
    newSession: () => this.newSession(),
    // The same, to be found by the words that VS Code uses.
    newAgentSession: () => this.newSession(),
    openSession: async () => (await this.sessionCommands.present()).open(),
    openAgentSession: async () => (await this.sessionCommands.earlier()).openAgentSession(),
    deleteSession: async () => (await this.sessionCommands.earlier()).deleteSession(),
    changeFolders: async () => (await this.sessionCommands.earlier()).changeFolders(),
    manageTrustedFolders: async () =>
      (await import('./sessions/folderTrustQuestions')).manageTrustedFolders({
        activity: this.activity,
        globalState: this.context.globalState,
      }),
    endSession: async () => (await this.sessionCommands.present()).end(),
    answerPermission: async () => (await this.sessionCommands.present()).answerPermission(),
    previousAnswer: () => this.picks.moveBy(-1),
    nextAnswer: () => this.picks.moveBy(1),
    stopTurn: () => this.panels.active?.cancel(),
    showLog: () => this.log.show(),
    showProtocolLog: async () => (await this.late.protocolLog()).show(),
    exportProtocolLog: async (target, agent) => (await this.late.protocolLog()).export(target, agent),
    replayLog: async (source) =>
      (await import('./export/replayLog')).replayLog({ sessions: this.sessions, panels: this.panels, activity: this.activity }, source),
    selectDefaultAgent: async () => {
      const { catalog, settings } = this.agentCatalog();
      await (await import('./agents/selectDefaultAgent')).selectDefaultAgent(catalog.entries, settings.defaultAgent, this.activity);
    },
    openSettings: () => openAgentSettings(),
    attachProblems: async () => (await this.late.attachCommands()).problems(),
    attachFiles: async (uri, uris) => (await this.late.attachCommands()).filesOf(uri, uris),
    addToChat: async (uri, uris) => (await this.late.attachCommands()).filesOf(uri, uris),
    applyCode: async () => (await this.code.proposals()).apply(),
    discardCode: async () => (await this.code.proposals()).discard(),
    findInConversation: () => this.panels.openFind(),
    copyConversation: async () => (await this.late.exportCommands()).copy(),
    exportConversation: async (target) => (await this.late.exportCommands()).export(target),
    openAsDocument: async () => (await this.late.exportCommands()).showDocument(),
    showAccessibilityHelp: async () => (await this.late.exportCommands()).showHelp(),
    signIn: () => this.accountCommands().then((account) => account.signIn()),
    signOut: () => this.accountCommands().then((account) => account.signOut()),
    forgetSignInValues: () => this.accountCommands().then((account) => account.forget()),
  };

  /** Fills a panel that VS Code kept over a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = sessionKeyOf(state);
    const session = key === undefined ? undefined : await this.sessionCommands.readBack(key);
    if (session) {
      this.panels.restore(session, panel);
    } else {
      panel.dispose(); // Its journal is gone: there is nothing to show.
    }
  }

  agents(): readonly AgentDescription[] {
    return this.agentCatalog().catalog.entries.map(({ agentName, source }) => ({ agentName, source }));
  }

  /** As ACP: New Session; asks for what `options` leaves open. */
  async newSession(options: NewSessionOptions = {}): Promise<AcpSession | undefined> {
    const session = await this.sessionCommands.create(options);
    return session && this.describe(session);
  }

  get described(): readonly AcpSession[] {
    return this.sessions.all.map((session) => this.describe(session));
  }

  /** Ends what runs; resolves when the journals are on disk. */
  async shutdown(): Promise<void> {
    const written = Promise.all([this.sessions.flush(), this.drafts.flush()]);
    // VS Code waits a few seconds at most: agents must be ended in that time also when the disk is slow.
    await Promise.race([written, new Promise<void>((resolve) => systemClock.after(FLUSH_MS, resolve))]);
    this.dispose();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Loaded by the first of them. */
  private accountCommands(): Promise<AccountCommands> {
    return (this.accountCommandsLoading ??= import('./auth/accountCommands').then(
      ({ AccountCommands }) =>
        new AccountCommands({
          account: this.account,
          activity: this.activity,
          sessions: () => this.sessions.all,
          active: () => this.panels.active,
          show: (session) => this.panels.open(session),
        }),
    ));
  }

  private get version(): string {
    return String((this.context.extension.packageJSON as { version?: unknown }).version);
  }

  private agentCatalog(): { catalog: Catalog; settings: ReturnType<typeof readAgentSettings> } {
    const settings = readAgentSettings();
    return { settings, catalog: catalogOf({ userAgents: settings.userAgents, otherClients: settings.otherClients, demo: this.demo }) };
  }

  /** Buttons of the view that are not the session's own. */
  private async act(action: ViewAction, session: Session): Promise<void> {
    switch (action) {
      case 'show_log':
        return this.log.show();
      case 'open_settings':
        return openAgentSettings();
      case 'install_node':
        return void (await (await this.late.openHandlers()).openPage((await import('./shared/failureNotification')).NODE_DOWNLOAD));
      case 'sign_in':
        return (await this.accountCommands()).signInTo(session);
      case 'forget_sign_in':
        return (await this.accountCommands()).forget(session.agentName);
      case 'continue_in_new':
        return (await this.sessionCommands.present()).continueInNew(session);
      default: {
        const command = VIEW_COMMANDS[action];
        if (command) {
          runCommand(command);
        }
      }
    }
  }

  private describe(session: Session): AcpSession {
    return apiSession(session, () => this.panels.open(session));
  }
}
