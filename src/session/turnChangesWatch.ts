/** Waits for the first turn of a conversation: what works out its changes ({@link TurnChangesCounter}) is loaded meanwhile. */
import type { Clock, Disposable } from '../core/model/ports';
import type { SessionStore } from './store';
import type { TurnChangesCounter } from './turnChangesCounter';

export interface TurnChangesWatch extends Disposable {
  /** All that can be told is told when this resolves. */
  flush(): Promise<void>;
}

/** `store` may hold a conversation already, of which a turn may not have been told. */
export function watchTurnChanges(store: SessionStore, clock: Clock): TurnChangesWatch {
  let counter: TurnChangesCounter | undefined;
  let loading: Promise<void> | undefined;
  let disposed = false;
  const load = async (): Promise<void> => {
    const { TurnChangesCounter } = await import('./turnChangesCounter');
    if (!disposed) {
      // A turn that has ended by now is one that it makes up for.
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
