/** The decision about each request of an agent, with its reason. Pure. */
import { matches } from './matching';
import type { Effect, PolicyRequest, RequestPart, Rule, RuleReason } from './rule';

/** A question or a denial. */
interface Restriction {
  readonly effect: 'ask' | 'deny';
  /** The reason of {@link rule}. */
  readonly reason: RuleReason;
  readonly rule: Rule;
  readonly answered?: undefined;
}

/** A permission. It has no reason and no rule when no rule applies. */
interface Permission {
  readonly effect: 'allow';
  readonly reason?: RuleReason;
  readonly rule?: Rule;
  /** The question that {@link rule} answered in advance. */
  readonly answered?: Rule;
}

export type Decision = Restriction | Permission;

const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * Returns the decision about a request. Deny beats ask, and ask beats allow. The strictest part decides. An allow rule answers only questions of the
 * origins that it names, and never a deny.
 */
export function decide({ parts, ...context }: PolicyRequest, rules: readonly Rule[]): Decision {
  return parts
    .map((part) => decidePart(context, part, rules))
    .reduce((strictest, next) => (rank(next) > rank(strictest) ? next : strictest));
}

/**
 * Ranks a permission that replaced a question above other permissions, because the conversation shows it. A question with a reason of the host ranks
 * above the agent's own request, because the user must learn the reason.
 */
function rank({ effect, answered, rule }: Decision): number {
  return STRICTNESS[effect] * 2 + (answered || (effect === 'ask' && !isOfAgent(rule)) ? 1 : 0);
}

/** True when the question is only that the agent itself asks. */
function isOfAgent(rule: Rule | undefined): boolean {
  return rule?.origin === 'agent';
}

function decidePart(context: Omit<PolicyRequest, 'parts'>, part: RequestPart, rules: readonly Rule[]): Decision {
  const applying = rules.filter((rule) => matches(rule, context, part));
  const of = (effect: Effect): readonly Rule[] => applying.filter((rule) => rule.effect === effect);
  const [denial] = of('deny');
  if (denial) {
    return { effect: 'deny', reason: denial.reason, rule: denial };
  }
  const [questions, permissions] = [of('ask'), of('allow')];
  const answerTo = ({ origin }: Rule): Rule | undefined => permissions.find(({ answers }) => answers?.includes(origin));
  const unanswered = questions.filter((question) => !answerTo(question));
  const open = unanswered.find((question) => !isOfAgent(question)) ?? unanswered[0];
  if (open) {
    return { effect: 'ask', reason: open.reason, rule: open };
  }
  const [answered] = questions;
  const permission = answered ? answerTo(answered) : permissions[0];
  return { effect: 'allow', ...(permission && { reason: permission.reason, rule: permission }), ...(answered && { answered }) };
}
