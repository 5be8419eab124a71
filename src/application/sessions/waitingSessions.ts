/** The sessions that wait for a limit's reset, in a new window. Loaded when there are some. */
import { storeWaiting, waitingKeys, type WaitingStore } from '../../session/continuation';
import type { Session } from '../../session/session';

/** Restores the sessions whose agents have outlived the window before. @param keys as they are stored */
export async function readBackKept(keys: unknown, readBack: (key: string) => Promise<unknown>): Promise<void> {
  const kept = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  await Promise.all(kept.map((key) => readBack(key).catch(() => undefined)));
}

/** Restores the sessions, one after the other. A session that is gone, or continues in another window, no longer waits. */
export async function readBackWaiting(
  waiting: WaitingStore,
  readBack: (key: string) => Promise<Pick<Session, 'store'> | undefined>,
): Promise<void> {
  for (const key of waitingKeys(waiting)) {
    // A session that cannot be read is not waited for.
    const session = await readBack(key).catch(() => undefined);
    if (!session?.store.state.continuation) {
      storeWaiting(waiting, key, false);
    }
  }
}
