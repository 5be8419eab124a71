/** Loads the `DiffLocator` with the first diff of a conversation. */
import type { ToolContent } from '../core/model/content';
import type { SessionEvent } from '../core/model/event';
import type { Clock } from '../core/platform/clock';
import { bodyOf } from '../core/subagents/innerEvents';
import type { Disposable } from '../core/platform/disposable';
import type { ReadText } from './diffLocator';
import { listenLazily } from './listenLazily';
import type { SessionStore } from './state/store';

/** @param reader see `DiffLocator` */
export function watchDiffs(store: SessionStore, clock: Clock, reader: () => ReadText): Disposable {
  return listenLazily(store, bringsDiff, async () => new (await import('./diffLocator')).DiffLocator(store, clock, reader));
}

function bringsDiff(outer: SessionEvent): boolean {
  const event = bodyOf(outer);
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
