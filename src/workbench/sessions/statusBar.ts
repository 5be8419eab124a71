/** The status bar item and the context keys: how many sessions run, and whether one needs the user. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/model/ports';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import { commands, contextKeys } from '../shared/ids';
import { t } from '../shared/l10n';
import { type Overview, overviewOf, statusBarWords } from './overview';
import { type StatusBarItem, window } from '../shared/window';

/** `Sessions`, as far as the overview cares. */
export interface SessionList {
  readonly all: readonly Session[];
  onChange(listener: () => void): Disposable;
}

export class SessionOverview implements Disposable {
  private readonly store = new DisposableStore();
  private item: StatusBarItem | undefined;
  private shown: Overview = { running: 0, needing: 0 };

  constructor(private readonly sessions: SessionList) {
    this.store.add(sessions.onChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Runs with every event of every session, so it does nothing when nothing it shows has changed. */
  private update(): void {
    const overview = overviewOf(this.sessions.all.map(({ store }) => store.state));
    const { running, needing } = this.shown;
    if (overview.running === running && overview.needing === needing) {
      return;
    }
    this.shown = overview;
    setContext(contextKeys.hasSessions, overview.running > 0, running > 0);
    setContext(contextKeys.needsAnswer, overview.needing > 0, needing > 0);
    this.updateItem(overview);
  }

  private updateItem(overview: Overview): void {
    const words = statusBarWords(overview, t);
    if (!words) {
      this.item?.hide();
      return;
    }
    this.item ??= this.store.add(this.newItem());
    this.item.text = words.text;
    this.item.tooltip = words.tooltip;
    this.item.accessibilityInformation = { label: words.tooltip };
    this.item.command = overview.needing > 0 ? commands.answerPermission : commands.openSession;
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
