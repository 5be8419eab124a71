/**
 * The palette's commands, except those that a first session needs, and the view's buttons that do not belong to a session. Loaded by the first of
 * them.
 */
import * as vscode from 'vscode';
import type { Catalog } from '../agent/catalog';
import type { WindowStartServices } from '../application/agents/startServices';
import { savedView } from '../core/agents/agentsPage';
import type { ViewAction } from '../core/protocol/view';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import { lazy } from '../util/lazy';
import type { readAgentSettings } from './settings/agentSettings';
import type { AccountCommands } from './signIn/accountCommands';
import type { AgentPreferencesStore } from './preferences/agentPreferences';
import type { AgentViews } from './agents/views/agentViews';
import type { SessionPanels } from './chat/panels';
import type { OpenOptions } from '../application/chat/placement';
import { changeCommands } from '../application/shared/changeCommandIds';
import { type CommandActions, type FirstCommand, openAgentSettings, runCommand } from './commands';
import type { EndpointCommands } from './endpoints/endpointCommands';
import type { CodeBlocks } from './code/codeBlocks';
import type { LateServices } from './lateServices';
import type { PresetCommandDependencies } from './presets/presetCommands';
import type { MentionCommands } from './mentions/mentionCommands';
import type { SessionCommands } from './sessions/sessionCommands';
import type { WindowRules } from './permission/rules/windowRules';
import type { WindowServers } from './mcp/windowServers';
import type { ShareFeature } from './share/shareFeature';
import type { SessionHandover } from './sessions/sessionHandover';
import type { SessionsFeature } from './sessionsView/sessionsFeature';
import type { OutputLog } from './shared/log';
import { t } from './shared/l10n';
import type { RegistryAgents } from './registry/registryAgents';
import { window } from './shared/window';
import { sessionCommands as sessionCommandIds } from '../application/shared/sessionCommandIds';
import { settings as settingIds } from '../application/shared/ids';
import { manageWorkspaceTrust } from './trust/restrictedMode';
import type { UserActivity } from './shared/userActivity';
import type { WorktreeCommands } from './worktrees/worktreeCommands';

/** The number of journals that are searched for the sessions of a worktree. */
const MAX_KEPT = 500;

export interface CommandActionDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: OutputLog;
  readonly activity: UserActivity;
  readonly panels: SessionPanels;
  readonly sessions: Sessions;
  readonly sessionCommands: SessionCommands;
  readonly lazy: LateServices;
  readonly code: CodeBlocks;
  readonly preferences: AgentPreferencesStore;
  readonly rules: WindowRules;
  readonly servers: WindowServers;
  startServices(): Promise<WindowStartServices>;
  accountCommands(): Promise<AccountCommands>;
  sessionsFeature(): Promise<SessionsFeature>;
  readonly registryAgents: RegistryAgents;
  agentCatalog(): { readonly catalog: Catalog; readonly settings: ReturnType<typeof readAgentSettings> };
  /** Takes the function that leaves the sharing when the window closes. */
  onShared(leave: () => Promise<void>): void;
}

export interface LazyActions {
  readonly commands: Omit<CommandActions, FirstCommand>;
  view(action: ViewAction, session?: Session): Promise<void>;
  /** Fills a panel of the pages of agents and of shared sessions, which VS Code kept over a reload of the window. */
  restoreAgentPage(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Shares again what the window before has shared. */
  continueSharing(): Promise<void>;
  /** Sends an edited earlier message in a new session, together with the conversation before it. Resolves to the failure when that does not work. */
  resend(...args: Parameters<SessionHandover['resend']>): ReturnType<SessionHandover['resend']>;
}

/** The commands of the palette behind buttons of the view. */
const VIEW_COMMANDS: Partial<Record<ViewAction, keyof CommandActions>> = {
  new_session: 'newSession',
  add_agent: 'addAgent',
  session_history: 'openSession',
  change_folders: 'changeFolders',
  copy_conversation: 'copyConversation',
  export_conversation: 'exportConversation',
  show_protocol_log: 'showProtocolLog',
  share_session: 'shareSession',
  follow_agent: 'toggleFollowAgent',
  move_to_side_bar: 'moveToSideBar',
  move_to_editor: 'moveToEditor',
  new_in_worktree: 'newSessionInWorktree',
  finish_sign_in: 'finishSignIn',
  save_preset: 'savePreset',
  use_preset: 'usePreset',
};

/** The same for commands that are loaded with the sessions view or with the review. Without arguments they act on the session in front. */
const OTHER_COMMANDS: Partial<Record<ViewAction, string>> = {
  new_session_with: sessionCommandIds.newSessionWith,
  rename_session: sessionCommandIds.renameSession,
  pin_session: sessionCommandIds.pinSession,
  unpin_session: sessionCommandIds.unpinSession,
  archive_session: sessionCommandIds.archiveSession,
  unarchive_session: sessionCommandIds.unarchiveSession,
  restore_checkpoint: changeCommands.restoreCheckpoint,
};

/** The dependencies, with the pages of agents, which live as long as the window. */
type Dependencies = CommandActionDependencies & { agentViews(): Promise<AgentViews>; sharing(): Promise<ShareFeature> };

export function lazyCommandActions(given: CommandActionDependencies): LazyActions {
  const deps: Dependencies = {
    ...given,
    agentViews: lazy(async () => {
      const { createAgentViews } = await import('./agents/views/createAgentViews');
      const views = createAgentViews({
        ...given,
        configureEndpoints: async (agentId) => (await endpointCommands(given)).configure(agentId),
        installNode: () => viewAction(deps, 'install_node'),
      });
      given.context.subscriptions.push(views);
      return views;
    }),
    sharing: lazy(async () => {
      const { context, log, activity, lazy: services, sessions, panels } = given;
      const feature = new (await import('./share/shareFeature')).ShareFeature({
        extensionUri: context.extensionUri,
        log,
        activity,
        version: services.agentSources.version,
        sessions,
        context,
        show: (session) => panels.open(session),
        readBack: (key) => given.sessionCommands.readBack(key),
      });
      context.subscriptions.push(feature);
      given.onShared(() => feature.leave());
      return feature;
    }),
  };
  return {
    commands: commandActions(deps),
    view: (action, session) => viewAction(deps, action, session),
    restoreAgentPage: async (panel, state) => {
      const view = savedView(state);
      return view?.kind === 'share' ? (await deps.sharing()).restorePage(panel) : (await deps.agentViews()).restore(panel, view);
    },
    continueSharing: async () => (await deps.sharing()).continue(),
    resend: async (...args) => (await handover(deps)).resend(...args),
  };
}

function commandActions(deps: Dependencies): LazyActions['commands'] {
  const worktrees = lazy(() => worktreeCommands(deps.sessionCommands));
  return {
    newSessionInWorktree: async () => (await worktrees()).newSession(),
    manageWorktrees: async () => (await worktrees()).manage(),
    compareAgents: async () => (await worktrees()).compare(),
    toggleFollowAgent: async () => (await import('./follow/follow')).toggleFollowAgent(),
    cycleMode: async () => (await import('./sessions/cycleMode')).cycleMode(deps.panels.active, deps.preferences),
    setPermissionMode: async () => (await import('./permission/setPermissionMode')).choosePermissionMode(deps.panels.active, deps.activity),
    showPermissionAudit: async (sessionKey) => (await deps.lazy.permissionAudit()).show(sessionKey),
    // A page passes the key of the session.
    openSession: async (key, unsent) =>
      typeof key === 'string'
        ? (await import('./sessions/reopenChat')).reopenChat(deps.sessionCommands, key, unsent)
        : (await deps.sessionCommands.actions()).open(),
    openAgentSession: async () => (await deps.sessionCommands.history()).openAgentSession(),
    deleteSession: async (...args) => (await deps.sessionsFeature()).commands().delete(args),
    changeFolders: async () => (await deps.sessionCommands.history()).changeFolders(),
    importPermissionRules: async () =>
      (await import('./permission/rules/importRules')).importRules({
        activity: deps.activity,
        log: deps.log,
        store: await deps.rules.store(),
      }),
    manageTrustedFolders: async () =>
      (await import('./trust/folderTrustQuestions')).manageTrustedFolders({
        activity: deps.activity,
        globalState: deps.context.globalState,
      }),
    manageWorkspaceTrust: () => manageWorkspaceTrust(),
    forkSession: async () => (await handover(deps)).fork(),
    shareSession: async () => (await deps.sharing()).share(deps.panels.active),
    stopSharing: async () => (await deps.sharing()).stop(),
    continueWithAnotherAgent: async () => (await handover(deps)).continueWithAnother(),
    restartAgent: async () => (await handover(deps)).restartAgent(),
    endSession: async (...args) => (await deps.sessionsFeature()).commands().end(args),
    answerPermission: async () => (await deps.sessionCommands.actions()).answerPermission(),
    showLog: () => deps.log.show(),
    showProtocolLog: async () => (await deps.lazy.protocolLog()).show(),
    // The page of a host that has exited passes this word.
    openInspector: async (left) => {
      const inspector = await deps.lazy.inspector();
      return left === 'reopen' ? inspector.reopen() : inspector.show();
    },
    exportProtocolLog: async (target, agent) => (await deps.lazy.protocolLog()).export(target, agent),
    replayLog: async (source) =>
      (await import('./export/replayLog')).replayLog({ sessions: deps.sessions, panels: deps.panels, activity: deps.activity }, source),
    selectDefaultAgent: async () => {
      const { catalog, settings } = deps.agentCatalog();
      await (await import('./agents/selectDefaultAgent')).selectDefaultAgent(catalog, settings.defaultAgent, deps.activity);
    },
    addAgent: () => addAgent(deps, false),
    runAgentOnHost: () => addAgent(deps, true),
    // A page passes the view that it shows.
    browseAgents: async (left) => {
      const view = savedView(left);
      return view?.kind === 'share'
        ? (await deps.sharing()).reopen()
        : view
          ? (await deps.agentViews()).reopen(view)
          : (await deps.agentViews()).browse();
    },
    showRunningAgents: async () => (await deps.agentViews()).showRunning(),
    testAgent: async (agentId) => testOne(deps, agentId),
    addAccount: async () =>
      (await import('./agents/addAccount')).addAccount({
        activity: deps.activity,
        storage: deps.context.globalStorageUri.fsPath,
        userAgents: () => deps.agentCatalog().settings.userAgents,
        agents: () => deps.agentCatalog().catalog.entries,
        newSession: (agentId) => deps.sessionCommands.create({ agentName: agentId }),
      }),
    importAgents: async () =>
      (await import('./agents/importAgents')).importAgents({
        activity: deps.activity,
        log: deps.log,
        userAgents: () => deps.agentCatalog().settings.userAgents,
        agents: () => deps.agentCatalog().catalog.entries,
      }),
    reviewWorkspaceAgents: async () =>
      (await import('./agents/workspaceAgents')).reviewWorkspaceAgents(deps.context.workspaceState, deps.activity),
    savePreset: async () => (await import('./presets/presetCommands')).savePreset(presets(deps)),
    usePreset: async () => (await import('./presets/presetCommands')).usePreset(presets(deps)),
    openSettings: () => openAgentSettings(),
    attachProblems: async () => (await deps.lazy.attachCommands()).problems(),
    attachFiles: async (uri, uris) => (await deps.lazy.attachCommands()).filesOf(uri, uris),
    addEditor: async () => (await mentionCommands(deps)).editor(),
    addChanges: async (...args) => (await mentionCommands(deps)).changes(args),
    addTerminalOutput: async () => (await mentionCommands(deps)).terminalOutput(),
    addProblem: async (uri, diagnostics) => (await mentionCommands(deps)).problem(uri, diagnostics),
    toggleActiveFileContext: async () => (await import('./mentions/liveContext')).setContext('activeFile'),
    toggleSelectionContext: async () => (await import('./mentions/liveContext')).setContext('selection'),
    addToChat: (uri, uris) => addFiles(deps, uri, uris),
    applyCode: async () => (await deps.code.proposals()).apply(),
    discardCode: async () => (await deps.code.proposals()).discard(),
    findInConversation: () => deps.panels.openFind(),
    copyConversation: async () => (await deps.lazy.exportCommands()).copy(),
    exportConversation: async (target) => (await deps.lazy.exportCommands()).export(target),
    openAsDocument: async () => (await deps.lazy.exportCommands()).showDocument(),
    showAccessibilityHelp: async () => (await deps.lazy.exportCommands()).showHelp(),
    signIn: () => deps.accountCommands().then(async (account) => void (await account.signIn())),
    finishSignIn: async () => (await import('./signIn/signInHelp')).finishSignIn(deps.activity),
    signOut: () => deps.accountCommands().then((account) => account.signOut()),
    moveToSideBar: () => moveActive(deps, 'sideBar'),
    moveToEditor: () => moveActive(deps, 'editor'),
    openInNewWindow: () => moveActive(deps, 'window'),
    keepOpen: () => deps.panels.keep(),
    selectChatLocation: async () => (await import('./chat/selectChatLocation')).selectChatLocation(deps.activity),
    chooseExtensionTools: async () => (await import('./mcp/editor/chooseExtensionTools')).chooseExtensionTools(deps.activity),
    configureEndpoints: async () => (await endpointCommands(deps)).configure(),
    chooseMcpServers: async () => chooseServers(deps),
    forgetMcpInputs: async () => (await deps.servers.feature()).forgetInputs(),
    signOutOfMcpServers: async () => (await deps.servers.feature()).signOut(),
    forgetSignInValues: () => deps.accountCommands().then((account) => account.forget()),
  };
}

function presets({ activity, panels, servers, agentCatalog, sessionCommands }: CommandActionDependencies): PresetCommandDependencies {
  return {
    activity,
    servers,
    active: () => panels.active,
    agents: agentCatalog,
    start: (choice) => sessionCommands.start(choice),
  };
}

/** The commands for sessions in worktrees of the repository. */
async function worktreeCommands(commands: SessionCommands): Promise<WorktreeCommands> {
  const { deps } = commands;
  return new (await import('./worktrees/worktreeCommands')).WorktreeCommands({
    ...deps,
    storage: deps.globalStorageUri.fsPath,
    sessions: () => deps.sessions.all.filter(({ isRecorded }) => !isRecorded),
    show: (session) => deps.panels.open(session),
    kept: async () => (await deps.journals.list({ limit: MAX_KEPT })).summaries.filter(({ key }) => !deps.sessions.get(key)),
    openKept: async (key) => void (await (await commands.actions()).openKept(key)),
    start: (choice, options) => commands.start(choice, options),
  });
}

async function mentionCommands({ lazy, panels, code, activity }: CommandActionDependencies): Promise<MentionCommands> {
  const [{ MentionCommands }, attaching] = await Promise.all([import('./mentions/mentionCommands'), lazy.attachCommands()]);
  return new MentionCommands({
    activity,
    panels,
    mentions: () => lazy.mentions(),
    session: () => attaching.session(),
    editor: () => code.frontEditor,
    notebook: () => code.frontNotebook,
  });
}

/** The arguments come from VS Code's explorer. Without them the user is asked for files. */
async function addFiles(deps: CommandActionDependencies, uri: unknown, uris: unknown): Promise<void> {
  const { urisOf } = await import('./attachments/attachCommands');
  const chosen = urisOf(uri, uris);
  await (chosen ? (await mentionCommands(deps)).files(chosen) : (await deps.lazy.attachCommands()).filesOf(undefined, undefined));
}

/** The list of the session in front. */
async function chooseServers({ panels, servers }: CommandActionDependencies): Promise<void> {
  const session = panels.active;
  if (session) {
    await (await servers.feature()).choose(session);
  } else {
    void window.showInformationMessage(t('Open a session to select its MCP servers.'));
  }
}

async function tryDemo({ agentCatalog, sessionCommands }: CommandActionDependencies): Promise<void> {
  const demo = agentCatalog().catalog.entries.find(({ source }) => source === 'demo');
  await sessionCommands.create(demo && { agentName: demo.agentId });
}

function moveActive({ panels }: CommandActionDependencies, where: NonNullable<OpenOptions['where']>): void {
  const session = panels.movable(where);
  if (session) {
    panels.open(session, 'composer', { where });
  }
}

/** Chooses the version before, and starts it. A failure is shown. */
async function rollBack({ context, registryAgents }: Dependencies, session: Session): Promise<void> {
  const { installedFile } = await import('./registry/followStarts');
  const file = session.launch && installedFile(session.launch, context.globalStorageUri.fsPath);
  if (file !== undefined && (await (await registryAgents.window()).rollBack(file))) {
    session.act(session.store.state.status === 'failed' ? 'retry' : 'restart');
  }
}

/** Runs a view's button that does not belong to a session. Without `session` the page shows none. */
async function viewAction(deps: Dependencies, action: ViewAction, session?: Session): Promise<void> {
  switch (action) {
    case 'show_log':
      return deps.log.show();
    case 'open_settings':
      return openAgentSettings();
    case 'open_instructions':
      return void vscode.commands.executeCommand('workbench.action.openSettings', settingIds.instructions);
    case 'try_demo':
      return tryDemo(deps);
    case 'trust_folder':
      return manageWorkspaceTrust();
    case 'install_node':
      return (await import('./agents/installNode')).installNode(
        {
          activity: deps.activity,
          nodes: (await deps.startServices()).nodes,
          openPage: async (address) => void (await (await deps.lazy.openHandlers()).openPage(address)),
        },
        session,
      );
    case 'roll_back':
      return session && rollBack(deps, session);
    case 'show_agent':
      return session && (await deps.agentViews()).showAgent(session.agentId);
    case 'browse_agent_history':
      return (await deps.sessionCommands.history()).openAgentSession(session?.agentId);
    case 'sign_in':
      return session && (await deps.accountCommands()).signInTo(session);
    case 'forget_sign_in':
      return (await deps.accountCommands()).forget(session?.agentId);
    case 'configure_endpoints':
      return (await endpointCommands(deps)).configure(session?.agentId);
    case 'continue_here':
      return session && (await deps.sessionCommands.actions()).continueHere(session);
    case 'continue_in_new':
      return session && (await handover(deps)).continueInNew(session);
    case 'continue_with':
      return (await handover(deps)).continueWithAnother(session);
    case 'fork':
      return (await handover(deps)).fork(session);
    case 'review_session':
      return void (await vscode.commands.executeCommand(changeCommands.reviewSessionChanges, session?.key));
    case 'restart_agent':
      return (await handover(deps)).restartAgent(session);
    default: {
      const command = VIEW_COMMANDS[action];
      const other = OTHER_COMMANDS[action];
      if (command) {
        runCommand(command);
      } else if (other) {
        void vscode.commands.executeCommand(other);
      }
    }
  }
}

async function endpointCommands({ sessionCommands, activity, agentCatalog }: CommandActionDependencies): Promise<EndpointCommands> {
  const { account, sessions } = sessionCommands.deps;
  return new (await import('./endpoints/endpointCommands')).EndpointCommands({
    account,
    activity,
    agents: () => agentCatalog().catalog.entries,
    connect: async (launch) => (await sessionCommands.history()).remote(launch),
    markStale: (agentId) => sessions.markStale(agentId),
  });
}

async function addAgent(deps: Parameters<typeof testOne>[0], isOnHost: boolean): Promise<void> {
  const adding = {
    activity: deps.activity,
    userAgents: () => deps.agentCatalog().settings.userAgents,
    newSession: (agentId: string) => deps.sessionCommands.create({ agentName: agentId }),
  };
  return (await import('./agents/addAgent')).addAgent(adding, isOnHost);
}

/** Tests the agent with this id, or the one that the user chooses. */
async function testOne(deps: Dependencies, agentId: unknown): Promise<void> {
  const { catalog } = deps.agentCatalog();
  const { pickAgent } = await import('./sessions/pickAgent');
  const pick = () => pickAgent([], catalog.entries, { title: t('Test Agent') });
  const chosen = typeof agentId === 'string' ? agentId : (await deps.activity.during(pick))?.entry.agentId;
  if (chosen !== undefined) {
    await (await deps.agentViews()).test(chosen);
  }
}

async function handover({ sessionCommands }: CommandActionDependencies): Promise<SessionHandover> {
  return (await sessionCommands.actions()).handover();
}
