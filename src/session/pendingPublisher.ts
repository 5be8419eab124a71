/** Publishes the changes that wait for review in a session to its views. */
import { isDeepStrictEqual } from 'node:util';
import type { PendingSource } from '../changes/review/pendingSource';
import { withFileSubagents } from '../core/toolCalls/fileSubagents';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { Session } from './session';

/** ms between two events: each key press changes the summary. */
const SHOW_MS = 100;

/** Appends a `pending_changes` event whenever the summary changes, at most every 100 ms. */
export function publishPending(
  { store }: Pick<Session, 'store'>,
  source: Pick<PendingSource, 'summary' | 'onDidChange'>,
  clock: Clock,
): Disposable {
  let timer: Disposable | undefined;
  let shown = store.state.pendingChanges;
  const show = (): void => {
    timer = undefined;
    const next = withFileSubagents(source.summary(), store.state);
    if (!isDeepStrictEqual(next, shown)) {
      shown = next;
      store.append({ type: 'pending_changes', ...(next && { changes: next }) });
    }
  };
  const subscription = source.onDidChange(() => (timer ??= clock.after(SHOW_MS, show)));
  show();
  return {
    dispose: () => {
      timer?.dispose();
      subscription.dispose();
      // The page may outlive the review, whose buttons would then do nothing.
      if (shown) {
        store.append({ type: 'pending_changes' });
      }
    },
  };
}
