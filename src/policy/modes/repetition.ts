/** Repeated calls: the third identical one in a turn asks, even where a rule or a mode allows it. An agent in a loop is stopped by it. */
import { createHash } from 'node:crypto';
import type { Decision } from '../decide';
import type { RequestPart, Rule } from '../rule';

/** The number of the call that asks. */
const ASKS_AT = 3;
/** The different calls of a turn that are counted. The count of the oldest is dropped. */
const MAX_CALLS = 10_000;

/** The longest text, in UTF-16 units, that is a key itself. A hash takes longer than all other steps of a decision about a plain command. */
const MAX_KEY = 500;

/** The origins of permissions that answer without the user. A permission that the user has given for the session is their own word. */
const AUTOMATIC: ReadonlySet<Rule['origin']> = new Set(['rule', 'mode', 'answer']);

export class Repetitions {
  private countedTurn: string | undefined;
  private readonly counts = new Map<string, number>();

  /** @param turn returns an id of the running turn */
  constructor(private readonly turnNow: () => string) {}

  /**
   * Returns the decision, or a question in its place for the third identical call. The count begins again then, because the user answers.
   * @param parts of the request @param content all that makes two calls of these parts different, such as the text of a file
   */
  check(decision: Decision, parts: readonly RequestPart[], content: unknown): Decision {
    const { effect, rule, answered } = decision;
    // A call that no one would ask about needs no rule. After the user's answer to the agent's own request, its command is such a call.
    const isCounted = effect === 'allow' && answered !== undefined && rule !== undefined && AUTOMATIC.has(rule.origin);
    if (!isCounted) {
      return decision;
    }
    const turn = this.turnNow();
    if (this.countedTurn !== turn) {
      this.countedTurn = turn;
      this.counts.clear();
    }
    const key = keyOf(JSON.stringify([parts, content]));
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.delete(key);
    if (count >= ASKS_AT) {
      const asks: Rule = { id: 'repetition', effect: 'ask', match: {}, reason: { code: 'repetition' }, origin: 'repetition' };
      return { effect: 'ask', reason: asks.reason, rule: asks };
    }
    this.counts.set(key, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > MAX_CALLS && oldest !== undefined) {
      this.counts.delete(oldest);
    }
    return decision;
  }
}

/** A hash begins with another character than the text of a list. */
function keyOf(text: string): string {
  return text.length <= MAX_KEY ? text : createHash('sha256').update(text).digest('base64');
}
