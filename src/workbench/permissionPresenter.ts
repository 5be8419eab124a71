import * as vscode from 'vscode';
import type { Disposable } from '../core/ports';
import type { PermissionAsk, PickListener, Presenter } from '../permission/presenter';
import { DisposableStore } from '../util/disposable';
import { t } from './l10n';
import { permissionWords } from './permissionText';
import type { UserActivity } from './userActivity';
import { type Button, type Item, window } from './window';

/** The sessions on the screen, as far as the presenter cares; `SessionPanels` is one. */
export interface ActiveSession {
  /** The session whose panel was in front last. */
  readonly activeKey: string | undefined;
  onDidChangeActive(listener: () => void): Disposable;
  /** Shows the session's panel with its permission card. */
  reveal(sessionKey: string): void;
}

type Row = Item & { readonly optionId: string };

/** Permission requests as VS Code quick picks. */
export class PermissionPresenter implements Presenter {
  constructor(
    private readonly activity: UserActivity,
    private readonly sessions: ActiveSession,
  ) {}

  get ready(): boolean {
    return this.activity.ready;
  }

  get activeSession(): string | undefined {
    return this.sessions.activeKey;
  }

  onDidChange(listener: () => void): Disposable {
    const store = new DisposableStore();
    store.add(this.activity.onDidChange(listener));
    store.add(this.sessions.onDidChangeActive(listener));
    return store;
  }

  onActivity(listener: (uncertainMs: number) => void): Disposable {
    return this.activity.onActivity(listener);
  }

  show(ask: PermissionAsk, queue: { readonly waiting: number }, listener: PickListener): Disposable {
    const words = permissionWords(ask, queue.waiting, t);
    const showInSession: Button = { iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: t('Show in the Session') };
    const pick = window.createQuickPick<Row>();
    pick.title = words.title;
    pick.placeholder = words.deed;
    pick.buttons = [showInSession];
    pick.items = words.rows.map((row) => ({ ...row, alwaysShow: true }));
    // After `items`, which makes the first row active: Enter alone must answer nothing.
    pick.activeItems = [];
    pick.onDidChangeValue((value) => {
      if (value !== '') {
        // A filter would make its first match active, and text meant for elsewhere could then answer.
        pick.value = '';
        pick.activeItems = [];
        listener.typed();
      }
    });
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row) {
        listener.picked(row.optionId);
      }
    });
    pick.onDidTriggerButton(() => {
      pick.hide();
      this.sessions.reveal(ask.sessionKey);
    });
    pick.onDidHide(() => {
      listener.hidden();
      pick.dispose();
    });
    pick.show();
    return pick;
  }
}
