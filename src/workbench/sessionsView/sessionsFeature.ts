/**
 * Combines the features that report on sessions, the sessions view and its commands. Loaded with the first session, the view, or one of the
 * commands.
 */
import type * as vscode from 'vscode';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { isRunning } from '../../core/model/select';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { agentWithId } from '../../core/agents/agentIds';
import { DisposableStore } from '../../util/disposable';
import type { UnreadSessions } from '../../application/chat/unreadSessions';
import type { ExportCommands } from '../export/exportCommands';
import type { SessionCommands } from '../sessions/sessionCommands';
import { AgentLists, unrecorded } from '../../application/sessionsView/agentLists';
import { Attention } from './attention';
import { searchSessions } from './searchPick';
import { SessionViewCommands } from './sessionViewCommands';
import { SessionsView, type TreeViews } from './sessionsView';

export interface SessionsFeatureDependencies {
  readonly host: TreeViews;
  readonly clock: Clock;
  readonly unread: UnreadSessions;
  /** The session commands, which the features use. */
  readonly commands: SessionCommands;
  readonly demo: AgentLaunch;
  exports(): Promise<ExportCommands>;
}

export class SessionsFeature implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly attention: Attention;
  private readonly agents: AgentLists;
  private sessionsView: SessionsView | undefined;
  private viewCommands: SessionViewCommands | undefined;

  constructor(private readonly deps: SessionsFeatureDependencies) {
    const { commands, host } = deps;
    const { journals, sessions, capabilityCache } = commands.deps;
    const catalog = () => commands.deps.agents().catalog.entries;
    this.attention = this.owned.add(
      new Attention({
        ...deps,
        ...commands.deps,
        kept: journals,
        readMarks: (key) => journals.readMarks(key),
        trees: host.trees,
        restartAgent: async (session) => (await (await commands.actions()).handover()).restartAgent(session),
      }),
    );
    this.agents = this.owned.add(
      new AgentLists({
        agents: () => {
          if (commands.deps.isRestricted()) {
            return []; // Only a running agent can list its sessions.
          }
          const running = new Set(sessions.all.filter(({ store }) => isRunning(store.state)).map(({ agentId }) => agentId));
          return catalog().map(({ agentId, agentName, launch }) => ({
            agentId,
            agentName,
            lists: capabilityCache.of(launch)?.list === true,
            reportsStatus: capabilityCache.of(launch)?.status === true,
            running: running.has(agentId),
          }));
        },
        list: async (agentId, count, requested) => {
          const { sessions: listed, done } = await (await commands.history()).list(agentId, count, requested);
          const agent = agentWithId(catalog(), agentId) ?? { agentId };
          return { sessions: await unrecorded(journals, agent, listed), done, all: listed };
        },
        statuses: async (agentId, sessionIds) => (await commands.history()).statuses(agentId, sessionIds),
      }),
    );
  }

  dispose(): void {
    this.owned.dispose();
  }

  view(): SessionsView {
    const { attention, agents } = this;
    const { deps } = this.deps.commands;
    return (this.sessionsView ??= this.owned.add(
      new SessionsView({
        ...this.deps,
        sessions: deps.sessions,
        marks: attention.marks,
        isWatched: (key) => attention.seen.isWatched(key),
        knownAgents: () => deps.agents().catalog.entries,
        agents,
        kept: deps.journals,
        panels: deps.panels,
      }),
    ));
  }

  commands(): SessionViewCommands {
    const { deps, attention, agents } = this;
    const { commands, host } = deps;
    const { panels, activity } = commands.deps;
    return (this.viewCommands ??= new SessionViewCommands({
      ...commands.deps,
      clock: deps.clock,
      view: this.view(),
      attention,
      agents,
      actions: () => commands.actions(),
      earlier: () => commands.history(),
      exportSession: async (session) => (await deps.exports()).exportOf(session),
      newSession: (how, folder) => this.newSession(how, folder),
      search: () =>
        searchSessions({
          kept: commands.deps.journals,
          activity,
          open: async ({ key, entryId }, text) => {
            const session = await (await commands.actions()).openKept(key);
            if (session && entryId !== undefined) {
              panels.post(session.key, { type: 'open_find', at: { entryId, text } });
            }
          },
        }),
      selected: () => host.trees.find((tree) => tree.visible)?.selection[0],
    }));
  }

  private async newSession(how: 'last' | 'with' | 'demo' | 'folder', folder?: vscode.Uri): Promise<unknown> {
    const { commands, demo } = this.deps;
    switch (how) {
      case 'demo':
        return commands.create({ agentName: demo.agentName });
      case 'folder':
        return commands.create(folder ? { folder } : {}, 'folder');
      default:
        return commands.create({}, how);
    }
  }
}
