/** The commands of the sessions view. They act on a row or, from the palette, on the session in front or one that the user chooses. */
import * as vscode from 'vscode';
import { failureOf } from '../../core/model/failure';
import { isRunning } from '../../core/model/select';
import type { Clock } from '../../core/platform/clock';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import type { SessionPanels } from '../chat/panels';
import type { SessionActions } from '../sessions/sessionActions';
import type { SessionHistoryCommands } from '../sessions/sessionHistoryCommands';
import type { InertText } from '../../application/shared/escape';
import { settings, treeViews } from '../../application/shared/ids';
import type { SessionCommandName } from '../../application/shared/sessionCommandIds';
import { t } from '../shared/l10n';
import { showFailure } from '../shared/showFailure';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import type { AgentLists } from '../../application/sessionsView/agentLists';
import type { Attention } from './attention';
import { FocusArrival } from './focusArrival';
import type { SessionFacts } from '../../application/sessionsView/sessionFacts';
import type { Row, SessionsView } from './sessionsView';
import type { GroupBy } from '../../application/sessionsView/tree';

/** The part of a session that commands need. */
type Target = Pick<SessionFacts, 'key' | 'sessionId' | 'title' | 'agentId' | 'agentName' | 'cwd' | 'listed'>;

export interface SessionViewCommandsDependencies {
  readonly clock: Clock;
  readonly activity: Pick<UserActivity, 'during' | 'focus' | 'onDidChange' | 'sightOf'>;
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly view: SessionsView;
  readonly attention: Attention;
  readonly agents: AgentLists;
  actions(): Promise<SessionActions>;
  earlier(): Promise<SessionHistoryCommands>;
  exportSession(session: Session): Promise<void>;
  /** Starts a session like **ACP: New Session**, in one of these ways. */
  newSession(how: 'last' | 'with' | 'demo' | 'folder', folder?: vscode.Uri): Promise<unknown>;
  search(): Promise<void>;
  /** The selected row of the view. */
  selected(): Row | undefined;
}

/** The arguments of the view's own keybindings: the selected row, or the row with the focus. */
const SELECTED = 'selected';
const FOCUSED = 'focused';
/** Replaces a row that VS Code did not pass because it was fetching the rows again. */
const LOST = 'lost';
/** The suffix of commands on a row's button. Unlike a menu, a button does not give its row the focus. */
const BUTTON = 'Button';
/** The maximum time in ms between the clicks of a double click. */
const DOUBLE_CLICK_MS = 500;
const MAX_TITLE = 200;

export class SessionViewCommands {
  /** True when the view's find hides rows that do not match. */
  private filters = false;
  private readonly arrival: FocusArrival;
  private lastClick: { readonly id: string; readonly at: number } | undefined;

  constructor(private readonly deps: SessionViewCommandsDependencies) {
    this.arrival = new FocusArrival(deps.clock, deps.activity);
  }

  async run(name: SessionCommandName, args: readonly unknown[]): Promise<unknown> {
    const first = await this.rowIn(name, args);
    switch (name) {
      case 'openSessionRow':
        return this.openRow(first);
      case 'openSessionToSide':
        return this.withKept(first, (key) => this.open(key, { beside: true }));
      case 'renameSession':
        return this.rename(first);
      case 'stopSession':
      case 'stopSessionButton':
        return this.withLive(first, (session) => session.cancel());
      case 'pinSession':
      case 'pinSessionButton':
        return this.mark(first, { pinned: true });
      case 'unpinSession':
      case 'unpinSessionButton':
        return this.mark(first, { pinned: undefined });
      case 'archiveSession':
      case 'archiveSessionButton':
        return this.archive(first, true);
      case 'unarchiveSession':
      case 'unarchiveSessionButton':
        return this.archive(first, false);
      case 'markSessionRead':
        return this.mark(first, { seenAt: Date.now() });
      case 'markSessionUnread':
        return this.withKept(first, (key) => this.deps.attention.seen.markUnread(key));
      case 'copySessionId':
        return this.with(first, ({ sessionId, key }) => vscode.env.clipboard.writeText(sessionId ?? key ?? ''));
      case 'revealSessionFolder':
        return this.with(first, async ({ cwd }) => (await import('../links/revealFolder')).revealFolder(cwd));
      case 'exportSession':
        return this.withKept(first, async (key) => {
          const session = await (await this.deps.actions()).read(key);
          return session && this.deps.exportSession(session);
        });
      case 'refreshSessions':
        this.deps.agents.forget();
        return this.deps.view.model.reload();
      case 'filterSessions':
        return this.filter();
      case 'searchSessions':
        return this.deps.search();
      case 'groupSessionsByState':
        return this.groupBy('state');
      case 'groupSessionsByFolder':
        return this.groupBy('folder');
      case 'groupSessionsByAgent':
        return this.groupBy('agent');
      case 'newLastSession':
        return this.deps.newSession('last');
      case 'newSessionWith':
        return this.deps.newSession('with');
      case 'newDemoSession':
        return this.deps.newSession('demo');
      case 'newSessionInFolder':
        return this.deps.newSession('folder', first instanceof vscode.Uri && first.scheme === 'file' ? first : undefined);
      case 'goToWaitingSession':
        return this.goToWaiting();
      case 'showWaitingQuestions':
        return (await import('./waitingPick')).showWaitingQuestions(this.deps);
    }
  }

  /** Ends the session of a row or, without a row, the session in front. */
  async end(args: readonly unknown[]): Promise<void> {
    const row = await this.rowIn('endSession', args);
    await (row === undefined ? (await this.deps.actions()).end() : this.withLive(row, (session) => session.end()));
  }

  async delete(args: readonly unknown[]): Promise<void> {
    await this.deleteRow(await this.rowIn('deleteSession', args));
  }

  private async deleteRow(row: unknown): Promise<void> {
    const earlier = await this.deps.earlier();
    if (row === undefined) {
      return earlier.deleteSession();
    }
    const target = this.ofRow(row) ?? (await this.choose(t('Select the session to delete')));
    if (!target) {
      return;
    }
    const { key, listed, agentId } = target;
    if (key !== undefined) {
      await earlier.deleteKept({ ...target, key });
    } else if (listed && (await earlier.deleteListed(agentId, listed))) {
      this.deps.agents.remove(agentId, listed.sessionId);
    }
    await this.deps.view.model.reload();
  }

  private async openRow(row: unknown): Promise<unknown> {
    const { view, agents, selected } = this.deps;
    if (row === SELECTED) {
      // Enter has selected the row, which opened it like a click. The keyboard focus follows now.
      const { key } = this.ofRow(selected()) ?? {};
      return key === undefined ? undefined : this.open(key, {});
    }
    const node = isRow(row) ? view.nodeOf(row) : undefined;
    switch (node?.kind) {
      case 'more':
        return view.model.showMore(node.section);
      case 'agent':
        return agents.load(node.agentId, true);
      case 'session': {
        const { key, listed, agentId } = node.facts;
        const now = Date.now();
        const isSecond = this.lastClick?.id === node.id && now - this.lastClick.at < DOUBLE_CLICK_MS;
        this.lastClick = isSecond ? undefined : { id: node.id, at: now };
        if (key !== undefined) {
          // A double click keeps the tab open, as in the explorer. A single click also moves the focus, so that the user can type a message next.
          const opened = this.open(key, isSecond ? {} : { preview: true });
          this.arrival.clicked(key, opened);
          return opened;
        }
        return listed && (await this.deps.earlier()).openListed(agentId, listed);
      }
      default:
        return undefined;
    }
  }

  private async open(key: string, options: { readonly preview?: boolean; readonly preserveFocus?: boolean; readonly beside?: boolean }) {
    return (await this.deps.actions()).openKept(key, options);
  }

  /** Asks in an input box, because a tree's rows cannot be edited. An empty name restores the agent's title. */
  private async rename(row: unknown): Promise<void> {
    const target = this.target(row) ?? (await this.choose(t('Select the session to rename')));
    if (target?.key === undefined) {
      return;
    }
    await this.arrival.settled(target.key);
    const name = await window.showInputBox({
      title: t('Rename Session'),
      value: target.title,
      prompt: t("Leave empty to use the agent's title."),
    });
    if (name !== undefined) {
      const trimmed = name.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
      await this.deps.attention.marks.mark(target.key, { name: trimmed === '' ? undefined : trimmed });
      await this.sendTitle(target, trimmed);
    }
  }

  /** Sends the name to the session's running agent, if it accepts titles. The agent's answer becomes its title; the user's name stays. */
  private async sendTitle({ agentId, cwd, sessionId }: Target, name: string): Promise<void> {
    const live = sessionId === undefined ? undefined : this.deps.sessions.find(agentId, sessionId);
    if (name !== '' && live && isRunning(live.store.state)) {
      const session = { agentId, cwd, ...(sessionId !== undefined && { sessionId }) };
      await (await this.deps.earlier()).setTitle(session, name).catch((error: unknown) => showFailure('warning', failureOf(error)));
    }
  }

  /** Marks the session here, and archives it at its agent. */
  private archive(row: unknown, isArchived: boolean): Promise<void> {
    return this.with(row, async (target) => {
      if (target.key !== undefined) {
        await this.deps.attention.marks.mark(target.key, { archived: isArchived ? true : undefined });
        await (await this.deps.earlier()).archive(target, isArchived).catch((error: unknown) => showFailure('warning', failureOf(error)));
      }
    }) as Promise<void>;
  }

  private mark(row: unknown, patch: Parameters<Attention['marks']['mark']>[1]) {
    return this.withKept(row, (key) => this.deps.attention.marks.mark(key, patch));
  }

  /** Opens VS Code's own find widget for the rows. By default it only highlights matches, so it is switched once to hide the other rows. */
  private async filter(): Promise<void> {
    await vscode.commands.executeCommand(`${treeViews.sessions}.focus`);
    await vscode.commands.executeCommand('list.find');
    if (!this.filters && vscode.workspace.getConfiguration('workbench.list').get('defaultFindMode') !== 'filter') {
      this.filters = true;
      await vscode.commands.executeCommand('list.toggleFindMode');
    }
  }

  private async groupBy(groupBy: GroupBy): Promise<void> {
    await vscode.workspace.getConfiguration().update(settings.groupSessionsBy, groupBy, vscode.ConfigurationTarget.Global);
  }

  private async goToWaiting(): Promise<void> {
    if ((await import('./waitingPick')).showNextQuestion(this.deps)) {
      return;
    }
    const session = this.deps.attention.nextNeeding;
    if (session) {
      this.deps.panels.open(session, 'permission');
    } else {
      void window.showInformationMessage(t('No agent is waiting for an answer.'));
    }
  }

  /** Returns the key of the session that a command of the view acts on, or undefined when the user cancels. */
  async keyIn(name: string, args: readonly unknown[]): Promise<string | undefined> {
    return this.withKept(await this.rowIn(name, args), (key) => key);
  }

  /** Returns a command's row. Menus and buttons pass their row and the selected rows; the palette passes nothing. */
  private async rowIn(name: string, args: readonly unknown[]): Promise<unknown> {
    const [row] = args;
    if (row !== undefined || args.length < 2) {
      return row;
    }
    return (name.endsWith(BUTTON) ? undefined : await this.deps.view.menuRow()) ?? LOST;
  }

  /** Returns the session of a row, of the selected row, or the session in front. */
  private target(row: unknown): Target | undefined {
    const { panels } = this.deps;
    return this.ofRow(row) ?? (row === undefined && panels.active ? targetOf(panels.active) : undefined);
  }

  private ofRow(row: unknown): Target | undefined {
    const { view, selected } = this.deps;
    const asked = row === SELECTED ? selected() : row === FOCUSED ? view.takeFocused() : row;
    const node = isRow(asked) ? view.nodeOf(asked) : undefined;
    return node?.kind === 'session' ? node.facts : undefined;
  }

  private async choose(placeHolder: InertText): Promise<Target | undefined> {
    const session = await (await this.deps.actions()).choose(placeHolder);
    return session && targetOf(session);
  }

  private async with<T>(row: unknown, act: (target: Target) => T): Promise<Awaited<T> | undefined> {
    const target = this.target(row) ?? (await this.choose(t('Select a session')));
    return target && (await act(target));
  }

  private withKept<T>(row: unknown, act: (key: string) => T): Promise<Awaited<T> | undefined> {
    return this.with(row, ({ key }) => (key === undefined ? undefined : act(key))) as Promise<Awaited<T> | undefined>;
  }

  private withLive<T>(row: unknown, act: (session: Session) => T): Promise<Awaited<T> | undefined> {
    return this.withKept(row, (key) => {
      const session = this.deps.sessions.get(key);
      return session && act(session);
    }) as Promise<Awaited<T> | undefined>;
  }
}

function targetOf({ key, agentId, agentName, roots, store }: Session): Target {
  const { sessionId } = store.state;
  return { key, agentId, agentName, cwd: roots.cwd, title: sessionTitle(store.state), ...(sessionId !== undefined && { sessionId }) };
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}
