/** Announcements about messages that were queued, sent or removed, and about a paused queue. */
import { entryIdOf, type SessionState } from '../../src/core/model/state';
import type { QueuedMessages } from '../../src/core/model/queuedMessage';
import { t } from '../base/l10n';

/** @returns the announcements about changes of the queue since `before` */
export function queueChanges(before: QueuedMessages, state: SessionState): string[] {
  const { queue, entries, turn } = state;
  if (queue === before) {
    return [];
  }
  const text: string[] = [];
  const has = (messages: QueuedMessages, queueId: string): boolean => messages.some((each) => each.queueId === queueId);
  const added = queue.filter(({ queueId, steering }) => !steering && !has(before, queueId)).length;
  const gone = before.filter(({ queueId }) => !has(queue, queueId));
  const isSent = (queueId: string): boolean => turn?.turnId === queueId || entries.indexOf(entryIdOf.message('user', queueId)) >= 0;
  if (added > 0) {
    text.push(added === 1 ? t('Message queued') : t('{count} messages queued', { count: added }));
  }
  if (gone.some(({ queueId }) => isSent(queueId))) {
    text.push(t('Queued message sent'));
  }
  if (gone.some(({ queueId }) => !isSent(queueId))) {
    text.push(t('Queued message removed'));
  }
  const paused = (messages: QueuedMessages): boolean => messages.some((each) => each.paused);
  if (paused(queue) && !paused(before)) {
    text.push(t('Queue paused'));
  }
  return text;
}
