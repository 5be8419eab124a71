import { failureOf } from '../../core/model/failure';

/** How a question to the user ended whose request was aborted: the agent took it back, or it is gone and nobody waits for the answer. */
export function abortOutcome(signal: AbortSignal): 'withdrawn' | 'lost' {
  return failureOf(signal.reason).code === 'connection.closed' ? 'lost' : 'withdrawn';
}
