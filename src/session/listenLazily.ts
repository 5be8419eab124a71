/** A listener of a session's events whose code is loaded with the first event that it wants. It receives that event and all later ones. */
import type { SessionEvent } from '../core/model/event';
import type { Disposable } from '../core/platform/disposable';
import type { SessionStore } from './state/store';

export interface LazyListener extends Disposable {
  onEvents(events: readonly SessionEvent[], whole: boolean): void;
}

/** @param load returns a listener that does not subscribe by itself */
export function listenLazily(store: SessionStore, wants: (event: SessionEvent) => boolean, load: () => Promise<LazyListener>): Disposable {
  const missed: (readonly [events: readonly SessionEvent[], whole: boolean])[] = [];
  let listener: LazyListener | undefined;
  let disposed = false;
  const subscription = store.onEvents((_, events, whole) => {
    if (listener) {
      listener.onEvents(events, whole);
    } else if ((missed.length > 0 || events.some(wants)) && missed.push([events, whole]) === 1) {
      void load().then((loaded) => {
        if (disposed) {
          loaded.dispose();
          return;
        }
        listener = loaded;
        missed.forEach((each) => loaded.onEvents(...each));
        missed.length = 0;
      });
    }
  });
  return {
    dispose: () => {
      disposed = true;
      subscription.dispose();
      listener?.dispose();
    },
  };
}
