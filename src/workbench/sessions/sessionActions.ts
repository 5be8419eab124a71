/** What a user does with sessions that are there: opens one of a list, answers what waits, ends one, goes on in a new one. */
import type { Catalog } from '../../agent/catalog';
import { needsYou } from '../../core/model/select';
import type { PermissionService } from '../../permission/permissionService';
import type { Drafts } from '../../session/journal/drafts';
import type { JournalFiles } from '../../session/journal/journalFiles';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { toMarkdown } from '../../text/transcript/transcript';
import type { SessionPanels } from '../chat/panels';
import type { OpenOptions } from '../chat/placement';
import type { PermissionPresentation } from '../permission/presentation';
import { withIcon } from '../shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import type { NewSessionChoice } from './newSession';
import { chooseSession } from './openSession';
import type { SessionHistoryCommands } from './sessionHistoryCommands';
import { isRunning } from './overview';

export interface SessionActionsDependencies {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly journals: JournalFiles;
  readonly drafts: Drafts;
  readonly activity: UserActivity;
  readonly permissions: PermissionService;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  agents(): { readonly catalog: Catalog };
}

/** How sessions come: see `sessionCommands.ts`. */
export interface SessionSource {
  create(): Promise<Session | undefined>;
  start(choice: NewSessionChoice): Promise<Session>;
  earlier(): Promise<SessionHistoryCommands>;
  readBack(key: string): Promise<Session | undefined>;
}

/** Journals that ACP: Open Session… offers. */
const MAX_LISTED = 100;
/** UTF-16 units of an old conversation that a new session gets. */
const MAX_CONTINUED = 200_000;

export class SessionActions {
  constructor(
    private readonly ports: SessionActionsDependencies,
    private readonly source: SessionSource,
  ) {}

  /** One of those that run, or of the journals. */
  async open(): Promise<void> {
    const { sessions, journals, activity, panels } = this.ports;
    const past = (await journals.list(MAX_LISTED)).filter(({ key }) => !sessions.get(key));
    const fromAgent = { label: withIcon('history', t('Browse Agent History…')), alwaysShow: true, choice: 'agent' as const };
    const choice = await chooseSession(sessions.all, past, activity, undefined, [fromAgent]);
    if (choice === 'agent') {
      return (await this.source.earlier()).openAgentSession();
    }
    const session = choice && ('session' in choice ? choice.session : await this.source.readBack(choice.journaled.key));
    if (session) {
      panels.open(session);
    }
  }

  /** The one of this key, which runs or is read back from its journal. */
  async openKept(key: string, options?: OpenOptions): Promise<void> {
    const session = this.ports.sessions.get(key) ?? (await this.source.readBack(key));
    if (session) {
      this.ports.panels.open(session, 'composer', options);
    } else {
      void window.showWarningMessage(t('This session was deleted.'));
    }
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

  /** The one in front, else one that is asked for. */
  async end(): Promise<void> {
    const { sessions, panels, activity } = this.ports;
    const live = sessions.all.filter(({ store }) => isRunning(store.state));
    const active = live.find((session) => session === panels.active);
    const choice = active ? { session: active } : await chooseSession(live, [], activity, t('Select the session to end'));
    if (choice && 'session' in choice) {
      await choice.session.end();
    }
  }

  /** A new session of the same agent knows nothing of the old one: the conversation goes along, for the user to keep or remove. */
  async continueInNew(session: Session): Promise<void> {
    const { drafts, panels } = this.ports;
    const entry = this.ports.agents().catalog.entries.find(({ agentName }) => agentName === session.agentName);
    if (!entry) {
      await this.source.create();
      return;
    }
    const next = await this.source.start({ launch: entry.launch, setup: session.setup });
    const draft = drafts.get(session.key);
    if (draft) {
      drafts.set(next.key, draft);
    }
    session.queue.moveTo(next.queue);
    const text = toMarkdown(session.store.state, MAX_CONTINUED);
    if (text !== '') {
      panels.attach(next, [{ type: 'resource', uri: `acp-host:/${session.key}/conversation.md`, mimeType: 'text/markdown', text }]);
    }
  }
}
