/** Waits for what a session changes: a conversation that is read back may have changes that wait; a new one has none before its first turn. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { listenLazily } from '../../session/listenLazily';
import type { Session } from '../../session/session';
import type { Changes, FollowedSession } from './changes';

/** ms after the agent is ready: what the page shows then comes first, and the first prompt is rarely written sooner. */
const PREPARE_MS = 100;

/** @param prepare loads the code, so that the first turn need not wait for it; what it promises may be rejected */
export function followChanges(
  session: Session,
  load: () => Promise<{ readonly changes: Pick<Changes, 'follow'> }>,
  prepare: () => Promise<unknown>,
  clock: Clock,
): Disposable & { flush(): Promise<void> } {
  let opened: Promise<FollowedSession> | undefined;
  const open = (): Promise<FollowedSession> => (opened ??= load().then(({ changes }) => changes.follow(session)));
  // A turn that an earlier window has begun sends no start.
  const isContinued = session.adoptedTurn !== undefined;
  const listener = listenLazily(session.store, ({ type }) => isContinued || type === 'turn_started', open);
  if (session.store.seq > 0) {
    void open();
  }
  let preparing: Disposable | undefined;
  const ready = session.store.onEvents((_, events) => {
    if (!opened && events.some(({ type }) => type === 'session_ready')) {
      ready.dispose();
      preparing = clock.after(PREPARE_MS, () => void prepare().catch(() => undefined));
    }
  });
  return {
    flush: async () => (await opened)?.flush(),
    dispose: () => {
      listener.dispose();
      ready.dispose();
      preparing?.dispose();
      void opened?.then((followed) => followed.dispose());
    },
  };
}
