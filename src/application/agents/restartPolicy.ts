/** Counts the ends of agents that the user has not caused. An agent that ends again and again is not started before the user knows. */
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Failure, FailureCode } from '../../core/model/failure';

/** The number of ends, and ms in which they count. */
const MAX_ENDS = 5;
const WITHIN_MS = 3 * 60_000;

/** Failures of an agent that has run. A program that is missing costs nothing to look for again. */
const ENDS: ReadonlySet<FailureCode> = new Set([
  'agent.exited',
  'agent.exited_at_start',
  'connection.closed',
  'agent.start_timeout',
  'proxy.exited',
  'proxy.exited_at_start',
  'proxy.start_timeout',
]);

export class RestartPolicy {
  /** The times of the last ends, by the agent's id. */
  private readonly ends = new Map<string, readonly number[]>();

  constructor(private readonly now: () => number) {}

  /** Records that an agent has ended. */
  ended(agentId: string, failure: Failure | undefined): void {
    if (failure && ENDS.has(failure.code)) {
      this.ends.set(agentId, [...this.recent(agentId), this.now()].slice(-MAX_ENDS));
    }
  }

  /**
   * Returns the reason why the agent is not started now. Only once: a session that was refused starts again when the user retries, and the ends are
   * then counted from the beginning.
   */
  refusal({ agentId, agentName }: Pick<AgentLaunch, 'agentId' | 'agentName'>): Failure | undefined {
    const count = this.recent(agentId).length;
    if (count < MAX_ENDS) {
      return undefined;
    }
    this.ends.delete(agentId);
    return { code: 'agent.ends_too_often', params: { agent: agentName, count, minutes: WITHIN_MS / 60_000 } };
  }

  private recent(agentId: string): readonly number[] {
    const since = this.now() - WITHIN_MS;
    return (this.ends.get(agentId) ?? []).filter((at) => at > since);
  }
}
