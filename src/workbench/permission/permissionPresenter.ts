import * as vscode from 'vscode';
import { askingSurface } from '../../core/approval/askingSurface';
import type { Disposable } from '../../core/platform/disposable';
import type { PendingPermission, PickListener, Presenter } from '../../session/permission/presenter';
import { DisposableStore } from '../../util/disposable';
import { contextKeys } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { PermissionStrings, ProposedDiff } from '../../application/permission/permissionText';
import type { PermissionPresentation } from './presentation';
import type { Focus, UserActivity } from '../shared/userActivity';
import { type Button, type Item, window } from '../shared/window';

/** The sessions on the screen, as far as the presenter cares; `SessionPanels` is one. */
export interface ActiveSession {
  /** The session whose panel was in front last. */
  readonly activeKey: string | undefined;
  onDidChangeActive(listener: () => void): Disposable;
  isVisible(sessionKey: string): boolean;
  /** Shows the session's panel with its permission card. */
  reveal(sessionKey: string): void;
}

type Named = Pick<PendingPermission, 'sessionKey' | 'permissionId'>;

type Row = Item & { readonly optionId?: string };

/**
 * ms within which a row that becomes active and is accepted was clicked: VS Code reports both of one event. The arrow keys come as commands of
 * ours (see {@link PermissionPresenter.moveBy}), so that Enter right after one of them finds no row active yet.
 */
const CLICK_MS = 10;

/** Permission requests as VS Code quick picks. */
export class PermissionPresenter implements Presenter {
  private move: ((by: number) => void) | undefined;
  /** The focus when the pick opened that is open now: VS Code gives it back. */
  private beneath: Focus;

  constructor(
    private readonly activity: UserActivity,
    private readonly sessions: ActiveSession,
    private readonly presentation: Pick<PermissionPresentation, 'value' | 'onDidChange' | 'openSetting'>,
    /** Opens a diff without moving the focus. */
    private readonly openDiff: (sessionKey: string, diff: ProposedDiff) => Promise<void>,
  ) {}

  get ready(): boolean {
    const { focus, ready } = this.activity;
    return this.presentation.value !== 'card' && ready && focus !== undefined;
  }

  surfaceOf(ask: Named): ReturnType<typeof askingSurface> {
    return this.placeWith(ask, this.activity.focus);
  }

  isCardBeneath(ask: Named): boolean {
    return this.beneath !== undefined && this.placeWith(ask, this.beneath) === 'card';
  }

  get activeSession(): string | undefined {
    return this.sessions.activeKey;
  }

  get visibleSession(): string | undefined {
    const { activeKey } = this.sessions;
    return activeKey !== undefined && this.sessions.isVisible(activeKey) ? activeKey : undefined;
  }

  onDidChange(listener: () => void): Disposable {
    const store = new DisposableStore();
    store.add(this.activity.onDidChange(listener));
    store.add(this.presentation.onDidChange(listener));
    store.add(this.sessions.onDidChangeActive(listener));
    return store;
  }

  onActivity(listener: (uncertainMs: number) => void): Disposable {
    return this.activity.onActivity(listener);
  }

  whenDrawn(callback: () => void): void {
    // VS Code sends a pick's changes in a timer of no time. A command of the window is answered after what was sent before it.
    setTimeout(() => void setPickOpen(this.move !== undefined).then(callback, callback), 0);
  }

  /** Makes the row `by` rows further down active in the pick that is open, round its ends: what Up and Down do there. */
  moveBy(by: number): void {
    this.move?.(by);
  }

  show(ask: PendingPermission, queue: { readonly waiting: number }, listener: PickListener): Disposable {
    let isWanted = true;
    let shown: Disposable | undefined;
    // The code for a pick's texts is loaded with the first pick.
    void Promise.all([import('../../application/permission/permissionText'), import('./writeRules')]).then(
      ([{ permissionStrings }, { writeRuleOf }]) => {
        if (isWanted) {
          shown = this.open(ask, permissionStrings(ask, queue.waiting, t, writeRuleOf(ask.cwd)), listener);
          listener.drawn();
        }
      },
    );
    return {
      dispose: () => {
        isWanted = false;
        shown?.dispose();
      },
    };
  }

  private placeWith({ sessionKey, permissionId }: Named, at: Focus): ReturnType<typeof askingSurface> {
    const focus = typeof at === 'object' ? (at.sessionKey === sessionKey ? 'page' : 'otherPage') : at;
    return askingSurface(this.presentation.value, {
      focus,
      isInFront: sessionKey === this.activeSession,
      card: focus === 'page' ? this.activity.sightOf(sessionKey, permissionId) : 'hidden',
    });
  }

  private open(ask: PendingPermission, strings: PermissionStrings, listener: PickListener): Disposable {
    const { focus } = this.activity;
    const showInSession: Button = { iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: t('Show in Session') };
    const configure: Button = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Configure Permission Requests') };
    const openDiffs = strings.diffs.map(({ label }): Button => ({ iconPath: new vscode.ThemeIcon('git-compare'), tooltip: label }));
    const pick = window.createQuickPick<Row>();
    let isOpen = true;
    /** Runs while VS Code has made a row active and it is not known yet whether that was a click. */
    let moving: NodeJS.Timeout | undefined;
    const moved = (): void => {
      clearTimeout(moving);
      moving = undefined;
      listener.moved();
    };
    const move = (by: number): void => {
      const at = pick.items.findIndex((row) => row === pick.activeItems[0]);
      const row = pick.items.at(at < 0 && by > 0 ? by - 1 : (Math.max(at, 0) + by) % pick.items.length);
      pick.activeItems = row ? [row] : [];
      moved();
    };
    const leave = (): void => {
      pick.hide();
      this.sessions.reveal(ask.sessionKey);
    };
    pick.title = strings.title;
    pick.placeholder = strings.placeholder;
    pick.buttons = [...openDiffs, showInSession, configure];
    pick.items = strings.rows.map(({ icon, ...row }) => ({ ...row, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true }));
    // After `items`, which makes the first row active: Enter alone must answer nothing.
    pick.activeItems = [];
    pick.onDidChangeActive(([row]) => {
      if (row) {
        clearTimeout(moving);
        moving = setTimeout(moved, CLICK_MS);
      }
    });
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
      if (row?.optionId !== undefined) {
        listener.picked(row.optionId);
      } else if (row) {
        leave();
      }
      if (moving) {
        moved();
      }
    });
    pick.onDidTriggerButton((button) => {
      const diff = strings.diffs[openDiffs.findIndex((each) => each === button)];
      if (diff) {
        // The user may scroll in the diff before answering.
        pick.ignoreFocusOut = true;
        void this.openDiff(ask.sessionKey, diff);
      } else if (button === configure) {
        pick.hide();
        this.presentation.openSetting();
      } else {
        leave();
      }
    });
    pick.onDidHide(() => {
      isOpen = false;
      clearTimeout(moving);
      if (this.move === move) {
        this.move = this.beneath = undefined;
        void setPickOpen(false);
      }
      listener.hidden();
      pick.dispose();
    });
    pick.show();
    this.move = move;
    this.beneath = focus;
    void setPickOpen(true);
    return {
      dispose: () => {
        if (isOpen) {
          this.activity.focusReturns(focus);
        }
        pick.dispose();
      },
    };
  }
}

function setPickOpen(value: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', contextKeys.permissionPick, value);
}
