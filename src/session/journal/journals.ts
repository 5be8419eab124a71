import type { StoredAgent } from '../../core/agents/agentIds';
import type { JournalFile } from './journal';
import type { JournalHeader } from './journalHeader';
import type { QueueFiles } from './queueFile';

/** The storage of journals and queues. */
export interface Journals extends QueueFiles {
  /** The journal of this session, for appending. The file is created with the first write. */
  file(header: JournalHeader): JournalFile;
  /** The lines of a journal, in portions; none when it does not exist. */
  portions(key: string): AsyncIterable<readonly string[]>;
  /** Deletes the session's files, if there are any. */
  remove(key: string): Promise<void>;
  /** Notes a session that the agent has created and that no conversation uses. Absent: it may appear in the agent's list. */
  noteUnprompted?(agent: StoredAgent, sessionId: string): Promise<void>;
  /** Makes this window the owner of the session's files; true on success. `force`: the user takes it over from any other window. */
  acquire(key: string, force: boolean): Promise<boolean>;
  /** Gives up the ownership. This window stops writing the session's files. */
  release(key: string): Promise<void>;
  /** True when another window has taken the session over. Synchronous. */
  isTaken(key: string): boolean;
  /** `give` is called when another window requests a session of this one. It resolves to true when this window has released it and writes no more. */
  onRequested(give: (key: string, force: boolean) => Promise<boolean>): void;
}
