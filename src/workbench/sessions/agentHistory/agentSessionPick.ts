/** The list of an agent's sessions, which fills while the agent sends them. The user can open or delete sessions. */
import * as vscode from 'vscode';
import type { ListedSession } from '../../../acp/dialect';
import { type Failure, failureOf } from '../../../core/model/failure';
import type { Disposable } from '../../../core/platform/disposable';
import { agentSessionRows, type ListedRow } from '../../../application/sessions/agentHistory/agentSessionRows';
import { type InertText, inertLine, withIcon } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import { type Button, type Item, separator, window } from '../../shared/window';
import { failureText } from '../../../application/shared/failureText';
import { showFailure } from '../../shared/showFailure';
import { StableRows } from '../../shared/stableRows';

export interface AgentSessionPickDependencies {
  readonly agentName: string;
  /** Absolute paths. */
  readonly folders: readonly string[];
  /** Returns the ids of the sessions that are open in this window. */
  open(): ReadonlySet<string>;
  /** Fetches the next sessions. Resolves to an empty list at the end. */
  more(): Promise<readonly ListedSession[]>;
  /** True when there are no further sessions. */
  done(): boolean;
  /** True while another of our questions is open, which temporarily replaces the list. */
  interrupted(): boolean;
  /** Calls `listener` when a question of the agent's start was answered, after which the agent's list is on its way. */
  onAnswered(listener: () => void): Disposable;
  /** Asks the user and deletes. Resolves to true when the session was deleted. */
  remove(listed: ListedSession): Promise<boolean>;
  /** Known once the first sessions were fetched. */
  offersRemove(): boolean;
}

type Row = Item & { readonly row?: ListedRow };

/** The number of sessions fetched at once. More are fetched when the user reaches the end. */
const PAGE_SIZE = 100;

/** Resolves to undefined when the user cancels. Failures are shown in the list. */
export function pickAgentSession(deps: AgentSessionPickDependencies): Promise<ListedSession | undefined> {
  return new Promise((resolve) => new AgentSessionPick(deps, resolve));
}

class AgentSessionPick {
  private readonly pick = window.createQuickPick<Row>();
  private sessions: ListedSession[] = [];
  private loading = false;
  private failure: Failure | undefined;
  private closed = false;
  private hidden = false;
  private readonly answered: Disposable;
  private readonly moreRow: Row = { label: withIcon('ellipsis', t('Load more…')), alwaysShow: true };
  private readonly againRow: Row = { label: withIcon('refresh', t('Retry')), alwaysShow: true };
  private readonly rows = new StableRows<Row>(this.pick, separator, (row) => row.row?.listed.sessionId ?? row.label);
  private readonly removeButton: Button = { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Delete') };

  constructor(
    private readonly deps: AgentSessionPickDependencies,
    private readonly resolve: (chosen: ListedSession | undefined) => void,
  ) {
    const { pick } = this;
    pick.title = t('{agent} History', { agent: inertLine(deps.agentName, 80) });
    pick.placeholder = t('Select the session to open');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    // A question about a token, a sign-in or a deletion temporarily covers the list.
    pick.ignoreFocusOut = true;
    pick.onDidAccept(() => this.accept());
    // Reaching the last row loads the next page. With a filter text it loads many sessions, because the one searched for may not be loaded yet.
    pick.onDidChangeActive(([active]) => this.rows.rowOf(active) === this.moreRow && void this.load(pick.value === '' ? 1 : PAGE_SIZE));
    pick.onDidTriggerItemButton(({ item }) => {
      const row = this.rows.rowOf(item)?.row;
      if (row) {
        void this.remove(row);
      }
    });
    pick.onDidHide(() => {
      this.hidden = true;
      if (!deps.interrupted()) {
        this.close(undefined);
      }
    });
    this.answered = deps.onAnswered(() => this.uncover());
    pick.show();
    void this.load(PAGE_SIZE);
  }

  private accept(): void {
    const chosen = this.rows.rowOf(this.pick.selectedItems[0]);
    if (chosen === this.moreRow || chosen === this.againRow) {
      void this.load(1);
    } else if (chosen?.row) {
      this.close(chosen.row.listed);
    }
  }

  private close(chosen: ListedSession | undefined): void {
    if (!this.closed) {
      this.closed = true;
      this.answered.dispose();
      this.resolve(chosen);
      this.pick.dispose();
    }
  }

  /** Loads pages until `count` more sessions are loaded, or all of them. */
  private async load(count: number): Promise<void> {
    if (this.loading) {
      return;
    }
    const before = this.sessions.length;
    this.loading = true;
    this.failure = undefined;
    this.pick.busy = true;
    this.show();
    try {
      while (!this.closed && !this.deps.done() && this.sessions.length < before + count) {
        this.sessions.push(...(await this.deps.more()));
        this.show();
      }
    } catch (error) {
      this.failure = failureOf(error);
    }
    this.loading = false;
    if (!this.closed) {
      this.pick.busy = false;
      this.show(before > 0 ? this.sessions[before]?.sessionId : undefined);
    }
  }

  private async remove(row: ListedRow): Promise<void> {
    try {
      if (await this.deps.remove(row.listed)) {
        this.sessions = this.sessions.filter((listed) => listed !== row.listed);
      }
    } catch (error) {
      void showFailure('error', failureOf(error), () => void this.remove(row));
    }
    this.show();
  }

  /** @param wanted the id of the session to make active, instead of the currently active one */
  private show(wanted?: string): void {
    if (this.closed) {
      return;
    }
    const { pick, deps } = this;
    const facts = { folders: deps.folders, open: deps.open(), now: Date.now(), language: vscode.env.language };
    const { here, elsewhere } = agentSessionRows(this.sessions, facts, t);
    // A filter text hides rows, so the active row stays among the visible ones.
    const active = (pick.value === '' ? wanted : undefined) ?? this.rows.rowOf(pick.activeItems[0])?.row?.listed.sessionId;
    const rows = [
      ...this.group(here.length > 0 && elsewhere.length > 0 ? t('This workspace') : undefined, here),
      ...this.group(elsewhere.length > 0 ? t('Other folders') : undefined, elsewhere),
    ];
    this.rows.show([...rows, ...this.lastRows()]);
    const again = pick.items.find(({ row }) => row?.listed.sessionId === active && active !== undefined);
    if (again) {
      pick.activeItems = [again];
    }
    this.uncover();
  }

  /** Shows the list again, unless a question still covers it. */
  private uncover(): void {
    if (this.hidden && !this.closed && !this.deps.interrupted()) {
      this.hidden = false;
      this.pick.show();
    }
  }

  private group(heading: InertText | undefined, rows: readonly ListedRow[]): Row[] {
    const above: Row[] = heading !== undefined && rows.length > 0 ? [separator(heading)] : [];
    // A session that is open in this window is deleted with **ACP: Delete Session…** instead.
    const canRemove = (row: ListedRow): boolean => this.deps.offersRemove() && !row.isOpen;
    return [...above, ...rows.map((row): Row => ({ ...row, row, ...(canRemove(row) && { buttons: [this.removeButton] }) }))];
  }

  /** Returns the rows after the sessions: one that loads more, or the reason why there are none. */
  private lastRows(): Row[] {
    const { failure } = this;
    if (failure) {
      const why: Row = { label: withIcon('warning', failureText(failure, t)), alwaysShow: true };
      return failure.code === 'session.not_listed' ? [why] : [why, this.againRow];
    }
    if (this.loading) {
      return this.sessions.length === 0
        ? [{ label: t('Loading sessions from {agent}…', { agent: inertLine(this.deps.agentName, 80) }), alwaysShow: true }]
        : [];
    }
    if (!this.deps.done()) {
      return [this.moreRow];
    }
    return this.sessions.length === 0
      ? [{ label: t('{agent} has no sessions.', { agent: inertLine(this.deps.agentName, 80) }), alwaysShow: true }]
      : [];
  }
}
