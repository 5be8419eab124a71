/** The features that accompany a window's sessions. Their code is loaded once the page of the first session is ready. */
import type { Clock } from '../core/platform/clock';
import type { Log } from '../core/platform/log';
import type { Drafts } from '../session/journal/drafts';
import type { Sessions } from '../session/sessions';
import type { SessionStorage } from '../session/storage/sessionStorage';
import type { DisposableStore } from '../util/disposable';
import { isHeld } from './api/apiSession';
import type { SessionPanels } from './chat/panels';
import type { CommentsFeature } from './comments/commentsFeature';
import type { LateServices } from './lateServices';

export interface FollowSessionsDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly lazy: Pick<LateServices, 'mentions' | 'permissionAudit'>;
  readonly panels: SessionPanels;
  readonly sessions: Sessions;
  /** Disposed with the window. */
  readonly store: DisposableStore;
  /** Loads the notifications and the count on the icon. */
  home(): unknown;
}

/** The time in ms after which the first session has its page and its agent is starting. */
const FIRST_SESSION_MS = 600;

/** Starts the features. The editor follows agents if the user has enabled that. @returns comments on lines, and plans */
export async function followSessions({
  store,
  journals,
  lazy,
  home,
  drafts,
  ...deps
}: FollowSessionsDependencies): Promise<CommentsFeature> {
  await new Promise<void>((resolve) => void deps.clock.after(FIRST_SESSION_MS, resolve));
  home();
  // From now on, output of commands that the user runs can be mentioned.
  void lazy.mentions();
  void lazy.permissionAudit().then((audit) => audit.follow(deps.sessions));
  void import('./follow/follow').then(({ followAgent }) => store.disposed || store.add(followAgent(deps.sessions, deps.panels)));
  void import('./agents/closeIdleAgents').then(
    ({ closeIdleAgents }) => store.disposed || store.add(closeIdleAgents(deps.sessions, deps.clock)),
  );
  void import('../application/sessions/unusedSessions').then(
    ({ discardUnused }) => store.disposed || store.add(discardUnused({ ...deps, drafts, isHeld, files: journals })),
  );
  const { CommentsFeature } = await import('./comments/commentsFeature');
  return store.add(new CommentsFeature({ ...deps, drafts, files: journals }));
}
