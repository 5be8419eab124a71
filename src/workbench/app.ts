/**
 * The composition root: the only place that creates the long-lived objects and connects them. Loaded by the first command, panel or API call,
 * because activation must cost nothing (see `extension.ts`).
 */
import type * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { AgentPreferencesStore, optionDependencies } from './preferences/agentPreferences';
import type { AcpSession, AgentDescription, AgentProvider, NewSessionOptions } from '../api';
import { Traces } from '../acp/trace/traces';
import { type Catalog, catalogOf } from '../agent/catalog';
import type { Disposable } from '../core/platform/disposable';
import type { ProcessLaunch } from '../core/model/agentLaunch';
import { PermissionPromptQueue } from '../session/permission/promptQueue';
import { Drafts } from '../session/journal/drafts';
import type { Session } from '../session/session';
import { Sessions } from '../session/sessions';
import { SessionStorage } from '../session/storage/sessionStorage';
import { loadNodePty } from '../terminal/nodePty';
import { systemClock } from '../util/clock';
import { DisposableStore } from '../util/disposable';
import { lazy } from '../util/lazy';
import { Account } from './signIn/account';
import { CapabilityCache } from './agents/capabilityCache';
import { readAgentSettings, readMaxJournalBytes } from './settings/agentSettings';
import { readInstructions } from './settings/readInstructions';
import { apiSession } from './api/apiSession';
import type { CommentsFeature } from './comments/commentsFeature';
import type { ChangesFeature } from './changes/changesFeature';
import { followChanges } from './changes/followChanges';
import { followSessions } from './sessionFeatures';
import { CleanTexts } from './editor/cleanTexts';
import { CodeBlocks } from './code/codeBlocks';
import { type CommandActions, lazyActions, type NewSessionCommand } from './commands';
import type { WindowStartServices } from '../application/agents/startServices';
import { runsAsNode } from '../application/agents/demoLaunch';
import { ExtensionAgents } from './agents/extensionAgents';
import { RegistryAgents } from './registry/registryAgents';
import { KnownSecrets } from '../application/agents/knownSecrets';
import { type LateServices, lateServices } from './lateServices';
import { lazyConnector } from './agents/lazyConnector';
import type { FoundAgents } from './agents/foundAgents';
import { demoAgent } from './agents/demoAgent';
import { launchFoldersOf } from './agents/launchFolders';
import { windowPrompter } from './windowPrompter';
import type { OutputLog } from './shared/log';
import { readChatLocation } from './chat/chatLocation';
import type { PreopenedPanel } from './chat/newPanel';
import { sessionKeyOf } from '../application/chat/pageState';
import { SessionPanels } from './chat/panels';
import { PermissionPresenter } from './permission/permissionPresenter';
import { PermissionPresentation } from './permission/presentation';
import type { RulesTree } from './permission/rules/rulesView';
import { WindowRules } from './permission/rules/windowRules';
import { WindowEditorServers } from './mcp/windowEditorServers';
import { WindowServers } from './mcp/windowServers';
import { protectedRules, serviceDependencies } from './serviceDependencies';
import { windowTrust } from './trust/folderTrust';
import { isRestricted, whenTrusted } from './trust/restrictedMode';
import { SessionCommands } from './sessions/sessionCommands';
import { ContextKey } from './shared/contextKey';
import { contextKeys, keptSessionsKey, sharingKey } from '../application/shared/ids';
import { UserActivity } from './shared/userActivity';
import { windowKeeping } from './agents/windowKeeping';
import { isWindowThere } from './window/windowPresence';
import type { SessionCommandName } from '../application/shared/sessionCommandIds';
import { ShownTitles } from '../application/chat/shownTitles';
import { UnreadSessions } from '../application/chat/unreadSessions';
import type { SessionsView, TreeViews } from './sessionsView/sessionsView';

/** The time in ms that the last events and drafts get to reach the disk when the window closes. */
const FLUSH_MS = 1500;
/** The key in `workspaceState` of the session in the chat view. */
const SHOWN_IN_VIEW = 'chatView.session';
const NONE = '';

const loadMakeRule = () => import('./permission/rules/makeRule');
const loadChanges = () => import('./windowChanges');

export class App implements Disposable {
  private readonly store = new DisposableStore();
  private readonly cleanTexts: CleanTexts;
  private readonly activity: UserActivity;
  private readonly sessions: Sessions;
  private readonly panels: SessionPanels;
  private readonly picks: PermissionPresenter;
  private readonly permissions: PermissionPromptQueue;
  private readonly journals: SessionStorage;
  private readonly drafts: Drafts;
  private readonly demo: ProcessLaunch;
  private readonly account: Account;
  private readonly code: CodeBlocks;
  private readonly sessionCommands: SessionCommands;
  private readonly traces = new Traces(systemClock);
  private readonly secrets = new KnownSecrets();
  private readonly capabilityCache: CapabilityCache;
  private readonly preferences: AgentPreferencesStore;
  private readonly rules: WindowRules;
  private readonly servers: WindowServers;
  private readonly lazy: LateServices;
  private readonly unread = new UnreadSessions();
  private changes: ChangesFeature | undefined;
  /** Ends the connections of clients before the sessions end. Set while sessions are shared. */
  private leaveSharing: (() => Promise<void>) | undefined;
  private readonly startServices: () => Promise<WindowStartServices>;
  private readonly extensionAgents: ExtensionAgents;
  private readonly registryAgents: RegistryAgents;
  /** The agents of the workspace and of this machine. Undefined until there may be some. */
  private found: FoundAgents | undefined;
  private readonly findAgents = lazy(async () => (this.found = (await import('./agents/foundAgents')).foundAgents(this.context)));
  /** Comments on lines, and plans. Set with the first session. */
  private commenting: Promise<CommentsFeature> | undefined;

  /** Loaded by the first account command. */
  private readonly accountCommands = lazy(
    async () =>
      new (await import('./signIn/accountCommands')).AccountCommands({
        account: this.account,
        activity: this.activity,
        agents: () => this.agentCatalog().catalog.entries,
        sessions: () => this.sessions.all,
        active: () => this.panels.active,
        show: (session) => this.panels.open(session),
      }),
  );

  /** The notifications about sessions, and the sessions view. Loaded with the first session. */
  private readonly sessionsFeature = lazy(async () =>
    this.store.add(
      new (await import('./sessionsView/sessionsFeature')).SessionsFeature({
        host: this.viewHost,
        clock: systemClock,
        unread: this.unread,
        commands: this.sessionCommands,
        demo: this.demo,
        exports: () => this.lazy.exportCommands(),
      }),
    ),
  );

  /** The list of permission rules. Loaded with its view, or one of its commands. */
  readonly rulesView = lazy(async () =>
    this.store.add(
      new (await import('./permission/rules/rulesView')).RulesView({
        host: this.viewHost.rules,
        clock: systemClock,
        activity: this.activity,
        store: await this.rules.store(),
        sessions: () => this.sessions.all,
      }),
    ),
  );

  /** The tracking of sessions' changes. Loaded with the first turn. */
  private readonly changesFeature = lazy(async () => {
    const { windowChanges } = await loadChanges();
    const { log, activity, cleanTexts, journals, panels, sessionCommands } = this;
    const commenting = (): Promise<CommentsFeature> | undefined => this.commenting;
    const sessionKeyIn = async (name: string, args: readonly unknown[]) => (await this.sessionsFeature()).commands().keyIn(name, args);
    const deps = { clock: systemClock, state: this.context.workspaceState, cleanTexts, log, activity, journals, panels, sessionCommands };
    return (this.changes = this.store.add(windowChanges({ ...deps, commenting, sessionKeyIn })));
  });

  /** The code of single commands and buttons. Loaded by the first of them. */
  private readonly commandActions = lazy(async () => {
    const { context, log, activity, panels, sessions, sessionCommands, lazy, code, preferences, rules, servers } = this;
    const { accountCommands, sessionsFeature, registryAgents } = this;
    return (await import('./commandActions')).lazyCommandActions({
      context,
      log,
      activity,
      panels,
      sessions,
      sessionCommands,
      lazy,
      code,
      preferences,
      rules,
      servers,
      startServices: this.startServices,
      accountCommands,
      sessionsFeature,
      agentCatalog: () => this.agentCatalog(),
      registryAgents,
      onShared: (leave) => (this.leaveSharing = leave),
    });
  });

  /** The features that take messages of the pages, with the services that they name. Loaded with the first page. */
  private readonly features = lazy(async () => {
    const { store, log, activity, journals, drafts, demo, code, preferences, panels, sessions, sessionCommands, lazy } = this;
    const { changesFeature, commandActions, rules, rulesView, servers } = this;
    const services = {
      clock: systemClock,
      store,
      log,
      activity,
      journals,
      drafts,
      demo,
      code,
      preferences,
      panels,
      sessions,
      sessionCommands,
    };
    return (await import('./createRouter')).createRouter({
      ...services,
      ...lazy,
      changesHome: changesFeature,
      commandActions,
      rules,
      rulesView,
      servers,
    });
  });

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: OutputLog,
    private readonly viewHost: TreeViews & { readonly rules: RulesTree },
    onChange: () => void,
    providers: ReadonlySet<AgentProvider>,
  ) {
    const { store } = this;
    log.withoutSecrets = this.secrets.text;
    log.secretStart = this.secrets.startLength;
    this.demo = demoAgent(context.extensionPath);
    this.capabilityCache = new CapabilityCache(context.globalState);
    this.extensionAgents = new ExtensionAgents(providers, log);
    this.startServices = lazy(async () => (await import('./agents/startServices')).startServicesOf(context, log));
    const { startServices } = this;
    this.registryAgents = new RegistryAgents(context, log, startServices);
    this.cleanTexts = store.add(new CleanTexts());
    this.activity = store.add(new UserActivity());
    const launchFolders = launchFoldersOf(context);
    const services = async () => (await startServices()).services;
    this.account = new Account({
      secrets: context.secrets,
      globalState: context.globalState,
      activity: this.activity,
      environment: process.env,
      places: launchFolders,
      services,
      loadPty: loadNodePty,
      runsAsNode: (launch) => runsAsNode(launch, this.demo),
    });
    this.code = store.add(new CodeBlocks(this.activity, log));
    const { storageUri, globalStorageUri } = context;
    this.journals = store.add(
      new SessionStorage({
        root: path.join(globalStorageUri.fsPath, 'store'),
        earlier: { globalStorage: globalStorageUri.fsPath, ...(storageUri && { storage: storageUri.fsPath }) },
        maxBytes: readMaxJournalBytes,
        log,
      }),
    );
    this.drafts = new Drafts(this.journals, log);
    this.preferences = new AgentPreferencesStore(context.globalState, () => this.agentCatalog().catalog.entries);
    const presentation = store.add(new PermissionPresentation());
    this.panels = store.add(
      new SessionPanels({
        extensionUri: context.extensionUri,
        clock: systemClock,
        log,
        activity: this.activity,
        drafts: this.drafts,
        code: this.code,
        liveContext: () => import('./mentions/liveContext'),
        preferences: this.preferences,
        presentation,
        unread: this.unread,
        titles: new ShownTitles(),
        features: this.features,
        chatLocation: readChatLocation,
        chatViewShows: (sessionKey) => void context.workspaceState.update(SHOWN_IN_VIEW, sessionKey ?? NONE),
      }),
    );
    this.picks = new PermissionPresenter(
      this.activity,
      this.panels,
      presentation,
      async (key, { entryId, content, change }) => {
        const session = this.sessions.get(key);
        void (session && (await this.lazy.openHandlers()).openDiff(session, entryId, content, change));
      },
      async (key, permissionId, suggestionId) => {
        const session = this.sessions.get(key);
        void (session && (await loadMakeRule()).makeRule(this.rules, session, permissionId, suggestionId));
      },
    );
    this.permissions = store.add(new PermissionPromptQueue(this.picks, systemClock));
    const { version } = this;
    this.rules = store.add(
      new WindowRules({
        clock: systemClock,
        log,
        globalState: context.globalState,
        extensionPath: context.extensionPath,
        sharedFolder: globalStorageUri.fsPath,
        protectedRules,
        opened: (rules) => void this.lazy.permissionAudit().then((audit) => audit.followRules(rules, this.sessions)),
      }),
    );
    const editorServers = store.add(
      new WindowEditorServers({
        clock: systemClock,
        log,
        version,
        extensionPath: context.extensionPath,
        storagePath: globalStorageUri.fsPath,
        cleanTexts: this.cleanTexts,
        front: this.code,
        sessions: () => this.sessions,
        writes: (real) => this.changes?.changes?.writes(real),
      }),
    );
    this.servers = store.add(
      new WindowServers({ context, clock: systemClock, activity: this.activity, sessions: () => this.sessions, editor: editorServers }),
    );
    const sandboxes = lazy(async () => {
      const { WindowSandboxes } = await import('./sandbox/windowSandboxes');
      return new WindowSandboxes(context, () => this.sessions.all);
    });
    this.sessions = new Sessions({
      clock: systemClock,
      log,
      permissions: windowPrompter(systemClock, this.permissions, presentation, this.panels, this.picks),
      account: this.account,
      ...optionDependencies(this.preferences),
      instructions: readInstructions,
      servers: this.servers,
      journals: this.journals,
      swapFolder: path.join(globalStorageUri.fsPath, 'swap'),
      secretsOf: (agentId) => this.secrets.of(agentId),
      trust: windowTrust({ activity: this.activity, globalState: context.globalState }, globalStorageUri.fsPath),
      isWindowThere,
      keeping: windowKeeping(context, log, (key) => this.sessionCommands.readBack(key)),
      waiting: context.workspaceState,
      mintKey: () => `${systemClock.now().toString(36)}-${randomUUID().slice(0, 8)}`,
      unasked: this.capabilityCache.unasked,
      connect: this.capabilityCache.recording(
        lazyConnector(
          {
            clock: systemClock,
            log,
            environment: process.env,
            launchFolders,
            demo: this.demo,
            services,
            sandbox: async (launch, prepared) => (await sandboxes()).wrapAgent(launch, prepared),
            version,
            traces: this.traces,
            valuesOf: (launch) => this.account.environment(launch),
            endpointsOf: (launch) => this.account.endpointsOf(launch),
            keepSecret: (agentId, values) => this.secrets.add(agentId, values),
            mcp: editorServers.channel,
          },
          async () =>
            (await import('./agents/connectorSettings')).loadConnectorSettings(context, this.activity, this.registryAgents.window),
          (launch, again) => this.account.withHeaders(launch, again),
        ),
      ),
      ...serviceDependencies(
        this.cleanTexts,
        systemClock,
        log,
        () => this.changes?.changes,
        async () => (await this.changesFeature()).previews,
        this.rules,
        sandboxes,
        startServices,
      ),
      changes: (session) => followChanges(session, () => this.changesFeature(), loadChanges, systemClock),
    });
    this.lazy = lateServices(store, {
      panels: this.panels,
      journals: this.journals,
      traces: this.traces,
      clock: systemClock,
      activity: this.activity,
      version,
      sessions: () => this.sessions.all,
      editor: () => this.code.frontEditor,
      notebook: () => this.code.frontNotebook,
      recentEditors: () => this.code.recentFiles,
      newSession: () => this.sessionCommands.create({}, 'last'),
      flush: () => this.sessions.flush(),
      auditFolder: path.join(globalStorageUri.fsPath, 'audit'),
      extensionUri: context.extensionUri,
      log,
      secretsOf: (agentId) => this.secrets.of(agentId),
    });
    const { sessions, panels, journals, drafts, account, activity, capabilityCache, permissions, servers } = this;
    const { globalState, workspaceState } = context;
    const deps = {
      sessions,
      panels,
      journals,
      drafts,
      account,
      activity,
      capabilityCache,
      permissions,
      servers,
      presentation,
      isRestricted,
    };
    this.sessionCommands = new SessionCommands({
      ...deps,
      globalState,
      workspaceState,
      globalStorageUri,
      hasLastAgent: new ContextKey(contextKeys.hasLastAgent),
      agents: () => this.agentCatalog(),
      settledAgents: () => this.settledAgents(),
      probe: async () => (await this.findAgents()).look(),
    });
    store.add(whenTrusted(() => void this.sessionCommands.onTrusted()));
    // Disposed before the panels, so that the panels still receive the sessions' last events.
    store.add(this.sessions);
    store.add(this.sessions.onChange(onChange));
    const first = store.add(
      this.sessions.onChange(() => {
        if (isRestricted()) {
          return; // In Restricted Mode sessions are read-only.
        }
        first.dispose();
        const { journals, drafts, lazy, panels, sessions } = this;
        const home = (): unknown => this.sessionsFeature();
        this.commenting = followSessions({ clock: systemClock, log, journals, drafts, lazy, panels, sessions, store, home });
      }),
    );
  }

  readonly actions: Omit<CommandActions, NewSessionCommand> = {
    ...lazyActions(() => this.commandActions()),
    previousAnswer: () => this.picks.moveBy(-1),
    nextAnswer: () => this.picks.moveBy(1),
    stopTurn: () => this.panels.active?.cancel(),
  };

  /** Fills a panel that VS Code kept over a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = sessionKeyOf(state);
    const session = key === undefined ? undefined : await this.sessionCommands.readBack(key);
    if (session) {
      this.panels.restore(session, panel);
    } else {
      panel.dispose(); // The session's journal no longer exists.
    }
  }

  /** The same for a page of agents. */
  async restoreAgentPage(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.commandActions()).restoreAgentPage(panel, state);
  }

  /** Runs a command that is loaded with the sessions view, the review of changes or the permission rules. */
  async runSessionCommand(name: string, args: readonly unknown[]): Promise<unknown> {
    const [{ isChangeCommand }, { isRuleCommand }] = await Promise.all([
      import('../application/shared/changeCommandIds'),
      import('../application/shared/ruleCommandIds'),
    ]);
    if (isRuleCommand(name)) {
      return (await this.rulesView()).run(name, args);
    }
    return isChangeCommand(name)
      ? (await this.changesFeature()).run(name, args)
      : (await this.sessionsFeature()).commands().run(name as SessionCommandName, args);
  }

  /** Shows the pending changes that an earlier window has left. */
  async showStoredChanges(): Promise<void> {
    await (await this.changesFeature()).showStored();
  }

  /** Restores the sessions that wait for a limit's reset, have a running agent or were shared, so that they continue without a page. */
  async restoreWaiting(): Promise<void> {
    const { readBackKept, readBackWaiting } = await import('../application/sessions/waitingSessions');
    const { workspaceState } = this.context;
    const readBack = (key: string): Promise<Session | undefined> => this.sessionCommands.readBack(key);
    await readBackKept(workspaceState.get(keptSessionsKey), readBack);
    if (workspaceState.get(sharingKey) !== undefined) {
      await (await this.commandActions()).continueSharing();
    }
    await readBackWaiting(workspaceState, readBack);
  }

  async sessionsView(): Promise<SessionsView> {
    return (await this.sessionsFeature()).view();
  }

  /** Fills the chat view that VS Code has created, with the session that the view showed before the reload. */
  async resolveChatView(view: vscode.WebviewView, state: unknown): Promise<void> {
    // VS Code saves a view's own state only now and then.
    const shown = this.context.workspaceState.get<string>(SHOWN_IN_VIEW);
    const key = shown === undefined ? sessionKeyOf(state) : sessionKeyOf({ sessionKey: shown });
    await this.panels.resolveView(view, async () =>
      key === undefined ? undefined : (this.sessions.get(key) ?? (await this.sessionCommands.readBack(key))),
    );
  }

  async agents(): Promise<readonly AgentDescription[]> {
    await this.settledAgents();
    return this.agentCatalog().catalog.entries.map(({ agentId, agentName, source }) => ({ agentId, agentName, source }));
  }

  /**
   * Starts a session like the command ACP: New Session. @param early its panel, which exists already @param isOfExtension true when another
   * extension starts it
   */
  async newSession(options: NewSessionOptions = {}, early?: PreopenedPanel, isOfExtension = false): Promise<AcpSession | undefined> {
    const session = await this.sessionCommands.create(options, undefined, early);
    return session && apiSession(session, () => this.panels.open(session), isOfExtension);
  }

  get described(): readonly AcpSession[] {
    return this.sessions.all.map((session) => this.describe(session));
  }

  /** Leaves the agents that outlive the window, and ends all others with their sessions. Resolves when the journals are on disk. */
  async shutdown(): Promise<void> {
    const written = Promise.all([
      this.leaveSharing?.(),
      this.sessions.flush(),
      this.drafts.flush(),
      this.commenting?.then(({ comments }) => comments.flush()),
    ]);
    // VS Code waits a few seconds at most: agents must be ended in that time even when the disk is slow.
    await Promise.race([written, new Promise<void>((resolve) => systemClock.after(FLUSH_MS, resolve))]);
    this.sessions.leaveKept();
    this.dispose();
  }

  dispose(): void {
    this.store.dispose();
  }

  private get version(): string {
    return String((this.context.extension.packageJSON as { version?: unknown }).version);
  }

  private agentCatalog(): { catalog: Catalog; settings: ReturnType<typeof readAgentSettings> } {
    const settings = readAgentSettings();
    const { extensionAgents, registryAgents, demo } = this;
    const sources = { ...settings, ...registryAgents.sources, ...this.found?.sources(registryAgents.sources.predefined) };
    return { settings, catalog: catalogOf({ ...sources, extensions: extensionAgents.launches, demo }) };
  }

  /** Resolves when the catalog contains the agents of other extensions, of registries, of the workspace and of this machine. */
  private async settledAgents(): Promise<void> {
    const mayFind = readAgentSettings().hasWorkspaceAgents || this.context.globalState.get('localPrograms');
    await Promise.all([
      this.extensionAgents.settle(),
      this.registryAgents.settle(),
      ...(mayFind ? [this.findAgents().then((found) => found.settle())] : []),
    ]);
  }

  private describe(session: Session): AcpSession {
    return apiSession(session, () => this.panels.open(session));
  }
}
