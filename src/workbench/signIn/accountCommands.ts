/** **ACP: Sign In…**, **ACP: Sign Out** and **ACP: Clear Saved Credentials…**. */
import { type AgentIdentity, agentWithId } from '../../core/agents/agentIds';
import { showsSignIn } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { Session } from '../../session/session';
import type { Account } from './account';
import { type InertText, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { sessionRow } from '../../application/shared/sessionRows';
import { chooseMethod } from './signInPick';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface AccountCommandDependencies {
  readonly account: Account;
  readonly activity: UserActivity;
  /** Returns the agents that the user can start. */
  agents(): readonly AgentIdentity[];
  /** Returns the sessions of this window, oldest first. */
  sessions(): readonly Session[];
  /** The session in front. */
  active(): Session | undefined;
  show(session: Session): void;
}

const MAX_NAME = 80;

export class AccountCommands {
  constructor(private readonly deps: AccountCommandDependencies) {}

  /**
   * Signs in to the agent of the chosen session.
   * @param agentId only sessions of this agent count
   * @returns false when there is no such session. It is said only without `agentId`
   */
  async signIn(agentId?: string): Promise<boolean> {
    const sessions = this.fitting(canSignIn, agentId);
    if (sessions.length === 0) {
      void (agentId === undefined && window.showInformationMessage(t('No agent supports signing in.')));
      return false;
    }
    const session = await this.choose(sessions);
    if (session) {
      await this.signInTo(session);
    }
    return true;
  }

  async signInTo(session: Session): Promise<void> {
    const { agentName, store } = session;
    const isRunning = store.state.signIn?.status === 'running';
    const method = isRunning
      ? undefined
      : await chooseMethod(this.deps.activity, agentName, store.state.authMethods, store.state.signIn?.failure);
    if (isRunning || method) {
      this.deps.show(session);
    }
    if (method) {
      session.signIn(method.methodId);
    }
  }

  /** @param agentId only sessions of this agent count */
  async signOut(agentId?: string): Promise<void> {
    const sessions = this.fitting(canSignOut, agentId);
    if (sessions.length === 0) {
      void window.showInformationMessage(
        agentId === undefined
          ? t('No agent supports signing out.')
          : t('No running session of {agent} can sign out. Start one, then sign out.', { agent: this.nameOf(agentId) }),
      );
      return;
    }
    (await this.choose(sessions))?.signOut();
  }

  /** Deletes the saved values of the agent with this id, or of the agent that the user chooses. */
  async forget(agentId?: string): Promise<void> {
    const { account, activity } = this.deps;
    const [endpoints, secrets] = await Promise.all([account.endpoints(), account.signInSecrets()]);
    const storedIds = [...new Set([...account.agentsWithValues, ...endpoints.agents, ...secrets.agents])];
    if (storedIds.length === 0) {
      void window.showInformationMessage(t('No saved credentials.'));
      return;
    }
    const known = this.deps.agents();
    const agentOf = (storedId: string) => agentWithId(known, storedId) ?? { agentId: storedId, agentName: storedId };
    const agents = [...new Set(storedIds.map(agentOf))];
    const rows = agents.map((agent) => {
      const hasTwin = agents.some(({ agentId: id, agentName }) => agentName === agent.agentName && id !== agent.agentId);
      return { label: inertLine(agent.agentName, MAX_NAME), ...(hasTwin && { description: inertLine(agent.agentId, MAX_NAME) }), agent };
    });
    const placeHolder = t('Select an agent');
    const chosen =
      agentId === undefined ? (await activity.during(() => window.showQuickPick(rows, { placeHolder })))?.agent : agentOf(agentId);
    if (chosen !== undefined) {
      await account.forget(chosen);
      await endpoints.forget(chosen);
      await secrets.forget(chosen);
      const agent = inertLine(chosen.agentName, MAX_NAME);
      void window.showInformationMessage(t('Cleared saved credentials for {agent}. A running agent keeps them until it exits.', { agent }));
    }
  }

  private fitting(fits: (state: SessionState) => boolean, agentId: string | undefined): readonly Session[] {
    return this.deps.sessions().filter((each) => (agentId === undefined || each.agentId === agentId) && fits(each.store.state));
  }

  private nameOf(agentId: string): InertText {
    return inertLine(agentWithId(this.deps.agents(), agentId)?.agentName ?? agentId, MAX_NAME);
  }

  /** Returns the session in front, the only session, or the one that the user chooses. */
  private async choose(sessions: readonly Session[]): Promise<Session | undefined> {
    const { activity } = this.deps;
    const [only] = sessions;
    const active = this.deps.active();
    if (sessions.length === 1 || (active && sessions.includes(active))) {
      return sessions.length === 1 ? only : active;
    }
    const rows = sessions.map((session) => ({ ...sessionRow(session.store.state, t), session })).reverse();
    return (await activity.during(() => window.showQuickPick(rows, { placeHolder: t('Select a session') })))?.session;
  }
}

function canSignIn({ status, authMethods }: SessionState): boolean {
  return status !== 'ended' && authMethods.length > 0;
}

function canSignOut(state: SessionState): boolean {
  return state.status === 'ready' && state.capabilities.logout && !showsSignIn(state);
}
