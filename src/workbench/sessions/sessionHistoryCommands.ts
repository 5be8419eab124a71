/** **ACP: Browse Agent History…** and **ACP: Change Session Folders…**: earlier sessions and those of other windows. */
import type * as vscode from 'vscode';
import path from 'node:path';
import type { Catalog, CatalogEntry } from '../../agent/catalog';
import { emptyFolderIn } from '../../agent/emptyFolder';
import type { ListedSession } from '../../acp/dialect';
import { type AgentKey, agentWithId } from '../../core/agents/agentIds';
import { fault } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { setupIn } from '../../core/model/sessionSetup';
import { isRunning } from '../../core/model/select';
import { RemoteSessions } from '../../session/agent/remoteSessions';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { Account } from '../signIn/account';
import type { CapabilityCache } from '../agents/capabilityCache';
import { type AgentItem, agentItem } from '../agents/agentItems';
import { isRemote } from '../../core/agents/endpoint';
import { rootsToOpen } from '../../application/sessions/folderConsent';
import { agentRows } from '../../application/agents/agentRows';
import { pickAgentSession } from './agentHistory/agentSessionPick';
import { inertLine } from '../../application/shared/escape';
import { trustsFolder } from '../trust/folderTrust';
import { changeFurtherFolders, consentToFolders } from './additionalFolders';
import { workspaceFolders } from '../window/workspaceFolders';
import { t } from '../shared/l10n';
import { chooseSession } from './openSession';
import { type DeletedSession, SessionDeletion } from './sessionDeletion';
import { chooseMethod } from '../signIn/signInPick';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { failureText } from '../../application/shared/failureText';
import type { RemoteStatuses } from '../../application/sessionsView/agentLists';

export interface SessionHistoryDependencies {
  readonly sessions: Sessions;
  readonly journals: SessionStorage;
  readonly activity: UserActivity;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
  /** The absolute path of the extension's own folder on this machine. */
  readonly storage: string;
  readonly account: Account;
  readonly capabilityCache: CapabilityCache;
  /** Read at each use, because settings change. */
  catalog(): Catalog;
  /** The session in front. */
  active(): Session | undefined;
  show(session: Session): void;
  /** Restores the conversation of this journal as a live session. */
  readBack(key: string): Promise<Session | undefined>;
  /** Closes the panel and deletes the draft. */
  forget(key: string): void;
}

const MAX_NAME = 80;

export class SessionHistoryCommands {
  private readonly deletion: SessionDeletion;

  constructor(private readonly deps: SessionHistoryDependencies) {
    this.deletion = new SessionDeletion({ ...deps, agentOf: (launch, cwd) => this.agentOf(launch, (question) => question(), cwd) });
  }

  deleteSession(): Promise<void> {
    return this.deletion.deleteSession();
  }

  deleteKept(session: DeletedSession): Promise<void> {
    return this.deletion.delete(session);
  }

  /** Deletes a session from the agent's list that has no record here. Resolves to false when the user declines. @throws Fault */
  async deleteListed(agentId: string, listed: ListedSession): Promise<boolean> {
    const agent = await this.listing(agentId);
    try {
      return await this.deletion.deleteListed(agent, listed);
    } finally {
      agent.dispose();
    }
  }

  /** Opens a session from the agent's list. @throws Fault */
  async openListed(agentId: string, listed: ListedSession): Promise<void> {
    const launch = this.launchOf(agentId);
    const agent = isRemote(launch) ? await this.listing(agentId) : undefined;
    try {
      await this.open(launch, listed, agent);
    } finally {
      agent?.dispose();
    }
  }

  /**
   * Lists the first `count` sessions of an agent, or a few more. @param requested true when the user requested the list, and may therefore be asked to
   * sign in @throws Fault
   */
  async list(
    agentId: string,
    count: number,
    requested: boolean,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly done: boolean }> {
    const agent = await this.listing(agentId, requested);
    try {
      const pages = agent.pages(workspaceFolders());
      const sessions: ListedSession[] = [];
      while (!pages.done && sessions.length < count) {
        sessions.push(...(await pages.next()));
      }
      return { sessions, done: pages.done };
    } finally {
      agent.dispose();
    }
  }

  /** Asks an agent for the statuses of these sessions. @throws Fault */
  async statuses(agentId: string, sessionIds: readonly string[]): Promise<RemoteStatuses> {
    const agent = await this.listing(agentId, false);
    try {
      return await agent.statuses(sessionIds);
    } finally {
      agent.dispose();
    }
  }

  private listing(agentId: string, requested = true): Promise<RemoteSessions> {
    return this.agentOf(this.launchOf(agentId), (question) => question(), undefined, requested);
  }

  private launchOf(agentId: string): AgentLaunch {
    const entry = agentWithId(this.deps.catalog().entries, agentId);
    if (!entry) {
      throw fault('session.agent_removed', { agent: agentId });
    }
    return entry.launch;
  }

  /** Opens one of the sessions that an agent stores, whatever client created it. @param agentId undefined: the user chooses the agent */
  async openAgentSession(agentId?: string): Promise<void> {
    const known = agentId === undefined ? undefined : agentWithId(this.deps.catalog().entries, agentId);
    const entry = known ?? (await this.chooseAgent());
    if (!entry) {
      return;
    }
    const { launch } = entry;
    const { activity } = this.deps;
    let asking = 0;
    const agent = await this.agentOf(launch, (question) => {
      asking++;
      return question().finally(() => asking--);
    });
    try {
      const folders = workspaceFolders();
      const pages = agent.pages(folders);
      const chosen = await activity.during(() =>
        pickAgentSession({
          agentName: launch.agentName,
          folders,
          open: () => this.openIds(launch.agentId),
          more: () => pages.next(),
          done: () => pages.done,
          interrupted: () => asking > 0 || activity.isStartAsking,
          onAnswered: (listener) => activity.onStartAnswered(listener),
          remove: (listed) => this.deletion.deleteListed(agent, listed),
          offersRemove: () => this.deps.capabilityCache.of(launch)?.delete === true,
        }),
      );
      if (chosen) {
        await this.open(launch, chosen, agent);
      }
    } finally {
      // An opened session uses the same agent process, which therefore continues to run.
      agent.dispose();
    }
  }

  /**
   * Sends the user's title for a session to its agent. Returns the title as the agent stores it, or undefined when the agent takes none and the
   * name exists in VS Code alone. @throws Fault
   */
  async setTitle(
    { agentId, cwd, sessionId }: { readonly agentId: string } & Pick<JournalSummary, 'cwd' | 'sessionId'>,
    title: string,
  ): Promise<string | undefined> {
    const { launch, capabilities, live } = this.agentOfStored(agentId, sessionId);
    if (sessionId === undefined || !launch || !capabilities?.setTitle) {
      return undefined;
    }
    const agent = await this.agentOf(launch, (question) => question(), cwd);
    try {
      const kept = await agent.setTitle(sessionId, title);
      live?.store.append({ type: 'session_info', title: kept });
      return kept;
    } finally {
      agent.dispose();
    }
  }

  /**
   * Archives the session at its agent, or restores it there, if the agent can do that. A session that is open here is left alone, because archiving
   * would close it. @throws Fault
   */
  async archive(
    { agentId, cwd, sessionId }: { readonly agentId: string } & Pick<JournalSummary, 'cwd' | 'sessionId'>,
    isArchived: boolean,
  ): Promise<void> {
    const { launch, capabilities, live } = this.agentOfStored(agentId, sessionId);
    if (sessionId === undefined || !launch || !capabilities?.archive || (live && isRunning(live.store.state))) {
      return;
    }
    const agent = await this.agentOf(launch, (question) => question(), cwd);
    try {
      await agent.archive(sessionId, isArchived);
    } finally {
      agent.dispose();
    }
  }

  /** Returns the agent of a stored session, with the capabilities that it had last. */
  private agentOfStored(agentId: string, sessionId: string | undefined) {
    const { catalog, capabilityCache, sessions } = this.deps;
    const live = sessionId === undefined ? undefined : sessions.find(agentId, sessionId);
    const launch = live?.launch ?? agentWithId(catalog().entries, agentId)?.launch;
    return { live, launch, capabilities: live?.store.state.capabilities ?? (launch && capabilityCache.of(launch)) };
  }

  /** Changes the other folders of the session in front, or of one that the user chooses. */
  async changeFolders(): Promise<void> {
    const running = this.deps.sessions.all.filter(({ store }) => isRunning(store.state));
    const active = running.find((session) => session === this.deps.active());
    const choice = active ? { session: active } : await chooseSession(running, [], this.deps.activity);
    if (!choice || !('session' in choice)) {
      return;
    }
    const { session } = choice;
    const { load, resume, additionalDirectories } = session.store.state.capabilities;
    if (!additionalDirectories || !(load || resume)) {
      void window.showInformationMessage(failureText({ code: 'session.folders_fixed' }, t));
      return;
    }
    const folders = await changeFurtherFolders(this.deps.activity, session.roots, (folder) => trustsFolder(this.deps, folder));
    const failure = folders && session.changeFolders(folders);
    if (failure) {
      void window.showWarningMessage(failureText(failure, t));
    }
  }

  /** @param agent says what the session may do. Undefined: it may work in its folders. */
  private async open(launch: AgentLaunch, listed: ListedSession, agent: RemoteSessions | undefined): Promise<void> {
    const { sessionId, title, updatedAt } = listed;
    const { sessions, show } = this.deps;
    const known = sessions.find(launch.agentId, sessionId) ?? (await this.readBack(launch, sessionId));
    if (known) {
      show(known);
      if (!isRunning(known.store.state)) {
        known.resume();
      }
      return;
    }
    const isReadOnly = (await agent?.capabilities())?.readOnly === true;
    const { cwd, additionalDirectories } = rootsToOpen(listed, isReadOnly, workspaceFolders());
    if (!path.isAbsolute(cwd)) {
      throw fault('fs.not_absolute', { path: cwd });
    }
    const roots = { cwd, additionalDirectories: additionalDirectories.filter((folder) => path.isAbsolute(folder)) };
    const pins = await consentToFolders(launch.agentName, roots);
    if (pins) {
      show(
        sessions.create(
          launch,
          setupIn(roots),
          { sessionId, ...(title !== undefined && { title }), ...(updatedAt !== undefined && { updatedAt }) },
          pins,
        ),
      );
    }
  }

  /** Restores the stored conversation with this session id. */
  private async readBack(agent: AgentKey, sessionId: string): Promise<Session | undefined> {
    const [journal] = await this.deps.journals.find(agent, sessionId);
    return journal && this.deps.readBack(journal.key);
  }

  /** Returns the agent's ids of the running sessions. */
  private openIds(agentId: string): ReadonlySet<string> {
    const own = this.deps.sessions.all.filter((session) => session.agentId === agentId && isRunning(session.store.state));
    return new Set(own.flatMap(({ store }) => store.state.sessionId ?? []));
  }

  /** Connects to an agent without a session. The caller disposes the result. */
  remote(launch: AgentLaunch): Promise<RemoteSessions> {
    return this.agentOf(launch, (question) => question());
  }

  /** @param during wraps each question to the user */
  private async agentOf(
    launch: AgentLaunch,
    during: <T>(question: () => Promise<T>) => Promise<T>,
    cwd = workspaceFolders()[0],
    requested = true,
  ): Promise<RemoteSessions> {
    await this.deps.account.load(launch);
    const { activity, sessions } = this.deps;
    const deps = sessions.remoteSessionsDependencies(
      async (agentName, methods, failure) => (requested ? during(() => chooseMethod(activity, agentName, methods, failure)) : undefined),
      requested,
    );
    // Without a workspace the agent starts in an empty folder, which needs no trust. The home folder would need it.
    return new RemoteSessions(deps, launch, cwd ?? (await emptyFolderIn(path.join(this.deps.storage, 'empty'))));
  }

  /** Asks for an agent. Agents that could not list sessions last time come last. They can still be chosen, because a newer version may be able to. */
  private async chooseAgent(): Promise<CatalogEntry | undefined> {
    const { capabilityCache, activity } = this.deps;
    const { entries } = this.deps.catalog();
    const lists = ({ launch }: CatalogEntry): boolean => capabilityCache.of(launch)?.list !== false;
    const rows: AgentItem[] = [
      ...agentRows(entries.filter(lists), {}, t).map(agentItem),
      ...entries
        .filter((entry) => !lists(entry))
        .map((entry) => ({ label: inertLine(entry.agentName, MAX_NAME), description: t("couldn't list its sessions last time"), entry })),
    ];
    const options = {
      title: t('Agent History'),
      placeHolder: t('Select an agent'),
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    };
    const chosen = await activity.during(() => window.showQuickPick(rows, options));
    return chosen?.entry;
  }
}
