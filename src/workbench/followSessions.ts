/** What goes along with the sessions of a window, from the first one on; loaded by that. */
import type { Clock, Log } from '../core/model/ports';
import type { Sessions } from '../session/sessions';
import type { SessionStorage } from '../session/storage/sessionStorage';
import type { DisposableStore } from '../util/disposable';
import type { SessionPanels } from './chat/panels';
import type { Commenting } from './comments/commenting';

export interface FollowSessionsDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly journals: SessionStorage;
  readonly panels: SessionPanels;
  readonly sessions: Sessions;
  /** Disposed with the window. */
  readonly store: DisposableStore;
}

/** The editor follows agents where the user wants that. @returns comments on lines, and plans */
export function followSessions({ store, journals, ...ports }: FollowSessionsDependencies): Promise<Commenting> {
  void import('./follow/follow').then(({ followAgent }) => store.disposed || store.add(followAgent(ports.sessions, ports.panels)));
  return import('./comments/commenting').then(({ Commenting }) => store.add(new Commenting({ ...ports, files: journals })));
}
