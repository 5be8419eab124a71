/**
 * Messages that wait for the agent: those that the user sent while it started, signed in or worked. They belong to the user until they are sent.
 * Their events are not journaled, so a deleted message leaves no trace.
 */
import type { ContentBlock } from './content';

export interface QueuedMessage {
  /** An id made by the host. It becomes the id of the message's turn. */
  readonly queueId: string;
  /** The content to be sent; in the page without the data of its attachments. */
  readonly content: readonly ContentBlock[];
  /** UTF-16 units of the texts and data in `content`. */
  readonly size: number;
  /** True when it waits until the user resumes the queue. */
  readonly paused?: true;
  /** True while the user edits it. Neither it nor later messages are sent meanwhile. */
  readonly editing?: true;
  /** True while the agent was asked to take it into the running turn and has not answered. It cannot be edited or deleted then. */
  readonly steering?: true;
}

export type QueuedMessages = readonly QueuedMessage[];

/** The wait for a limit's reset. The conversation then continues by itself. */
export interface Continuation {
  /** ms since the epoch */
  readonly at: number;
  /** The failed turn whose prompt is sent again. Undefined when only the queue continues. */
  readonly turnId?: string | undefined;
}

/** Returns the UTF-16 units of the texts and data in `content`. */
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
  'continue_scheduled',
  'config_pending',
  'reconnect_scheduled',
]);

/** True for an event of the queue itself, or of a state that the queue waits for. They are not journaled. */
export function isQueueEvent({ type }: { readonly type: string }): boolean {
  return QUEUE_EVENTS.has(type);
}
