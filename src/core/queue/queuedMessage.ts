/**
 * Messages that wait for the agent: what the user sent while it started, signed in or worked. They are the user's until they are sent, so their events are
 * not journaled: what is taken back leaves no trace.
 */
import type { ContentBlock } from '../model/content';

export interface QueuedMessage {
  /** Minted by the host; becomes the id of its turn. */
  readonly queueId: string;
  /** As it will be sent; in the page without the data of its attachments. */
  readonly content: readonly ContentBlock[];
  /** UTF-16 units of the texts and data in `content`. */
  readonly size: number;
  /** It waits until the user resumes the queue. */
  readonly paused?: true;
  /** The user is changing it: neither it nor what was queued after it is sent meanwhile. */
  readonly editing?: true;
  /** The agent was asked to take it into the running turn and has not answered: it cannot be changed or taken back. */
  readonly steering?: true;
}

export type MessageQueue = readonly QueuedMessage[];

/** UTF-16 units of the texts and data in `content`. */
export function sizeOfContent(content: readonly ContentBlock[]): number {
  return content.reduce(
    (sum, { type: _, ...fields }) =>
      Object.values(fields).reduce<number>((units, field) => units + (typeof field === 'string' ? field.length : 0), sum),
    0,
  );
}

const QUEUE_EVENTS: ReadonlySet<string> = new Set([
  'message_queued',
  'queued_message_editing',
  'queued_message_edited',
  'queued_message_moved',
  'queued_message_first',
  'queued_message_steering',
  'queued_message_removed',
  'queue_paused',
  'queue_resumed',
  'config_pending',
]);

/** True for an event of the queue's own, or of what it waits for. */
export function isQueueEvent({ type }: { readonly type: string }): boolean {
  return QUEUE_EVENTS.has(type);
}
