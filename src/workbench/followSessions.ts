/** What goes along with the sessions of a window, from the first one on: its code is loaded once the page of that one is there. */
import type { Clock, Log } from '../core/model/ports';
import type { Drafts } from '../session/journal/drafts';
import type { Sessions } from '../session/sessions';
import type { SessionStorage } from '../session/storage/sessionStorage';
import type { DisposableStore } from '../util/disposable';
import { isHeld } from './api/apiSession';
import type { SessionPanels } from './chat/panels';
import type { Commenting } from './comments/commenting';
import type { LazyServices } from './lazyServices';

export interface FollowSessionsDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly late: Pick<LazyServices, 'mentions'>;
  readonly panels: SessionPanels;
  readonly sessions: Sessions;
  /** Disposed with the window. */
  readonly store: DisposableStore;
  /** Says what needs the user, and counts it on the icon. */
  home(): unknown;
}

/** ms in which the page of the first session is there, and its agent is being started. */
const FIRST_SESSION_MS = 600;

/** The editor follows agents where the user wants that. @returns comments on lines, and plans */
export async function followSessions({ store, journals, late, home, drafts, ...ports }: FollowSessionsDependencies): Promise<Commenting> {
  await new Promise<void>((resolve) => void ports.clock.after(FIRST_SESSION_MS, resolve));
  home();
  // What the user's commands print from now on can be mentioned.
  void late.mentions();
  void import('./follow/follow').then(({ followAgent }) => store.disposed || store.add(followAgent(ports.sessions, ports.panels)));
  void import('./sessions/unusedSessions').then(
    ({ discardUnused }) => store.disposed || store.add(discardUnused({ ...ports, drafts, isHeld, files: journals })),
  );
  const { Commenting } = await import('./comments/commenting');
  return store.add(new Commenting({ ...ports, drafts, files: journals }));
}
