/**
 * The statuses of a tool call, an entry of a plan or a compaction. `background` and `unfinished` are ours, for calls that the agent left open. A
 * newer agent may use other words.
 */
export type Status = 'pending' | 'in_progress' | 'paused' | 'completed' | 'failed' | 'cancelled' | 'background' | 'unfinished';

const STATUSES: ReadonlySet<string> = new Set<Status>([
  'pending',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'background',
  'unfinished',
]);

/** True for a status that has a display text. */
export function isStatus(word: string): word is Status {
  return STATUSES.has(word);
}
