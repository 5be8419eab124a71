/** Loads {@link EntrySwap} when a conversation becomes long. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { subagentsIn } from '../../core/subagents/subagentTree';
import type { SessionStore } from '../state/store';

/** Entries from which on the old ones are swapped out. */
const LONG = 1024;

/** @param store may already hold a conversation @param folder absolute; for the swap file */
export function watchLength(store: SessionStore, clock: Clock, folder: string, log: Log): Disposable {
  let swap: Disposable | undefined;
  let disposed = false;
  const load = async (): Promise<void> => {
    const { EntrySwap } = await import('./entrySwap');
    if (!disposed) {
      swap = new EntrySwap(store, clock, folder, log);
    }
  };
  const isLong = (): boolean =>
    subagentsIn(store.state).reduce((sum, { conversation }) => sum + conversation.entries.length, store.state.entries.length) >= LONG;
  let waiting: Disposable | undefined;
  if (isLong()) {
    void load();
  } else {
    waiting = store.onEvents((_, events) => {
      // Subagents may be many, so they are counted only when one changes its state, and at the end of a turn.
      const isCounted = events.some(({ type }) => type === 'subagent_update' || type === 'turn_ended');
      if (isCounted ? isLong() : store.state.entries.length >= LONG) {
        waiting?.dispose();
        void load();
      }
    });
  }
  return {
    dispose: () => {
      disposed = true;
      waiting?.dispose();
      swap?.dispose();
    },
  };
}
