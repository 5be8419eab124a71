/** Waits for what a session changes: a conversation that is read back may have changes that wait; a new one has none before its first turn. */
import type { Disposable } from '../../core/model/ports';
import { listenLate } from '../../session/listenLate';
import type { Session } from '../../session/session';
import type { Changes, FollowedSession } from './changes';

export function followChanges(
  session: Session,
  load: () => Promise<{ readonly changes: Pick<Changes, 'follow'> }>,
): Disposable & { flush(): Promise<void> } {
  let opened: Promise<FollowedSession> | undefined;
  const open = (): Promise<FollowedSession> => (opened ??= load().then(({ changes }) => changes.follow(session)));
  const listener = listenLate(session.store, ({ type }) => type === 'turn_started', open);
  if (session.store.seq > 0) {
    void open();
  }
  return {
    flush: async () => (await opened)?.flush(),
    dispose: () => {
      listener.dispose();
      void opened?.then((followed) => followed.dispose());
    },
  };
}
