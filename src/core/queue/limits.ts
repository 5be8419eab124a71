/** A limit that has ended the last turn, and the wait until it resets. For host and page. */
import type { Continuation } from '../model/queuedMessage';
import { quotaReset } from '../account/meters';
import type { Quota } from '../account/quota';
import type { SessionState, TurnEntry } from '../model/state';
import { failedTurn } from './retry';
import { retryAt } from './retryTime';

/** The causes of a failure that a quota explains. */
const LIMITS: ReadonlySet<unknown> = new Set(['usage_limit', 'rate_limit', 'credit']);

/** True for a failure at a limit of the account. */
export function isLimit({ failure }: Pick<TurnEntry, 'failure'>): boolean {
  return LIMITS.has(failure?.params?.['cause']);
}

/**
 * Returns the time from which the agent takes the failed prompt again, in ms since the epoch. It is the time in the error, or else the reset of the
 * quota that is used up. Undefined when neither is known.
 */
export function limitEnd(quota: Quota | undefined, turn: Pick<TurnEntry, 'at' | 'failure'>): number | undefined {
  const named = retryAt(turn);
  const reset = named === undefined && isLimit(turn) ? quotaReset(quota) : named;
  return reset !== undefined && reset > turn.at ? reset : undefined;
}

/** Returns the continuation that the user can choose now; undefined unless the last turn has failed at a limit whose end is known. */
export function possibleContinuation(state: SessionState): Continuation | undefined {
  const turn = failedTurn(state);
  const at = turn && limitEnd(state.quota, turn);
  return turn && at !== undefined ? { at, turnId: turn.turnId } : undefined;
}
