/** How a conversation comes before the user and goes: a new one, one of a list, one of a journal, one in place of another. */
import type * as vscode from 'vscode';
import type { NewSessionOptions } from '../../api';
import type { Catalog } from '../../agent/catalog';
import { fault } from '../../core/model/failure';
import { needsYou } from '../../core/model/select';
import { setupIn } from '../../core/model/sessionSetup';
import type { PermissionService } from '../../permission/permissionService';
import type { Drafts } from '../../session/journal/drafts';
import type { JournalFiles } from '../../session/journal/journalFiles';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { Account } from '../auth/account';
import type { AgentOffers } from '../agents/agentOffers';
import type { readAgentSettings } from '../agents/agentSettings';
import type { PermissionPresentation } from '../permission/presentation';
import type { SessionHistoryCommands } from './sessionHistoryCommands';
import { withIcon } from '../shared/escape';
import { t } from '../shared/l10n';
import { chooseNewSession, chooseRoots, type NewSessionChoice } from './newSession';
import type { SessionPanels } from '../chat/panels';
import { isRunning } from './sessionRows';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface SessionCommandsDependencies extends Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState'> {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly journals: JournalFiles;
  readonly drafts: Drafts;
  readonly account: Account;
  readonly activity: UserActivity;
  readonly offers: AgentOffers;
  readonly permissions: PermissionService;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  agents(): { readonly catalog: Catalog; readonly settings: ReturnType<typeof readAgentSettings> };
}

/** Journals that ACP: Open Session… offers. */
const MAX_LISTED = 100;
/** UTF-16 units of an old conversation that a new session gets. */
const MAX_CONTINUED = 200_000;

export class SessionCommands {
  private loaded: Promise<SessionHistoryCommands> | undefined;

  constructor(private readonly ports: SessionCommandsDependencies) {}

  /** Asks for what `options` leaves open. */
  async create(options: NewSessionOptions = {}): Promise<Session | undefined> {
    const choice = await this.choose(options);
    return choice && this.start(choice);
  }

  /** One of those that run, or of the journals. */
  async open(): Promise<void> {
    const { sessions, journals, activity, panels } = this.ports;
    const past = (await journals.list(MAX_LISTED)).filter(({ key }) => !sessions.get(key));
    const fromAgent = { label: withIcon('history', t('Browse Agent History…')), alwaysShow: true, choice: 'agent' as const };
    const { chooseSession } = await import('./openSession');
    const choice = await chooseSession(sessions.all, past, activity, undefined, [fromAgent]);
    if (choice === 'agent') {
      return (await this.earlier()).openAgentSession();
    }
    const session = choice && ('session' in choice ? choice.session : await this.readBack(choice.journaled.key));
    if (session) {
      panels.open(session);
    }
  }

  /** The one of this key, which runs or is read back from its journal. */
  async openKept(key: string): Promise<void> {
    const session = this.ports.sessions.get(key) ?? (await this.readBack(key));
    if (session) {
      this.ports.panels.open(session);
    } else {
      void window.showWarningMessage(t('This session was deleted.'));
    }
  }

  /** What is done with sessions of before; loaded by the first who wants it. */
  earlier(): Promise<SessionHistoryCommands> {
    const { sessions, journals, activity, account, globalState, offers, panels, drafts } = this.ports;
    return (this.loaded ??= import('./sessionHistoryCommands').then(
      ({ SessionHistoryCommands: SessionHistoryCommands }) =>
        new SessionHistoryCommands({
          sessions,
          journals,
          activity,
          account,
          globalState,
          offers,
          catalog: () => this.ports.agents().catalog,
          active: () => panels.active,
          show: (session) => panels.open(session),
          readBack: (key) => this.readBack(key),
          forget: (key) => {
            panels.forget(key);
            drafts.forget(key);
          },
        }),
    ));
  }

  /** Goes to what waits for the user. */
  answerPermission(): void {
    const { sessions, panels, permissions, presentation } = this.ports;
    if (presentation.value !== 'card' && permissions.reopen()) {
      return;
    }
    const all = sessions.all.filter(({ store }) => needsYou(store.state));
    const waiting = all.find((session) => session === panels.active) ?? all[0];
    if (waiting) {
      panels.open(waiting, 'permission');
    } else {
      void window.showInformationMessage(t('No agent is waiting for an answer.'));
    }
  }

  /** The conversation of this journal, with its agent where there still is one. */
  async readBack(key: string): Promise<Session | undefined> {
    const { sessions, drafts, account } = this.ports;
    await drafts.load(key);
    const { entries } = this.ports.agents().catalog;
    const session = await sessions.restore(key, (agentName) => entries.find((entry) => entry.agentName === agentName)?.launch);
    if (session?.launch) {
      await account.load(session.launch);
    }
    return session;
  }

  /** The one in front, else one that is asked for. */
  async end(): Promise<void> {
    const { sessions, panels, activity } = this.ports;
    const live = sessions.all.filter(({ store }) => isRunning(store.state));
    const active = live.find((session) => session === panels.active);
    const choice = active
      ? { session: active }
      : await (await import('./openSession')).chooseSession(live, [], activity, t('Select the session to end'));
    if (choice && 'session' in choice) {
      await choice.session.end();
    }
  }

  /** A new session of the same agent knows nothing of the old one: the conversation goes along, for the user to keep or remove. */
  async continueInNew(session: Session): Promise<void> {
    const { drafts, panels } = this.ports;
    const entry = this.ports.agents().catalog.entries.find(({ agentName }) => agentName === session.agentName);
    if (!entry) {
      await this.create();
      return;
    }
    const next = await this.start({ launch: entry.launch, setup: session.setup });
    const draft = drafts.get(session.key);
    if (draft) {
      drafts.set(next.key, draft);
    }
    session.queue.moveTo(next.queue);
    const { toMarkdown } = await import('../../text/transcript/transcript');
    const text = toMarkdown(session.store.state, MAX_CONTINUED);
    if (text !== '') {
      panels.attach(next, [{ type: 'resource', uri: `acp-host:/${session.key}/conversation.md`, mimeType: 'text/markdown', text }]);
    }
  }

  private async choose({ agentName, folder }: NewSessionOptions): Promise<NewSessionChoice | undefined> {
    const { activity, globalState, workspaceState } = this.ports;
    if (agentName === undefined) {
      return chooseNewSession({ activity, agents: () => this.ports.agents(), globalState, workspaceState }, folder?.fsPath);
    }
    const entry = this.ports.agents().catalog.entries.find((candidate) => candidate.agentName === agentName);
    if (!entry) {
      throw fault('config.invalid', { entry: agentName, field: 'acpHost.agents' }, { message: `No agent is named ${agentName}.` });
    }
    const roots = await chooseRoots({ activity, globalState, workspaceState }, folder?.fsPath);
    return roots && { launch: entry.launch, setup: setupIn(roots) };
  }

  private async start({ launch, setup }: NewSessionChoice): Promise<Session> {
    const { account, panels, sessions } = this.ports;
    const session = sessions.prepare(launch, setup);
    // First what the user sees: VS Code makes the panel and its page while the agent is being started.
    panels.open(session);
    await account.load(launch);
    session.open();
    return session;
  }
}
