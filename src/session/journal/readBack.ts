/** Reads a saved session: its journal, and the messages that wait in its queue. Loaded with the first session that is read back. */
import type { Log } from '../../core/model/ports';
import { type FoldedJournal, foldPortions } from './journalReader';
import { type QueueFiles, readQueue, type StoredMessage } from './queueFile';

interface SavedSessions extends QueueFiles {
  /** The journal's lines, some at a time. */
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
