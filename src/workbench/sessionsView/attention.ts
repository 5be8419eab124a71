/**
 * Draws the user's attention to sessions: the status bar, the badge, tabs' titles, notifications and a sound. Also tracks which results were seen.
 * One instance per window, loaded with its first session or with the sessions view.
 */
import * as vscode from 'vscode';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { needsYou } from '../../core/model/select';
import type { SessionCatalog } from '../../session/journal/sessionCatalog';
import type { SessionMarks } from '../../session/journal/sessionMarks';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { DisposableStore } from '../../util/disposable';
import type { SessionPanels } from '../chat/panels';
import type { UnreadSessions } from '../../application/chat/unreadSessions';
import type { PermissionPresentation } from '../permission/presentation';
import { nextNeeding, overviewOf } from '../../application/sessions/overview';
import { SessionOverview } from '../sessions/statusBar';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { setBadge } from '../shared/treeItem';
import { LiveMarks } from '../../application/sessionsView/liveMarks';
import { notifyOfSessions } from './notifications';
import { SeenSessions } from '../../application/sessionsView/seenSessions';

export interface AttentionDependencies {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly kept: SessionCatalog;
  readMarks(key: string): Promise<SessionMarks>;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  readonly activity: Pick<UserActivity, 'focus' | 'onDidChange' | 'sightOf'>;
  readonly unread: UnreadSessions;
  restartAgent(session: Session): Promise<void>;
  /** The sessions view, in each of its possible locations. */
  readonly trees: readonly vscode.TreeView<unknown>[];
}

export class Attention implements Disposable {
  private readonly owned = new DisposableStore();
  readonly marks: LiveMarks;
  readonly seen: SeenSessions;
  /** The time since when each session needs the user, in ms since the epoch. */
  private readonly waiting = new Map<string, number>();
  private needing = 0;

  constructor(private readonly deps: AttentionDependencies) {
    const { clock, sessions, panels, kept, unread, readMarks } = deps;
    const { owned } = this;
    this.marks = owned.add(new LiveMarks({ clock, sessions, kept, readMarks }));
    const isInSight = (key: string): boolean => vscode.window.state.focused && panels.isVisible(key);
    this.seen = owned.add(new SeenSessions({ clock, sessions, marks: this.marks, isInSight }));
    const look = (): void => this.seen.changed();
    owned.add(panels.onDidChangeActive(look));
    // Reports a view in the side bar too, which is not in a tab.
    owned.add(deps.activity.onDidChange(look));
    owned.add(vscode.window.onDidChangeWindowState(look));
    owned.add(vscode.window.tabGroups.onDidChangeTabs(look));
    owned.add(vscode.window.tabGroups.onDidChangeTabGroups(look));
    owned.add(this.seen.onDidChange(() => unread.set(this.seen.all)));
    owned.add(new SessionOverview(sessions, this.seen));
    owned.add(sessions.onChange(() => this.update()));
    owned.add(notifyOfSessions(deps));
    this.update();
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** The next session that needs the user: the one in front, unless its request has the focus, or else the one that asked last. */
  get nextNeeding(): Session | undefined {
    const { sessions, panels, activity } = this.deps;
    const front = panels.isVisible(panels.activeKey ?? '') ? panels.activeKey : undefined;
    const [permissionId] = (front !== undefined && sessions.get(front)?.store.state.pendingPermissions) || [];
    const isAtRequest = permissionId !== undefined && activity.sightOf(front!, permissionId) === 'focused';
    const others = isAtRequest ? sessions.all.filter(({ key }) => key !== front) : sessions.all;
    const since = (key: string): number | undefined => this.waiting.get(key);
    return nextNeeding(others, front, since) ?? nextNeeding(sessions.all, front, since);
  }

  /** Runs for every event of every session. */
  private update(): void {
    const { sessions, clock, trees } = this.deps;
    const states = sessions.all.map(({ key, store }) => [key, store.state] as const);
    const needing = new Set(states.filter(([, state]) => needsYou(state)).map(([key]) => key));
    for (const key of needing) {
      if (!this.waiting.has(key)) {
        this.waiting.set(key, clock.now());
      }
    }
    for (const key of this.waiting.keys()) {
      if (!needing.has(key)) {
        this.waiting.delete(key);
      }
    }
    const count = overviewOf(states.map(([, state]) => state)).needing;
    if (count !== this.needing) {
      this.needing = count;
      const tooltip = count === 1 ? t('1 session needs your answer') : t('{count} sessions need your answer', { count });
      trees.forEach((tree) => setBadge(tree, count, tooltip));
    }
  }
}
