/** Counts the ends of agents that the user has not caused. An agent that ends again and again is only started when the user retries. */
import type { Failure, FailureCode } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';

/** The number of ends, and ms in which they count. */
const MAX_ENDS = 5;
const WITHIN_MS = 3 * 60_000;

/** Failures of an agent that has run. A program that is missing costs nothing to look for again. */
const ENDS: ReadonlySet<FailureCode> = new Set(['agent.exited', 'agent.exited_at_start', 'connection.closed', 'agent.start_timeout']);

export class RestartPolicy {
  /** The times of the last ends, by the agent's id. */
  private readonly ends = new Map<string, readonly number[]>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Records that an agent has ended. */
  ended(agentId: string, failure: Failure): void {
    if (ENDS.has(failure.code)) {
      this.ends.set(agentId, [...this.recent(agentId), this.clock.now()].slice(-MAX_ENDS));
    }
  }

  /** Returns the reason why the agent is not started now. */
  refusal(agentId: string, agentName: string): Failure | undefined {
    const count = this.recent(agentId).length;
    const minutes = WITHIN_MS / 60_000;
    return count < MAX_ENDS ? undefined : { code: 'agent.ends_too_often', params: { agent: agentName, count, minutes } };
  }

  /** Allows the next start, because the user wants it. */
  forget(agentId: string): void {
    this.ends.delete(agentId);
  }

  private recent(agentId: string): readonly number[] {
    const since = this.clock.now() - WITHIN_MS;
    return (this.ends.get(agentId) ?? []).filter((at) => at > since);
  }
}
