/** Adds to an agent's failure what its text says: the cause, and the time at which a limit resets. */
import type { Failure } from '../../core/model/failure';
import { withCause } from './recognizeCause';
import { withResetTime } from './resetTime';

/** @param stderr the agent's last lines, for a failure without a reason */
export function explainFailure(failure: Failure, stderr: string, now: number): Failure {
  return withResetTime(withCause(failure, stderr), now);
}
