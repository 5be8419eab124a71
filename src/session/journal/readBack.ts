/** Reads a saved session: its journal and its queued messages. Loaded at the first use. */
import type { Log } from '../../core/platform/log';
import { type ReducedJournal, reducePortions } from './journalReader';
import { type QueueFiles, readQueue } from './queueFile';
import type { StoredQueue } from './storedQueue';

interface SavedSessions extends QueueFiles {
  /** The journal's lines, in portions. */
  portions(key: string): AsyncIterable<readonly string[]>;
}

/** The journal, undefined when there is none, and the queue. */
export async function readBack(
  journals: SavedSessions,
  key: string,
  log: Log,
): Promise<readonly [ReducedJournal | undefined, StoredQueue]> {
  return Promise.all([reducePortions(journals.portions(key)), readQueue(journals, key, log)]);
}
