/** Notifies of sessions whose agent still works after Stop while no page shows the offer to restart it. Pure. */
import type { Disposable } from '../../core/platform/disposable';
import { busyId, isUnresponsive } from '../../core/model/select';
import type { Session } from '../../session/session';
import type { SessionList } from '../sessions/statusBar';

export interface UnresponsiveSessionsDependencies {
  /** True while a page on the screen shows the session. */
  isVisible(key: string): boolean;
  /** Offers the restart in a notification. */
  offer(session: Session): Promise<void>;
}

export class UnresponsiveSessions implements Disposable {
  /** The turn or work for which the restart was offered, by the session's key. */
  private readonly offered = new Map<string, string>();
  private readonly subscription: Disposable;

  constructor(
    private readonly sessions: SessionList,
    private readonly deps: UnresponsiveSessionsDependencies,
  ) {
    this.subscription = sessions.onChange(() => this.update());
  }

  /** Runs for every event of every session, and when another page comes to the front. */
  update(): void {
    for (const session of this.sessions.all) {
      const { key, store } = session;
      const id = isUnresponsive(store.state) ? busyId(store.state) : undefined;
      if (id === undefined) {
        this.offered.delete(key);
      } else if (this.offered.get(key) !== id && !this.deps.isVisible(key)) {
        this.offered.set(key, id);
        void this.deps.offer(session);
      }
    }
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
