/** Opens conversations: creates new sessions and restores stored ones. The code of other actions is loaded on demand. */
import type * as vscode from 'vscode';
import type { NewSessionOptions } from '../../api';
import type { Catalog } from '../../agent/catalog';
import { agentNamed, agentOf, type StoredAgent } from '../../core/agents/agentIds';
import { fault } from '../../core/model/failure';
import type { Roots } from '../../core/model/roots';
import { setupIn } from '../../core/model/sessionSetup';
import type { PermissionPromptQueue } from '../../session/permission/promptQueue';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import { systemClock } from '../../util/clock';
import { lazy } from '../../util/lazy';
import type { Account } from '../signIn/account';
import type { CapabilityCache } from '../agents/capabilityCache';
import type { readAgentSettings } from '../settings/agentSettings';
import type { PermissionPresentation } from '../permission/presentation';
import type { NewSessionChoice, NewSessionWay, StartOptions } from './newSession';
import type { PreopenedPanel } from '../chat/newPanel';
import type { WindowServers } from '../mcp/windowServers';
import type { SessionPanels } from '../chat/panels';
import type { OpenOptions } from '../../application/chat/placement';
import type { UserActivity } from '../shared/userActivity';

export interface SessionCommandsDependencies extends Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState' | 'globalStorageUri'> {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly account: Account;
  readonly activity: UserActivity;
  readonly capabilityCache: CapabilityCache;
  readonly permissions: PermissionPromptQueue;
  readonly servers: Pick<WindowServers, 'feature'>;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  agents(): { readonly catalog: Catalog; readonly settings: ReturnType<typeof readAgentSettings> };
  /** Read by the sessions view's button for a new session. */
  readonly hasLastAgent: { set(value: boolean): void };
  /** True in Restricted Mode, in which no session starts. */
  isRestricted(): boolean;
  /** Resolves when `agents` contains the agents of other extensions. */
  settledAgents(): Promise<void>;
  /** Looks for agents on this machine, for a short time. */
  readonly probe?: () => Promise<void>;
}

/** The time in ms in which the first page of a window draws its text box. */
const FIRST_PAGE_MS = 250;

export class SessionCommands {
  /** True until a session was started in this window. */
  private isFirst = true;
  /** The key of the session that the user started last. */
  private latest = '';

  /** The actions on existing sessions. Loaded on first use. */
  readonly actions = lazy(async () => new (await import('./sessionActions')).SessionActions(this.deps, this));

  /** The commands for earlier sessions. Loaded on first use. */
  readonly history = lazy(async () => {
    const { sessions, journals, activity, account, globalState, globalStorageUri, capabilityCache, panels, drafts } = this.deps;
    return new (await import('./sessionHistoryCommands')).SessionHistoryCommands({
      sessions,
      journals,
      activity,
      account,
      globalState,
      storage: globalStorageUri.fsPath,
      capabilityCache,
      catalog: () => this.deps.agents().catalog,
      active: () => panels.active,
      show: (session) => panels.open(session),
      readBack: (key) => this.readBack(key),
      forget: (key) => {
        panels.forget(key);
        drafts.forget(key);
      },
    });
  });

  constructor(readonly deps: SessionCommandsDependencies) {}

  /** Asks for everything that `options` and `how` leave open. @param early the session's panel, if no question is expected */
  async create(
    options: NewSessionOptions = {},
    how?: NewSessionWay,
    early?: PreopenedPanel,
    show: OpenOptions = {},
  ): Promise<Session | undefined> {
    if (this.deps.isRestricted()) {
      early?.leave();
      await (await import('../trust/restrictedMode')).offerTrust();
      return undefined;
    }
    const choice = await this.choose(options, how, () => early?.leave());
    return choice && this.start(choice, show, { early });
  }

  /**
   * Restores the conversation of this journal, with its agent if that is still configured. @param force takes the session from another window that
   * has it open
   */
  async readBack(key: string, force = false): Promise<Session | undefined> {
    const { sessions, drafts, account } = this.deps;
    await Promise.all([drafts.load(key), this.deps.settledAgents()]);
    const { entries } = this.deps.agents().catalog;
    const launchOf = (stored: StoredAgent) => agentOf(entries, stored)?.launch;
    const session = await sessions.restore(key, launchOf, force);
    if (session?.launch) {
      await account.load(session.launch);
    }
    return session;
  }

  /** Called when the workspace becomes trusted. Read-only sessions can then be resumed, and their surfaces show it. */
  async onTrusted(): Promise<void> {
    const { sessions, panels } = this.deps;
    for (const { key, store } of sessions.all) {
      const session = store.state.failure?.code === 'session.restricted_mode' ? await this.readBack(key) : undefined;
      if (session) {
        panels.replace(session);
      }
    }
  }

  /** Asks for a folder, and for trust in it if necessary. Resolves to undefined when the user cancels. */
  async chooseFolder(): Promise<Roots | undefined> {
    const { activity, globalState, globalStorageUri } = this.deps;
    const [{ chooseFolder }, { pickFromDisk }] = await Promise.all([import('./newSessionFolder'), import('./newSession')]);
    return chooseFolder({ activity, globalState, storage: globalStorageUri.fsPath }, pickFromDisk);
  }

  private async choose(
    { agentName, folder }: NewSessionOptions,
    how: NewSessionWay | undefined,
    asks: () => void,
  ): Promise<NewSessionChoice | undefined> {
    const deps = { ...this.deps, storage: this.deps.globalStorageUri.fsPath };
    await deps.settledAgents();
    if (agentName === undefined) {
      const { chooseNewSession } = await import('./newSession');
      return chooseNewSession({ ...deps, latest: deps.sessions.get(this.latest), asks }, folder?.fsPath, how);
    }
    const entry = agentNamed(deps.agents().catalog.entries, agentName);
    if (!entry) {
      throw fault('config.invalid', { entry: agentName, field: 'acpHost.agents' }, { message: `No agent is named ${agentName}.` });
    }
    const { chooseRoots } = await import('./newSession');
    const roots = await chooseRoots(deps, folder?.fsPath);
    return roots && { launch: entry.launch, setup: setupIn(roots) };
  }

  /** Starts a session with this agent in these folders. Its panel opens at once. */
  async start(
    { launch, setup, preset }: NewSessionChoice,
    options: OpenOptions = {},
    { early, draft, events = [] }: StartOptions = {},
  ): Promise<Session> {
    const { account, agents, drafts, globalState, panels, sessions } = this.deps;
    const session = sessions.prepare(launch, preset ? { ...setup, preferred: preset.options } : setup);
    this.latest = session.key;
    // The draft is set before the page is ready, because a page gets its draft only once.
    if (draft) {
      drafts.set(session.key, draft);
    }
    session.store.append(...events);
    // The panel comes first, because the user sees it: VS Code creates it and its page while the agent is being started.
    panels.open(session, 'composer', options, early);
    if (this.isFirst) {
      this.isFirst = false;
      // An agent that starts would compete for the processors with the page, which is loaded for the first time.
      await new Promise<void>((resolve) => void systemClock.after(FIRST_PAGE_MS, resolve));
    }
    await account.load(launch);
    if (preset) {
      await (await import('../presets/applyPreset')).startWithPreset(this.deps, session, preset);
    }
    session.open();
    void import('./recentAgents').then(({ rememberWhenReady }) =>
      rememberWhenReady(session, agents().catalog.entries, globalState, () => this.deps.hasLastAgent.set(true)),
    );
    return session;
  }
}
