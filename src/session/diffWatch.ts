/** Waits for the first diff of a conversation: what finds out where diffs stand ({@link DiffLocator}) is loaded with it. */
import type { ToolContent } from '../core/model/content';
import type { SessionEvent } from '../core/model/event';
import type { Clock, Disposable } from '../core/model/ports';
import type { DiffLocator } from './diffLocator';
import type { SessionStore } from './store';

/** @param read as of {@link DiffLocator} */
export function watchDiffs(store: SessionStore, clock: Clock, read: (path: string) => Promise<string | undefined>): Disposable {
  const missed: (readonly [events: readonly SessionEvent[], whole: boolean])[] = [];
  let locator: DiffLocator | undefined;
  let disposed = false;
  const subscription = store.onEvents((_, events, whole) => {
    if (missed.length === 0 && !events.some(bringsDiff)) {
      return;
    }
    if (missed.push([events, whole]) === 1) {
      void import('./diffLocator').then(({ DiffLocator }) => {
        subscription.dispose();
        if (!disposed) {
          locator = new DiffLocator(store, clock, read);
          missed.forEach((each) => locator!.hear(...each));
        }
        missed.length = 0;
      });
    }
  });
  return {
    dispose: () => {
      disposed = true;
      subscription.dispose();
      locator?.dispose();
    },
  };
}

function bringsDiff(event: SessionEvent): boolean {
  switch (event.type) {
    case 'tool_call_update':
      return event.patch.content?.some(isDiff) ?? false;
    case 'tool_call_content_chunk':
      return isDiff(event.content);
    case 'permission_requested':
      return event.subject.content?.some(isDiff) ?? false;
    default:
      return false;
  }
}

function isDiff({ type }: ToolContent): boolean {
  return type === 'diff';
}
