/** Loads the {@link Reconnection} of a remote agent's session with the first break of the connection. */
import { isRemote } from '../core/agents/endpoint';
import { isBusy } from '../core/model/select';
import type { Disposable } from '../core/platform/disposable';
import { isTemporary } from '../core/reconnect/reconnect';
import type { Reconnection, ReconnectionDependencies } from './reconnection';

/** Undefined for an agent that is a process, whose end only the user follows by a start. */
export function watchConnection(deps: ReconnectionDependencies): Disposable | undefined {
  const { launch, store } = deps.session;
  if (!launch || !isRemote(launch)) {
    return undefined;
  }
  let reconnection: Reconnection | undefined;
  let isDisposed = false;
  let wasBusy = false;
  const subscription = store.onEvents(() => {
    const { state } = store;
    if (state.status === 'ready') {
      wasBusy = isBusy(state);
    } else if (state.status === 'disconnected' && isTemporary(state.failure)) {
      subscription.dispose();
      void import('./reconnection').then((loaded) => {
        if (!isDisposed) {
          reconnection = new loaded.Reconnection(deps, wasBusy);
        }
      });
    }
  });
  return {
    dispose: () => {
      isDisposed = true;
      subscription.dispose();
      reconnection?.dispose();
    },
  };
}
