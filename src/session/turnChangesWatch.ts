/** Loads the {@link TurnChangesCounter} with the first turn of a conversation. */
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { SessionStore } from './state/store';
import type { TurnChangesCounter } from './turnChangesCounter';

export interface TurnChangesWatch extends Disposable {
  /** Resolves when the changes of all ended turns are appended. */
  flush(): Promise<void>;
}

/** @param store may already hold a conversation, in which a turn's changes may be missing */
export function watchTurnChanges(store: SessionStore, clock: Clock): TurnChangesWatch {
  let counter: TurnChangesCounter | undefined;
  let loading: Promise<void> | undefined;
  let disposed = false;
  const load = async (): Promise<void> => {
    const { TurnChangesCounter } = await import('./turnChangesCounter');
    if (!disposed) {
      // The counter also handles a turn that has ended during the import.
      counter = new TurnChangesCounter(store, clock);
    }
  };
  let waiting: Disposable | undefined;
  if (store.state.entries.length > 0) {
    loading = load();
  } else {
    waiting = store.onEvents(() => {
      if (store.state.entries.length > 0) {
        waiting?.dispose();
        loading = load();
      }
    });
  }
  return {
    flush: async () => {
      await loading;
      counter?.flush();
    },
    dispose: () => {
      disposed = true;
      waiting?.dispose();
      counter?.dispose();
    },
  };
}
