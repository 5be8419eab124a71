/** The queue of a session as it is on disk. */
import type { Continuation, QueuedMessage } from '../../core/model/queuedMessage';

/** The stored part of a message. */
export type StoredMessage = Pick<QueuedMessage, 'queueId' | 'content'>;

export interface StoredQueue {
  readonly messages: readonly StoredMessage[];
  /** The wait for a limit's reset. */
  readonly continuation?: Continuation;
}

export const NO_QUEUE: StoredQueue = { messages: [] };
