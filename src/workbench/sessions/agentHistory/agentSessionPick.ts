/** The list of an agent's sessions, which fills while the agent tells of them: to open one, or to delete some. */
import * as vscode from 'vscode';
import type { ListedSession } from '../../../acp/dialect';
import { type Failure, failureOf } from '../../../core/model/failure';
import { agentSessionRows, type ListedRow } from './agentSessionRows';
import { type InertText, visible, withIcon } from '../../shared/escape';
import { t } from '../../shared/l10n';
import { type Button, type Item, separator, window } from '../../shared/window';
import { failureText } from '../../shared/failureText';
import { showFailure } from '../../shared/showFailure';
import { StableRows } from '../stableRows';

export interface AgentSessionPickDependencies {
  readonly agentName: string;
  /** Absolute. */
  readonly folders: readonly string[];
  /** Sessions that this window has. */
  open(): ReadonlySet<string>;
  /** The next ones; none at the end. */
  more(): Promise<readonly ListedSession[]>;
  /** True when there is nothing more. */
  done(): boolean;
  /** Another question of ours is open, which takes the list's place for a while. */
  interrupted(): boolean;
  /** Asks, and deletes; true when it is gone. */
  remove(listed: ListedSession): Promise<boolean>;
  /** Known when the first ones are. */
  offersRemove(): boolean;
}

type Row = Item & { readonly row?: ListedRow };

/** Sessions that are asked for at once; more come when the user goes to the end. */
const AT_ONCE = 100;

/** Undefined when the user leaves. What goes wrong is said in the list. */
export function pickAgentSession(ports: AgentSessionPickDependencies): Promise<ListedSession | undefined> {
  return new Promise((resolve) => new AgentSessionPick(ports, resolve));
}

class AgentSessionPick {
  private readonly pick = window.createQuickPick<Row>();
  private sessions: ListedSession[] = [];
  private loading = false;
  private failure: Failure | undefined;
  private closed = false;
  private hidden = false;
  private readonly moreRow: Row = { label: withIcon('ellipsis', t('Load more…')), alwaysShow: true };
  private readonly againRow: Row = { label: withIcon('refresh', t('Retry')), alwaysShow: true };
  private readonly rows = new StableRows<Row>(this.pick, separator, (row) => row.row?.listed.sessionId ?? row.label);
  private readonly removeButton: Button = { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Delete') };

  constructor(
    private readonly ports: AgentSessionPickDependencies,
    private readonly resolve: (chosen: ListedSession | undefined) => void,
  ) {
    const { pick } = this;
    pick.title = t('{agent} History', { agent: visible(ports.agentName, 80) });
    pick.placeholder = t('Select the session to open');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    // A question about a sign-in or a deletion comes over it and goes again.
    pick.ignoreFocusOut = true;
    pick.onDidAccept(() => this.accept());
    // Whoever comes to the end wants to see more, and so does whoever looks for something that has not come yet.
    pick.onDidChangeActive(([active]) => this.rows.rowOf(active) === this.moreRow && void this.load(pick.value === '' ? 1 : AT_ONCE));
    pick.onDidTriggerItemButton(({ item }) => {
      const row = this.rows.rowOf(item)?.row;
      if (row) {
        void this.remove(row);
      }
    });
    pick.onDidHide(() => {
      this.hidden = true;
      if (!ports.interrupted()) {
        this.close(undefined);
      }
    });
    pick.show();
    void this.load(AT_ONCE);
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
      this.resolve(chosen);
      this.pick.dispose();
    }
  }

  /** Until there are so many more, or no more. */
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
      while (!this.closed && !this.ports.done() && this.sessions.length < before + count) {
        this.sessions.push(...(await this.ports.more()));
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
      if (await this.ports.remove(row.listed)) {
        this.sessions = this.sessions.filter((listed) => listed !== row.listed);
      }
    } catch (error) {
      void showFailure('error', failureOf(error), () => void this.remove(row));
    }
    this.show();
  }

  /** @param wanted the session to be at, else the one that is */
  private show(wanted?: string): void {
    if (this.closed) {
      return;
    }
    const { pick, ports } = this;
    const facts = { folders: ports.folders, open: ports.open(), now: Date.now(), language: vscode.env.language };
    const { here, elsewhere } = agentSessionRows(this.sessions, facts, t);
    // What is typed hides other rows: the one to be at is among those that fit.
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
    if (this.hidden && !ports.interrupted()) {
      this.hidden = false;
      pick.show();
    }
  }

  private group(heading: InertText | undefined, rows: readonly ListedRow[]): Row[] {
    const above: Row[] = heading !== undefined && rows.length > 0 ? [separator(heading)] : [];
    // One that is open here is deleted where it is open.
    const canRemove = (row: ListedRow): boolean => this.ports.offersRemove() && !row.isOpen;
    return [...above, ...rows.map((row): Row => ({ ...row, row, ...(canRemove(row) && { buttons: [this.removeButton] }) }))];
  }

  /** What comes after the sessions: the way to more, or why there are none. */
  private lastRows(): Row[] {
    const { failure } = this;
    if (failure) {
      const why: Row = { label: withIcon('warning', failureText(failure, t)), alwaysShow: true };
      return failure.code === 'session.not_listed' ? [why] : [why, this.againRow];
    }
    if (this.loading) {
      return this.sessions.length === 0
        ? [{ label: t('Loading sessions from {agent}…', { agent: visible(this.ports.agentName, 80) }), alwaysShow: true }]
        : [];
    }
    if (!this.ports.done()) {
      return [this.moreRow];
    }
    return this.sessions.length === 0
      ? [{ label: t('{agent} has no sessions.', { agent: visible(this.ports.agentName, 80) }), alwaysShow: true }]
      : [];
  }
}
