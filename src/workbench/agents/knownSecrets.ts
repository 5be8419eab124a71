/** What agents of this window were given and nobody else should read: for the log, the journals and what is saved. It only grows. */
import { withoutCutValues } from '../../acp/redaction/redactedLog';
import { longestFirst } from '../../acp/redaction/secretValues';

export class KnownSecrets {
  private readonly byAgent = new Map<string, readonly string[]>();
  /** Longest first: one may be part of another. */
  private all: readonly string[] = [];

  add(agentName: string, values: readonly string[]): void {
    const known = this.of(agentName);
    if (values.some((value) => !known.includes(value))) {
      this.byAgent.set(agentName, longestFirst([...known, ...values]));
      this.all = longestFirst([...this.byAgent.values()].flat());
    }
  }

  of(agentName: string): readonly string[] {
    return this.byAgent.get(agentName) ?? NONE;
  }

  /** A line of the log. */
  readonly text = (text: string): string => withoutCutValues(text, this.all);
}

const NONE: readonly string[] = [];
