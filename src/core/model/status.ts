/** The protocol's words, and two of ours for calls that the agent left open, for the status of a tool call, an entry of a plan or a compaction. A newer agent may have others. */
export type Status = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'background' | 'unfinished';

const STATUSES: ReadonlySet<string> = new Set<Status>([
  'pending',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'background',
  'unfinished',
]);

/** True for a word that we have words for. */
export function isStatus(word: string): word is Status {
  return STATUSES.has(word);
}
