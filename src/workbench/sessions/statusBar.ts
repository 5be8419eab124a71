/** The status bar item and the context keys: the number of running sessions, the sessions that need the user, and the files to review. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import { changeCommands } from '../../application/shared/changeCommandIds';
import { sessionCommands } from '../../application/shared/sessionCommandIds';
import { commands, contextKeys } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { type Overview, overviewOf, statusBarText } from '../../application/sessions/overview';
import { type StatusBarItem, window } from '../shared/window';

/** The part of `Sessions` that the overview needs. */
export interface SessionList {
  readonly all: readonly Session[];
  onChange(listener: () => void): Disposable;
}

export class SessionOverview implements Disposable {
  private readonly store = new DisposableStore();
  private item: StatusBarItem | undefined;
  private hasStarted = false;
  private shown: Overview & { readonly unread: number } = { running: 0, needing: 0, questions: 0, pending: 0, unread: 0 };

  /** @param seen the sessions with a result that the user has not seen */
  constructor(
    private readonly sessions: SessionList,
    private readonly seen: { readonly all: ReadonlySet<string>; onDidChange(listener: () => void): Disposable },
  ) {
    this.store.add(sessions.onChange(() => this.update()));
    this.store.add(seen.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Runs for every event of every session, so it returns early when nothing that it shows has changed. */
  private update(): void {
    if (!this.hasStarted && this.sessions.all.some(({ store }) => store.state.status === 'ready')) {
      this.hasStarted = true;
      setContext(contextKeys.sessionStarted, true, false);
    }
    const overview = overviewOf(this.sessions.all.map(({ store }) => store.state));
    const before = this.shown;
    const { running, needing } = before;
    const now = { ...overview, unread: this.seen.all.size };
    if ((Object.keys(now) as (keyof typeof now)[]).every((name) => now[name] === before[name])) {
      return;
    }
    this.shown = now;
    setContext(contextKeys.hasSessions, overview.running > 0, running > 0);
    setContext(contextKeys.needsAnswer, overview.needing > 0, needing > 0);
    this.updateItem(overview);
  }

  private updateItem(overview: Overview): void {
    const text = statusBarText(overview, t, this.seen.all.size);
    if (!text) {
      this.item?.hide();
      return;
    }
    this.item ??= this.store.add(this.newItem());
    this.item.text = text.text;
    this.item.tooltip = text.tooltip;
    this.item.accessibilityInformation = { label: text.tooltip };
    const isOnlyReview = overview.running + this.seen.all.size === 0;
    this.item.command =
      overview.questions > 1
        ? sessionCommands.showWaitingQuestions
        : overview.needing > 0
          ? commands.answerPermission
          : isOnlyReview
            ? changeCommands.reviewAllChanges
            : commands.openSession;
    this.item.backgroundColor = overview.needing > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }

  private newItem(): StatusBarItem {
    const item = window.createStatusBarItem('acpHost.sessions', vscode.StatusBarAlignment.Left);
    item.name = t('ACP Sessions');
    return item;
  }
}

function setContext(key: string, value: boolean, before: boolean): void {
  if (value !== before) {
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
