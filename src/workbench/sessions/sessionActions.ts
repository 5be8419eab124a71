/** What a user does with sessions that are there: opens one of a list, answers what waits, ends one. */
import type { Catalog } from '../../agent/catalog';
import type { Roots } from '../../core/model/ports';
import type { PermissionService } from '../../permission/permissionService';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { Account } from '../auth/account';
import type { SessionPanels } from '../chat/panels';
import type { OpenOptions } from '../chat/placement';
import type { PermissionPresentation } from '../permission/presentation';
import { type InertText, withIcon } from '../shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import type { NewSessionChoice, StartOptions } from './newSession';
import { chooseSession, journaledSessions } from './openSession';
import type { SessionHandover } from './sessionHandover';
import type { SessionHistoryCommands } from './sessionHistoryCommands';
import { isRunning, nextNeeding } from './overview';

export interface SessionActionsDependencies {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly account: Account;
  readonly activity: UserActivity;
  readonly permissions: PermissionService;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  agents(): { readonly catalog: Catalog };
}

/** How sessions come: see `sessionCommands.ts`. */
export interface SessionSource {
  create(): Promise<Session | undefined>;
  start(choice: NewSessionChoice, options?: OpenOptions, start?: StartOptions): Promise<Session>;
  earlier(): Promise<SessionHistoryCommands>;
  readBack(key: string, force?: boolean): Promise<Session | undefined>;
  chooseFolder(): Promise<Roots | undefined>;
}

export class SessionActions {
  private loaded: Promise<SessionHandover> | undefined;

  constructor(
    private readonly ports: SessionActionsDependencies,
    private readonly source: SessionSource,
  ) {}

  /** One of those that run, or of the journals. */
  async open(): Promise<void> {
    const { sessions, journals, activity } = this.ports;
    const past = await journaledSessions(journals, sessions);
    const fromAgent = { label: withIcon('history', t('Browse Agent History…')), alwaysShow: true, choice: 'agent' as const };
    const choice = await chooseSession(sessions.all, past, activity, undefined, [fromAgent]);
    if (choice === 'agent') {
      return (await this.source.earlier()).openAgentSession();
    }
    const key = choice && ('session' in choice ? choice.session.key : choice.journaled.key);
    const session = key === undefined ? undefined : await this.source.readBack(key);
    if (session) {
      this.show(session);
    }
  }

  /** The one of this key, which runs or is read back from its journal. */
  async openKept(key: string, options?: OpenOptions): Promise<Session | undefined> {
    const session = await this.read(key);
    if (session) {
      this.show(session, options);
    }
    return session;
  }

  /** As {@link openKept}, without showing it; one that is gone is told of. */
  async read(key: string): Promise<Session | undefined> {
    const session = await this.source.readBack(key);
    if (!session) {
      void window.showWarningMessage(t('This session was deleted.'));
    }
    return session;
  }

  /** One that is open or kept, as the user chooses. */
  async choose(placeHolder: InertText): Promise<Session | undefined> {
    const { sessions, journals, activity } = this.ports;
    const past = await journaledSessions(journals, sessions);
    const choice = await chooseSession(sessions.all, past, activity, placeHolder);
    return choice && ('session' in choice ? choice.session : this.source.readBack(choice.journaled.key));
  }

  /** One that another window has: from here on it is this one's. */
  async continueHere({ key }: Session): Promise<void> {
    const session = await this.source.readBack(key, true);
    if (session) {
      this.show(session);
    }
  }

  /** In its panel; one that shows what it was in another window is made anew. */
  private show(session: Session, options?: OpenOptions): void {
    const { panels, sessions } = this.ports;
    if (panels.sessionOf(session.key) !== session && sessions.get(session.key) === session) {
      panels.forget(session.key);
    }
    panels.open(session, 'composer', options);
  }

  /** Goes to what waits for the user: in the session in front, or else where the user was asked last. */
  answerPermission(): void {
    const { sessions, panels, permissions, presentation } = this.ports;
    if (presentation.value !== 'card' && permissions.reopen()) {
      return;
    }
    const waiting = nextNeeding(sessions.all, panels.isVisible(panels.activeKey ?? '') ? panels.activeKey : undefined);
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

  /** Where it goes on elsewhere, and starting its agent again; loaded by the first of them. */
  handover(): Promise<SessionHandover> {
    return (this.loaded ??= import('./sessionHandover').then(({ SessionHandover }) => new SessionHandover(this.ports, this.source)));
  }
}
