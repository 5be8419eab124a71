/** Reads a saved session: its journal and its queued messages. Loaded at the first use. */
import type { Log } from '../../core/platform/log';
import { type ReducedJournal, reducePortions } from './journalReader';
import { type QueueFiles, readQueue, type StoredMessage } from './queueFile';

interface SavedSessions extends QueueFiles {
  /** The journal's lines, in portions. */
  portions(key: string): AsyncIterable<readonly string[]>;
}

/** The journal, undefined when there is none, and the queue. */
export async function readBack(
  journals: SavedSessions,
  key: string,
  log: Log,
): Promise<readonly [ReducedJournal | undefined, readonly StoredMessage[]]> {
  return Promise.all([reducePortions(journals.portions(key)), readQueue(journals, key, log)]);
}
