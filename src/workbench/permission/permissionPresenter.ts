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
import type { openPermissionPick, PickStrings } from './permissionPick';

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
    /** Makes a suggested rule and answers the request by it. */
    private readonly makeRule: (sessionKey: string, permissionId: string, suggestionId: string) => Promise<void>,
  ) {}

  get isFree(): boolean {
    return this.presentation.value !== 'card' && this.activity.ready;
  }

  get ready(): boolean {
    return this.isFree && this.activity.focus !== undefined;
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
    // The code for a pick is loaded with the first pick.
    void Promise.all([import('../../application/permission/permissionText'), import('./writeRules'), import('./permissionPick')]).then(
      ([{ permissionStrings, followRequest }, { writeRuleOf }, { openPermissionPick }]) => {
        if (isWanted) {
          const current = (): PermissionStrings => permissionStrings(ask, queue.waiting, t, writeRuleOf(ask.cwd));
          shown = this.open(openPermissionPick, ask, { current, onDidChange: (changed) => followRequest(ask, changed) }, listener);
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
    const inEditor = at === 'editor' && this.activity.isWriting ? 'typing' : at;
    const focus = typeof inEditor === 'object' ? (inEditor.sessionKey === sessionKey ? 'page' : 'otherPage') : inEditor;
    return askingSurface(this.presentation.value, {
      focus,
      isInFront: sessionKey === this.activeSession,
      card: focus === 'page' ? this.activity.sightOf(sessionKey, permissionId) : 'hidden',
    });
  }

  private open(openPick: typeof openPermissionPick, ask: PendingPermission, strings: PickStrings, listener: PickListener): Disposable {
    const { sessionKey, permissionId } = ask;
    const { focus } = this.activity;
    const pick = openPick(
      strings,
      {
        reveal: () => this.sessions.reveal(sessionKey),
        openDiff: (diff) => void this.openDiff(sessionKey, diff),
        openSetting: () => this.presentation.openSetting(),
        makeRule: (suggestionId) => void this.makeRule(sessionKey, permissionId, suggestionId),
        willClose: () => this.activity.focusReturns(focus),
        hidden: () => {
          if (this.move === pick.move) {
            this.move = this.beneath = undefined;
            void setPickOpen(false);
          }
        },
      },
      listener,
    );
    this.move = pick.move;
    this.beneath = focus;
    void setPickOpen(true);
    return pick;
  }
}

function setPickOpen(value: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', contextKeys.permissionPick, value);
}
