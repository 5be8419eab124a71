/** What agents of this window were given and nobody else should read: for the log, the journals and what is saved. It only grows. */
import { longestFirst, withoutCutValue, withoutValues } from '../acp/secretValues';

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

  /** A line of the log, in which others' texts end at an ellipsis where they were cut. */
  readonly text = (text: string): string => {
    const { all } = this;
    return all.length === 0 ? text : withoutValues(text, all).split('…').map((part) => withoutCutValue(part, all)).join('…');
  };
}

const NONE: readonly string[] = [];
