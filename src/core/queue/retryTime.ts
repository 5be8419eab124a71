/** The time that an agent's error names. For host and page. */
import type { TurnEntry } from '../model/state';

/** ms; the page counts a wait up to this one down. The host waits longer ones out, over a reload too. */
export const MAX_COUNTDOWN = 60 * 1000;

/** Returns the time from which the agent takes the failed prompt again, in ms since the epoch; undefined when its error names none. */
export function retryAt({ at, failure }: Pick<TurnEntry, 'at' | 'failure'>): number | undefined {
  const resetsAt = failure?.params?.['resetsAt'];
  if (typeof resetsAt === 'number' && resetsAt > at) {
    return resetsAt;
  }
  const seconds = failure?.params?.['retryAfter'];
  return typeof seconds === 'number' && seconds > 0 ? at + seconds * 1000 : undefined;
}
