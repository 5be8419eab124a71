/** The secret values that agents of this window were given. They are removed from the log, the journals and saved files. The set only grows. */
import { withoutCutValues } from '../../acp/redaction/redactedLog';
import { cutValueLength, longestFirst } from '../../acp/redaction/secretValues';

export class KnownSecrets {
  private readonly byAgent = new Map<string, readonly string[]>();
  /** Sorted by length, longest first, because one value may be part of another. */
  private all: readonly string[] = [];

  add(agentId: string, values: readonly string[]): void {
    const known = this.of(agentId);
    if (values.some((value) => !known.includes(value))) {
      this.byAgent.set(agentId, longestFirst([...known, ...values]));
      this.all = longestFirst([...this.byAgent.values()].flat());
    }
  }

  of(agentId: string): readonly string[] {
    return this.byAgent.get(agentId) ?? NONE;
  }

  /** Removes the secrets from a line of the log. */
  readonly text = (text: string): string => withoutCutValues(text, this.all);

  /** Returns the number of UTF-16 units at the end of a growing text that may be the beginning of a secret. */
  readonly startLength = (text: string): number => cutValueLength(text, this.all);
}

const NONE: readonly string[] = [];
