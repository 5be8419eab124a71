/** **ACP: Delete Session…**, and deleting from an agent's list. Deletes our record, and the agent's own session if the agent supports it. */
import * as vscode from 'vscode';
import type { Catalog } from '../../agent/catalog';
import type { ListedSession } from '../../acp/dialect';
import { agentOf } from '../../core/agents/agentIds';
import { failureOf } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { RemoteSessions } from '../../session/agent/remoteSessions';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { CapabilityCache } from '../agents/capabilityCache';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { chooseSession, journaledSessions, type SessionChoice } from './openSession';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { failureText } from '../../application/shared/failureText';
import { sessionTitle } from '../../text/transcript/sessionTitle';

export interface SessionDeletionDependencies {
  readonly sessions: Sessions;
  readonly journals: SessionStorage;
  readonly activity: UserActivity;
  readonly capabilityCache: CapabilityCache;
  /** Read at each use, because settings change. */
  catalog(): Catalog;
  /** The session in front. */
  active(): Session | undefined;
  /** Closes the panel and deletes the draft. */
  forget(key: string): void;
  /** The caller must dispose the result. */
  agentOf(launch: AgentLaunch, cwd: string): Promise<RemoteSessions>;
}

/** A session to delete. */
export type DeletedSession = Pick<JournalSummary, 'key' | 'agentId' | 'agentName' | 'cwd' | 'title' | 'sessionId'>;

const MAX_NAME = 80;
const MAX_TITLE = 100;
/** The number of journals that are offered for deletion. */
const MAX_LISTED = 500;
/** A delay in ms. Processes of the agent may still write after the answer to `session/close`, and so restore what has been deleted. */
const FINAL_WRITE_MS = 1000;

export class SessionDeletion {
  constructor(private readonly deps: SessionDeletionDependencies) {}

  /** Deletes the session in front, or one that the user chooses, here and at the agent if it supports that. */
  async deleteSession(): Promise<void> {
    const { sessions, journals, activity } = this.deps;
    const active = this.deps.active();
    const past = active ? [] : await journaledSessions(journals, sessions, MAX_LISTED);
    const choice: SessionChoice | undefined = active
      ? { session: active }
      : await chooseSession(sessions.all, past, activity, t('Select the session to delete'));
    if (choice) {
      await this.delete('session' in choice ? summaryOf(choice.session) : choice.journaled);
    }
  }

  /** Deletes a session from the agent's list, and our record of it. Resolves to false when the user declines. @throws Fault */
  async deleteListed(agent: RemoteSessions, { sessionId, title }: ListedSession): Promise<boolean> {
    const { agentName } = agent.launch;
    const records = await this.deps.journals.find(agent.launch, sessionId);
    if (!(await confirm(title || sessionId, agentName, true))) {
      return false;
    }
    await agent.delete(sessionId);
    await Promise.all(records.map(({ key }) => this.removeRecord(key)));
    return true;
  }

  /** Deletes the agent's session and our record, as far as they exist. */
  async delete({ key, agentId, agentName, cwd, title, sessionId }: DeletedSession): Promise<void> {
    const session = this.deps.sessions.get(key);
    const launch = session?.launch ?? agentOf(this.deps.catalog().entries, { agentId, agentName })?.launch;
    const capabilities = session?.store.state.capabilities ?? (launch && this.deps.capabilityCache.of(launch));
    const atAgent = launch !== undefined && sessionId !== undefined && (capabilities?.delete ?? false);
    if (!(await confirm(title || agentName, agentName, atAgent))) {
      return;
    }
    if (atAgent && !(await this.deleteAtAgent(launch, cwd, sessionId, session))) {
      return;
    }
    await session?.end();
    await this.removeRecord(key);
  }

  /** Resolves to false when the deletion failed and the record must stay too. */
  private async deleteAtAgent(launch: AgentLaunch, cwd: string, sessionId: string, session: Session | undefined): Promise<boolean> {
    const agent = await this.deps.agentOf(launch, cwd);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: t('Deleting a session from {agent}', { agent: inertLine(launch.agentName, MAX_NAME) }),
      cancellable: true,
    };
    try {
      await window.withProgress(options, async (_progress, token) => {
        token.onCancellationRequested(() => agent.dispose());
        // Connects before the session ends, so that the same agent process is used.
        await agent.capabilities();
        const status = session?.store.state.status;
        await session?.end();
        if (status === 'ready') {
          await new Promise((resolve) => setTimeout(resolve, FINAL_WRITE_MS));
        }
        await agent.delete(sessionId);
      });
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'request.cancelled') {
        return false;
      }
      const recordOnly = t('Delete from VS Code Only');
      return (await window.showErrorMessage(failureText(failure, t), recordOnly)) === recordOnly;
    } finally {
      agent.dispose();
    }
  }

  private async removeRecord(key: string): Promise<void> {
    this.deps.forget(key);
    await this.deps.sessions.remove(key);
  }
}

function summaryOf({ key, agentId, agentName, roots, store }: Session): DeletedSession {
  const { sessionId } = store.state;
  return { key, agentId, agentName, cwd: roots.cwd, title: sessionTitle(store.state), ...(sessionId !== undefined && { sessionId }) };
}

/** Asks for confirmation, because a deletion cannot be undone. */
async function confirm(title: string, agentName: string, atAgent: boolean): Promise<boolean> {
  const agent = inertLine(agentName, MAX_NAME);
  const message = t('Delete "{title}"?', { title: inertLine(title, MAX_TITLE) });
  const detail = atAgent
    ? t('The copy in VS Code will be deleted and {agent} will no longer list the session. {agent} may still keep its data.', { agent })
    : t("Only the copy in VS Code will be deleted. {agent} can't delete its own.", { agent });
  const yes = t('Delete');
  return (await window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}
