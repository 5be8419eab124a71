/** **ACP: Open Agent Session…**, **ACP: Delete Session…** and **ACP: Change Session Folders…**: sessions of other times and other windows. */
import * as vscode from 'vscode';
import os from 'node:os';
import path from 'node:path';
import type { Catalog, CatalogEntry } from '../agent/catalog';
import type { ListedSession } from '../acp/dialect';
import { failureOf, fault } from '../core/failure';
import type { AgentLaunch } from '../core/ports';
import { titleOf } from '../core/select';
import type { AgentSessions } from '../session/agentSessions';
import type { JournalFiles } from '../session/journalFiles';
import type { JournalSummary } from '../session/journalSummary';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import type { Account } from './account';
import type { AgentOffers } from './agentOffers';
import { agentRows } from './agentRows';
import { pickAgentSession } from './agentSessionPick';
import { visible } from './escape';
import { changeFurtherFolders, consentToFolders, workspaceFolders } from './furtherFolders';
import { t } from './l10n';
import { chooseSession, type SessionChoice } from './openSession';
import { isRunning } from './sessionRows';
import { chooseMethod } from './signInPick';
import type { UserActivity } from './userActivity';
import { failureText } from './words';

export interface EarlierSessionsPorts {
  readonly sessions: Sessions;
  readonly journals: JournalFiles;
  readonly activity: UserActivity;
  readonly account: Account;
  readonly offers: AgentOffers;
  /** Read at each use: settings change. */
  catalog(): Catalog;
  /** The session in front. */
  active(): Session | undefined;
  show(session: Session): void;
  /** The conversation of this journal, live from then on. */
  readBack(key: string): Promise<Session | undefined>;
  /** Panel and draft go. */
  forget(key: string): void;
}

const MAX_NAME = 80;
const MAX_TITLE = 100;
/** Journals among which the one of a session is looked for. */
const MAX_JOURNALS = 5000;
/** Journals that are offered for deletion. */
const MAX_LISTED = 500;

export class EarlierSessions {
  constructor(private readonly ports: EarlierSessionsPorts) {}

  /** One of those that an agent keeps, be they from here or from elsewhere. */
  async openAgentSession(): Promise<void> {
    const entry = await this.chooseAgent();
    if (!entry) {
      return;
    }
    const { launch } = entry;
    let asking = 0;
    const agent = await this.agentOf(launch, (question) => {
      asking++;
      return question().finally(() => asking--);
    });
    try {
      const folders = workspaceFolders();
      const pages = agent.pages(folders);
      const chosen = await this.ports.activity.during(() =>
        pickAgentSession({
          agentName: launch.agentName,
          folders,
          open: () => this.openIds(launch.agentName),
          more: () => pages.next(),
          done: () => pages.done,
          interrupted: () => asking > 0,
          remove: (listed) => this.deleteListed(agent, listed),
          offersRemove: () => this.ports.offers.of(launch.agentName)?.delete === true,
        }),
      );
      if (chosen) {
        await this.open(launch, chosen);
      }
    } finally {
      // Whoever was opened has joined the agent by now, which so goes on.
      agent.dispose();
    }
  }

  /** The session in front, or one that the user chooses: at the agent where that offers it, and here. */
  async deleteSession(): Promise<void> {
    const { sessions, journals, activity } = this.ports;
    const active = this.ports.active();
    const past = active ? [] : (await journals.list(MAX_LISTED)).filter(({ key }) => !sessions.get(key));
    const choice: SessionChoice | undefined = active ? { session: active } : await chooseSession(sessions.all, past, activity, t('Choose the session to delete'));
    if (choice) {
      await this.delete('session' in choice ? summaryOf(choice.session) : choice.journaled);
    }
  }

  /** Other folders for the session in front, or for one that the user chooses. */
  async changeFolders(): Promise<void> {
    const running = this.ports.sessions.all.filter(({ store }) => isRunning(store.state));
    const active = running.find((session) => session === this.ports.active());
    const choice = active ? { session: active } : await chooseSession(running, [], this.ports.activity);
    if (!choice || !('session' in choice)) {
      return;
    }
    const { session } = choice;
    const { load, resume, additionalDirectories } = session.store.state.offers;
    if (!additionalDirectories || !(load || resume)) {
      void vscode.window.showInformationMessage(failureText({ code: 'session.folders_fixed' }, t));
      return;
    }
    const folders = await changeFurtherFolders(this.ports.activity, session.roots);
    const failure = folders && session.changeFolders(folders);
    if (failure) {
      void vscode.window.showWarningMessage(failureText(failure, t));
    }
  }

  private async open(launch: AgentLaunch, { sessionId, cwd, title, updatedAt, additionalDirectories = [] }: ListedSession): Promise<void> {
    const { sessions, show } = this.ports;
    const { agentName } = launch;
    const known = sessions.find(agentName, sessionId) ?? (await this.readBack(agentName, sessionId));
    if (known) {
      show(known);
      if (!isRunning(known.store.state)) {
        known.resume();
      }
      return;
    }
    if (!path.isAbsolute(cwd)) {
      throw fault('fs.not_absolute', { path: cwd });
    }
    const roots = { cwd, additionalDirectories: additionalDirectories.filter((folder) => path.isAbsolute(folder)) };
    if (await consentToFolders(agentName, roots)) {
      show(sessions.create(launch, roots, { sessionId, ...(title !== undefined && { title }), ...(updatedAt !== undefined && { updatedAt }) }));
    }
  }

  /** The conversation whose journal says that it is this session. */
  private async readBack(agentName: string, sessionId: string): Promise<Session | undefined> {
    const journal = (await this.journalsOf(agentName)).find((each) => each.sessionId === sessionId);
    return journal && this.ports.readBack(journal.key);
  }

  /** The agent's ids of those that run. */
  private openIds(agentName: string): ReadonlySet<string> {
    const own = this.ports.sessions.all.filter((session) => session.agentName === agentName && isRunning(session.store.state));
    return new Set(own.flatMap(({ store }) => store.state.sessionId ?? []));
  }

  private async journalsOf(agentName: string): Promise<JournalSummary[]> {
    return (await this.ports.journals.list(MAX_JOURNALS)).filter((journal) => journal.agentName === agentName);
  }

  /** From the list: the agent's, and our record of it. */
  private async deleteListed(agent: AgentSessions, { sessionId, title }: ListedSession): Promise<boolean> {
    const { agentName } = agent.launch;
    const records = (await this.journalsOf(agentName)).filter((journal) => journal.sessionId === sessionId);
    if (!(await confirm(title || sessionId, agentName, true))) {
      return false;
    }
    await agent.delete(sessionId);
    await Promise.all(records.map(({ key }) => this.removeRecord(key)));
    return true;
  }

  private async delete({ key, agentName, cwd, title, sessionId }: JournalSummary): Promise<void> {
    const session = this.ports.sessions.get(key);
    const launch = session?.launch ?? this.ports.catalog().entries.find((entry) => entry.agentName === agentName)?.launch;
    const offers = session?.store.state.offers ?? this.ports.offers.of(agentName);
    const atAgent = launch !== undefined && sessionId !== undefined && (offers?.delete ?? false);
    if (!(await confirm(title || agentName, agentName, atAgent))) {
      return;
    }
    if (atAgent && !(await this.deleteAtAgent(launch, cwd, sessionId, session))) {
      return;
    }
    await session?.end();
    await this.removeRecord(key);
  }

  /** False when it failed and the record shall stay, too. */
  private async deleteAtAgent(launch: AgentLaunch, cwd: string, sessionId: string, session: Session | undefined): Promise<boolean> {
    const agent = await this.agentOf(launch, (question) => question(), cwd);
    const options = { location: vscode.ProgressLocation.Notification, title: t('Deleting a session of {agent}', { agent: visible(launch.agentName, MAX_NAME) }), cancellable: true };
    try {
      await vscode.window.withProgress(options, async (_progress, token) => {
        token.onCancellationRequested(() => agent.dispose());
        // Joined before the session leaves it: the same process is asked.
        await agent.offers();
        await session?.end();
        await agent.delete(sessionId);
      });
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'request.cancelled') {
        return false;
      }
      const recordOnly = t('Delete Record Only');
      return (await vscode.window.showErrorMessage(failureText(failure, t), recordOnly)) === recordOnly;
    } finally {
      agent.dispose();
    }
  }

  private async removeRecord(key: string): Promise<void> {
    this.ports.forget(key);
    await this.ports.sessions.remove(key);
  }

  /** @param during runs each question to the user */
  private async agentOf(launch: AgentLaunch, during: <T>(question: () => Promise<T>) => Promise<T>, cwd = workspaceFolders()[0] ?? os.homedir()): Promise<AgentSessions> {
    await this.ports.account.load(launch.agentName);
    const { activity, sessions } = this.ports;
    return sessions.agentSessions(launch, cwd, (agentName, methods, failure) => during(() => chooseMethod(activity, agentName, methods, failure)));
  }

  /** Those that are known to list nothing come last, and are asked all the same: an agent may have learned it meanwhile. */
  private async chooseAgent(): Promise<CatalogEntry | undefined> {
    const { offers, activity } = this.ports;
    const { entries } = this.ports.catalog();
    const lists = ({ agentName }: CatalogEntry): boolean => offers.of(agentName)?.list !== false;
    const rows = [
      ...agentRows(entries.filter(lists), undefined, t),
      ...entries.filter((entry) => !lists(entry)).map((entry) => ({ label: visible(entry.agentName, MAX_NAME), description: t('did not list its sessions the last time'), entry })),
    ].map((row) => ('separator' in row ? { label: row.separator, kind: vscode.QuickPickItemKind.Separator } : row));
    const options = { title: t('Open Agent Session'), placeHolder: t('Choose an agent'), matchOnDescription: true, ignoreFocusOut: true };
    const chosen: vscode.QuickPickItem & { entry?: CatalogEntry } | undefined = await activity.during(() => vscode.window.showQuickPick(rows, options));
    return chosen?.entry;
  }
}

function summaryOf({ key, agentName, roots, store }: Session): JournalSummary {
  const { sessionId } = store.state;
  return { key, agentName, cwd: roots.cwd, createdAt: 0, title: titleOf(store.state), ...(sessionId !== undefined && { sessionId }) };
}

/** A deletion cannot be taken back. */
async function confirm(title: string, agentName: string, atAgent: boolean): Promise<boolean> {
  const agent = visible(agentName, MAX_NAME);
  const message = t('Delete “{title}”?', { title: visible(title, MAX_TITLE) });
  const detail = atAgent
    ? t('{agent} lists the session no more; what it has stored may remain. The record in VS Code is deleted.', { agent })
    : t('{agent} does not offer to delete its sessions: only the record in VS Code is deleted.', { agent });
  const yes = t('Delete');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}
