/**
 * The composition root: the only place that makes the long-lived things and wires them. Loaded by the first command, panel or API call, because
 * activation must cost nothing (see `extension.ts`).
 */
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AcpSession, AgentDescription, NewSessionOptions } from '../api';
import { Traces } from '../acp/traces';
import { type Catalog, catalogOf } from '../agent/catalog';
import { fault } from '../core/failure';
import type { AgentLaunch, Disposable } from '../core/ports';
import { needsYou } from '../core/select';
import { toMarkdown } from '../core/transcript';
import type { ViewAction } from '../core/view';
import { FileRoom } from '../fs/room';
import { PermissionRoom } from '../permission/room';
import { Drafts } from '../session/drafts';
import { JournalFiles } from '../session/journalFiles';
import type { Session } from '../session/session';
import { Sessions } from '../session/sessions';
import { loadNodePty } from '../terminal/pty';
import { TerminalRoom } from '../terminal/room';
import { systemClock } from '../util/clock';
import { DisposableStore } from '../util/disposable';
import { RootCheck } from '../util/roots';
import { Account } from './account';
import { AccountCommands } from './accountCommands';
import { AgentOffers } from './agentOffers';
import { readAgentSettings, readMaxLineBytes } from './agentSettings';
import { apiSession } from './apiSession';
import { EditorBuffers } from './buffers';
import { CodeBlocks } from './codeBlocks';
import { type CommandActions, openAgentSettings } from './commands';
import { connector, runsAsNode } from './connector';
import type { EarlierSessions } from './earlierSessions';
import { t } from './l10n';
import type { OutputLog } from './log';
import type { Conversations } from './conversations';
import { chooseNewSession, chooseRoots, type NewSessionChoice } from './newSession';
import { Openers } from './openers';
import { chooseSession } from './openSession';
import { SessionOverview } from './overview';
import { sessionKeyOf } from './page';
import { SessionPanels } from './panels';
import { PermissionPresenter } from './permissionPresenter';
import { problemsOfActiveEditor } from './problems';
import type { ProtocolLog } from './protocolLog';
import { isRunning } from './sessionRows';
import type { ShownTerminals } from './terminalPanel';
import { UserActivity } from './userActivity';

/** ms that the last events and drafts get to reach the disk when the window closes. */
const FLUSH_MS = 1500;
/** Journals that ACP: Open Session… offers. */
const MAX_LISTED = 100;
/** UTF-16 units of an old conversation that a new session gets. */
const MAX_CONTINUED = 200_000;

export class App implements Disposable {
  private readonly store = new DisposableStore();
  private readonly activity: UserActivity;
  private readonly sessions: Sessions;
  private readonly panels: SessionPanels;
  private readonly permissions: PermissionRoom;
  private readonly journals: JournalFiles;
  private readonly drafts: Drafts;
  private readonly demo: AgentLaunch;
  private readonly account: Account;
  private readonly code: CodeBlocks;
  private readonly accountCommands: AccountCommands;
  private readonly traces = new Traces(systemClock);
  private readonly offers: AgentOffers;
  private protocolLog: Promise<ProtocolLog> | undefined;
  private conversations: Promise<Conversations> | undefined;
  private earlier: Promise<EarlierSessions> | undefined;
  private terminals: Promise<ShownTerminals> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: OutputLog,
    onChange: () => void,
  ) {
    const { store } = this;
    this.demo = {
      agentName: t('Demo Agent'),
      command: process.execPath,
      args: [path.join(context.extensionPath, 'dist', 'demo-agent.js')],
      env: {},
    };
    this.offers = new AgentOffers(context.globalState);
    const buffers = store.add(new EditorBuffers());
    this.activity = store.add(new UserActivity());
    this.account = new Account({
      secrets: context.secrets,
      globalState: context.globalState,
      activity: this.activity,
      environment: process.env,
      loadPty: loadNodePty,
      runsAsNode: (launch) => runsAsNode(launch, this.demo),
    });
    const openers = store.add(new Openers());
    this.code = store.add(new CodeBlocks(this.activity, log));
    this.journals = new JournalFiles(path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'sessions'));
    this.drafts = new Drafts(this.journals, log);
    this.panels = store.add(
      new SessionPanels({
        extensionUri: context.extensionUri,
        clock: systemClock,
        log,
        activity: this.activity,
        openers,
        drafts: this.drafts,
        code: this.code,
        attachFiles: (session, uris) => void this.attachFiles(session, uris && filesAmong(uris)),
        showTerminal: async (session, terminalId) => (await this.shownTerminals()).show(session, terminalId),
        act: (action, session) => void this.act(action, session),
      }),
    );
    this.permissions = store.add(new PermissionRoom(new PermissionPresenter(this.activity, this.panels), systemClock));
    const { version } = this;
    this.sessions = new Sessions({
      clock: systemClock,
      log,
      permissions: this.permissions,
      account: this.account,
      journals: this.journals,
      mintKey: () => `${systemClock.now().toString(36)}-${randomUUID().slice(0, 8)}`,
      connect: this.offers.learning(
        connector({
          clock: systemClock,
          log,
          environment: process.env,
          demo: this.demo,
          version,
          traces: this.traces,
          valuesOf: (agentName) => this.account.environment(agentName),
          maxLineBytes: readMaxLineBytes,
        }),
      ),
      files: (roots) => new FileRoom(buffers, new RootCheck(roots)),
      terminals: (roots, emit) =>
        new TerminalRoom({
          clock: systemClock,
          log,
          cwd: roots.cwd,
          roots: new RootCheck(roots),
          defaultShell: () => vscode.env.shell,
          environment: process.env,
          loadPty: loadNodePty,
          emit,
        }),
    });
    this.accountCommands = new AccountCommands({
      account: this.account,
      activity: this.activity,
      sessions: () => this.sessions.all,
      active: () => this.panels.active,
      show: (session) => this.panels.open(session),
    });
    // Disposed before the panels, so that what ends with the window is still told to them.
    store.add(this.sessions);
    store.add(new SessionOverview(this.sessions));
    store.add(this.sessions.onChange(onChange));
  }

  readonly actions: CommandActions = {
    newSession: () => this.newSession(),
    openSession: () => this.openSession(),
    openAgentSession: async () => (await this.earlierSessions()).openAgentSession(),
    deleteSession: async () => (await this.earlierSessions()).deleteSession(),
    changeFolders: async () => (await this.earlierSessions()).changeFolders(),
    endSession: () => this.endSession(),
    answerPermission: () => {
      const waiting = this.sessions.all.find(({ store }) => needsYou(store.state));
      if (this.permissions.reopen()) {
        return;
      }
      if (waiting) {
        this.panels.open(waiting, 'permission');
      } else {
        void vscode.window.showInformationMessage(t('No agent is waiting for an answer.'));
      }
    },
    stopTurn: () => this.panels.active?.cancel(),
    showLog: () => this.log.show(),
    showProtocolLog: async () => (await this.readTraces()).show(),
    exportProtocolLog: async (target, agent) => (await this.readTraces()).export(target, agent),
    replayLog: async (source) => (await import('./replayLog')).replayLog({ sessions: this.sessions, panels: this.panels, activity: this.activity }, source),
    openSettings: () => openAgentSettings(),
    attachProblems: () => this.attachProblems(),
    attachFiles: async (uri, uris) => this.attachFiles(this.sessionInFront(), urisOf(uri, uris)),
    applyCode: () => this.code.proposals.apply(),
    discardCode: () => this.code.proposals.discard(),
    findInConversation: () => this.panels.openFind(),
    copyConversation: async () => (await this.conversationCommands()).copy(),
    exportConversation: async (target) => (await this.conversationCommands()).export(target),
    openAsDocument: async () => (await this.conversationCommands()).showDocument(),
    showAccessibilityHelp: async () => (await this.conversationCommands()).showHelp(),
    signIn: () => this.accountCommands.signIn(),
    signOut: () => this.accountCommands.signOut(),
    forgetSignInValues: () => this.accountCommands.forget(),
  };

  /** Fills a panel that VS Code kept over a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = sessionKeyOf(state);
    const session = key === undefined ? undefined : await this.readBack(key);
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
    const choice = await this.choose(options);
    return choice && this.describe(await this.start(choice));
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

  /** Made when somebody looks: until then the traces only gather. */
  private readTraces(): Promise<ProtocolLog> {
    return (this.protocolLog ??= import('./protocolLog').then(({ ProtocolLog }) =>
      this.store.add(
        new ProtocolLog({
          traces: this.traces,
          clock: systemClock,
          activity: this.activity,
          version: this.version,
          active: () => this.panels.active && { agentName: this.panels.active.agentName, cwd: this.panels.active.launch?.cwd ?? this.panels.active.roots.cwd },
        }),
      ),
    ));
  }

  private conversationCommands(): Promise<Conversations> {
    return (this.conversations ??= import('./conversations').then(({ Conversations }) =>
      this.store.add(
        new Conversations({
          panels: this.panels,
          journals: this.journals,
          traces: this.traces,
          activity: this.activity,
          version: this.version,
          sessions: () => this.sessions.all,
          flush: () => this.sessions.flush(),
          valuesOf: (agentName) => this.account.environment(agentName),
        }),
      ),
    ));
  }

  private get version(): string {
    return String((this.context.extension.packageJSON as { version?: unknown }).version);
  }

  private agentCatalog(): { catalog: Catalog; settings: ReturnType<typeof readAgentSettings> } {
    const settings = readAgentSettings();
    return { settings, catalog: catalogOf({ userAgents: settings.userAgents, otherClients: settings.otherClients, demo: this.demo }) };
  }

  private async choose({ agentName, folder }: NewSessionOptions): Promise<NewSessionChoice | undefined> {
    if (agentName === undefined) {
      const { globalState, workspaceState } = this.context;
      return chooseNewSession({ activity: this.activity, agents: () => this.agentCatalog(), globalState, workspaceState }, folder?.fsPath);
    }
    const entry = this.agentCatalog().catalog.entries.find((candidate) => candidate.agentName === agentName);
    if (!entry) {
      throw fault('config.invalid', { entry: agentName, field: 'acpHost.agents' }, { message: `No agent is named ${agentName}.` });
    }
    const roots = await chooseRoots({ activity: this.activity, workspaceState: this.context.workspaceState }, folder?.fsPath);
    return roots && { launch: entry.launch, roots };
  }

  private async start({ launch, roots }: NewSessionChoice): Promise<Session> {
    await this.account.load(launch.agentName);
    const session = this.sessions.create(launch, roots);
    this.panels.open(session);
    return session;
  }

  private async openSession(): Promise<void> {
    const past = (await this.journals.list(MAX_LISTED)).filter(({ key }) => !this.sessions.get(key));
    const fromAgent = { label: `$(history) ${t('Sessions that an agent keeps…')}`, alwaysShow: true, choice: 'agent' as const };
    const choice = await chooseSession(this.sessions.all, past, this.activity, undefined, [fromAgent]);
    if (choice === 'agent') {
      return (await this.earlierSessions()).openAgentSession();
    }
    const session = choice && ('session' in choice ? choice.session : await this.readBack(choice.journaled.key));
    if (session) {
      this.panels.open(session);
    }
  }

  private shownTerminals(): Promise<ShownTerminals> {
    return (this.terminals ??= import('./terminalPanel').then(({ ShownTerminals }) => this.store.add(new ShownTerminals())));
  }

  private earlierSessions(): Promise<EarlierSessions> {
    return (this.earlier ??= import('./earlierSessions').then(
      ({ EarlierSessions }) =>
        new EarlierSessions({
          sessions: this.sessions,
          journals: this.journals,
          activity: this.activity,
          account: this.account,
          offers: this.offers,
          catalog: () => this.agentCatalog().catalog,
          active: () => this.panels.active,
          show: (session) => this.panels.open(session),
          readBack: (key) => this.readBack(key),
          forget: (key) => {
            this.panels.forget(key);
            this.drafts.forget(key);
          },
        }),
    ));
  }

  private async readBack(key: string): Promise<Session | undefined> {
    await this.drafts.load(key);
    const { entries } = this.agentCatalog().catalog;
    const session = await this.sessions.restore(key, (agentName) => entries.find((entry) => entry.agentName === agentName)?.launch);
    if (session) {
      await this.account.load(session.agentName);
    }
    return session;
  }

  private async endSession(): Promise<void> {
    const live = this.sessions.all.filter(({ store }) => isRunning(store.state));
    const active = live.find((session) => session === this.panels.active);
    const choice = active ? { session: active } : await chooseSession(live, [], this.activity, t('Choose the session to end'));
    if (choice && 'session' in choice) {
      await choice.session.end();
    }
  }

  /** The session whose panel was in front last, else the newest that runs. */
  private sessionInFront(): Session | undefined {
    return this.panels.active ?? this.sessions.all.findLast(({ store }) => isRunning(store.state));
  }

  private async attachFiles(session: Session | undefined, chosen?: readonly vscode.Uri[]): Promise<void> {
    if (!session) {
      void vscode.window.showInformationMessage(t('There is no session yet. Start one with ACP: New Session.'));
      return;
    }
    const { chooseFiles, fileBlocks } = await import('./attachFiles');
    const uris = chosen ?? (await this.activity.during(() => chooseFiles(session.roots.cwd)));
    const blocks = uris ? await fileBlocks(uris, session.store.state.promptCapabilities) : [];
    if (blocks.length > 0) {
      this.panels.attach(session, blocks);
      this.panels.open(session);
    }
  }

  private async attachProblems(): Promise<void> {
    const session = this.sessionInFront();
    const block = session && (await problemsOfActiveEditor(session.store.state.promptCapabilities.embeddedContext));
    if (session && block) {
      this.panels.attach(session, [block]);
      this.panels.open(session);
    }
  }

  /** Buttons of the view that are not the session's own. */
  private async act(action: ViewAction, session: Session): Promise<void> {
    switch (action) {
      case 'show_log':
        return this.log.show();
      case 'open_settings':
        return openAgentSettings();
      case 'new_session':
        return void (await this.newSession());
      case 'forget_sign_in':
        return this.accountCommands.forget(session.agentName);
      case 'continue_in_new': {
        const entry = this.agentCatalog().catalog.entries.find(({ agentName }) => agentName === session.agentName);
        if (!entry) {
          return void (await this.newSession());
        }
        // The new session's agent knows nothing of the old one: the conversation goes along, for the user to keep or remove.
        const { cwd, additionalDirectories } = session.roots;
        const next = await this.start({ launch: entry.launch, roots: { cwd, additionalDirectories } });
        const draft = this.drafts.get(session.key);
        if (draft) {
          this.drafts.set(next.key, draft);
        }
        const text = toMarkdown(session.store.state, MAX_CONTINUED);
        const uri = `acp-host:/${session.key}/conversation.md`;
        return text === '' ? undefined : this.panels.attach(next, [{ type: 'resource', uri, mimeType: 'text/markdown', text }]);
      }
    }
  }

  private describe(session: Session): AcpSession {
    return apiSession(session, () => this.panels.open(session));
  }
}

/** What VS Code's explorer hands to a command: the file under the pointer, and all that are selected. */
function urisOf(uri: unknown, uris: unknown): readonly vscode.Uri[] | undefined {
  const all = Array.isArray(uris) && uris.length > 0 ? (uris as unknown[]) : [uri];
  const found = all.filter((one) => one instanceof vscode.Uri);
  return found.length > 0 ? found : undefined;
}

/** Only files: other addresses are nothing to read. */
function filesAmong(uris: readonly string[]): readonly vscode.Uri[] {
  return uris.map((uri) => vscode.Uri.parse(uri)).filter(({ scheme }) => scheme === 'file');
}
