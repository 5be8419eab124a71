/** The policy of a session: the rules of all its sources, and one decision. */
import { decide, type Decision } from './decide';
import type { PolicyRequest, RuleSource } from './rule';

export class Policy {
  /** @param sources in the order in which their questions are asked */
  constructor(private readonly sources: readonly RuleSource[]) {}

  /** Rejects when a source fails, so that a request is never allowed because its rules are unknown. */
  async decide(request: PolicyRequest): Promise<Decision> {
    const rules = await Promise.all(this.sources.map((source) => source.rulesFor(request)));
    return decide(request, rules.flat());
  }
}
