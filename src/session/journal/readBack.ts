/** Reads a saved session: its journal and its queued messages. Loaded at the first use. */
import type { Log } from '../../core/platform/log';
import { type FoldedJournal, foldPortions } from './journalReader';
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
): Promise<readonly [FoldedJournal | undefined, readonly StoredMessage[]]> {
  return Promise.all([foldPortions(journals.portions(key)), readQueue(journals, key, log)]);
}
