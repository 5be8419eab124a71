/** The actions on existing sessions: opening one from a list, answering a waiting request, ending one. */
import type { Catalog } from '../../agent/catalog';
import type { Roots } from '../../core/model/roots';
import { isRunning } from '../../core/model/select';
import type { PermissionPromptQueue } from '../../session/permission/promptQueue';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { Account } from '../signIn/account';
import { lazy } from '../../util/lazy';
import type { SessionPanels } from '../chat/panels';
import type { OpenOptions } from '../../application/chat/placement';
import type { PermissionPresentation } from '../permission/presentation';
import { type InertText, withIcon } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import type { NewSessionChoice, StartOptions } from './newSession';
import { chooseSession, journaledSessions } from './openSession';
import type { SessionHistoryCommands } from './sessionHistoryCommands';
import { nextNeeding } from '../../application/sessions/overview';

export interface SessionActionsDependencies {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly account: Account;
  readonly activity: UserActivity;
  readonly permissions: PermissionPromptQueue;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  agents(): { readonly catalog: Catalog };
}

/** Creates and restores sessions: see `sessionCommands.ts`. */
export interface SessionSource {
  create(): Promise<Session | undefined>;
  start(choice: NewSessionChoice, options?: OpenOptions, start?: StartOptions): Promise<Session>;
  history(): Promise<SessionHistoryCommands>;
  readBack(key: string, force?: boolean): Promise<Session | undefined>;
  chooseFolder(): Promise<Roots | undefined>;
}

export class SessionActions {
  /** Continues sessions elsewhere and restarts agents. Loaded on first use. */
  readonly handover = lazy(async () => new (await import('./sessionHandover')).SessionHandover(this.deps, this.source));

  constructor(
    private readonly deps: SessionActionsDependencies,
    private readonly source: SessionSource,
  ) {}

  /** Asks for a running or a stored session and shows it. */
  async open(): Promise<void> {
    const { sessions, journals, activity } = this.deps;
    const past = await journaledSessions(journals, sessions);
    const fromAgent = { label: withIcon('history', t('Browse Agent History…')), alwaysShow: true, choice: 'agent' as const };
    const choice = await chooseSession(sessions.all, past, activity, undefined, [fromAgent]);
    if (choice === 'agent') {
      return (await this.source.history()).openAgentSession();
    }
    const key = choice && ('session' in choice ? choice.session.key : choice.journaled.key);
    const session = key === undefined ? undefined : await this.source.readBack(key);
    if (session) {
      this.show(session);
    }
  }

  /** Shows the session with this key. Restores it from its journal if necessary. */
  async openKept(key: string, options?: OpenOptions): Promise<Session | undefined> {
    const session = await this.read(key);
    if (session) {
      this.show(session, options);
    }
    return session;
  }

  /** Like {@link openKept}, without showing the session. Warns when the session was deleted. */
  async read(key: string): Promise<Session | undefined> {
    const session = await this.source.readBack(key);
    if (!session) {
      void window.showWarningMessage(t('This session was deleted.'));
    }
    return session;
  }

  /** Asks for an open or a stored session. */
  async choose(placeHolder: InertText): Promise<Session | undefined> {
    const { sessions, journals, activity } = this.deps;
    const past = await journaledSessions(journals, sessions);
    const choice = await chooseSession(sessions.all, past, activity, placeHolder);
    return choice && ('session' in choice ? choice.session : this.source.readBack(choice.journaled.key));
  }

  /** Takes over a session that another window has open. */
  async continueHere({ key }: Session): Promise<void> {
    const session = await this.source.readBack(key, true);
    if (session) {
      this.show(session);
    }
  }

  /** Shows the session in its panel. A panel with an earlier object of the same session is closed and opened again. */
  private show(session: Session, options?: OpenOptions): void {
    const { panels, sessions } = this.deps;
    if (panels.sessionOf(session.key) !== session && sessions.get(session.key) === session) {
      panels.forget(session.key);
    }
    panels.open(session, 'composer', options);
  }

  /** Focuses the request that waits for the user: that of the session in front, or else the newest. */
  answerPermission(): void {
    const { sessions, panels, permissions, presentation } = this.deps;
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

  /** Ends the session in front, or else one that the user chooses. */
  async end(): Promise<void> {
    const { sessions, panels, activity } = this.deps;
    const live = sessions.all.filter(({ store }) => isRunning(store.state));
    const active = live.find((session) => session === panels.active);
    const choice = active ? { session: active } : await chooseSession(live, [], activity, t('Select the session to end'));
    if (choice && 'session' in choice) {
      await choice.session.end();
    }
  }
}
