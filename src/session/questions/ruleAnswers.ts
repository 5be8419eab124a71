/** The consequences of a decision that a rule made alone: the record in the conversation, and the error for the agent. */
import { isMisnamed } from '../../core/approval/optionName';
import { type AnsweringRule, ruleText } from '../../core/model/answeringRule';
import type { AskReason, PermissionOption } from '../../core/model/content';
import { fault, type Fault } from '../../core/model/failure';
import type { Decision } from '../../policy/decide';
import type { Rule } from '../../policy/rule';

/** The origins of permissions that the user gave in this conversation or in a setting. They are not recorded again for each request. */
const GIVEN: ReadonlySet<Rule['origin']> = new Set(['session', 'consent', 'setting']);

/** Returns the rule that the conversation shows: one that denied the request, or one that replaced a question. Undefined for other decisions. */
export function recordedRule({ effect, rule, answered }: Decision): Rule | undefined {
  const isShown = effect === 'deny' || (effect === 'allow' && answered !== undefined && rule !== undefined && !GIVEN.has(rule.origin));
  return isShown ? rule : undefined;
}

export function answeringRuleOf({ id, reason: { code, params } }: Rule): AnsweringRule {
  return { id, reason: { code, ...(params && { params }) } };
}

/** Returns the option that an effect chooses in the agent's own request. Undefined when none fits. */
export function optionFor(effect: 'allow' | 'deny', options: readonly PermissionOption[]): string | undefined {
  // An agent would apply an answer for always to later requests, about which the rules have not decided.
  const kinds = effect === 'allow' ? ['allow_once'] : ['reject_once', 'reject_always'];
  return kinds.flatMap((kind) => options.filter((option) => option.kind === kind && isPlain(option, options))).at(0)?.optionId;
}

/** False for an option whose name or id also means the opposite. */
function isPlain(option: PermissionOption, options: readonly PermissionOption[]): boolean {
  return !isMisnamed(option) && options.every(({ optionId, kind }) => optionId !== option.optionId || kind === option.kind);
}

/** Returns the error for the agent. @param what the request as a verb, for example `read /w/a.txt` @param subject its path or command line */
export function denial(rule: Rule, what: string, subject: string): Fault {
  const text = ruleText(answeringRuleOf(rule));
  const message = messageOf(rule);
  return fault(
    'policy.denied',
    { subject, rule: text },
    { message: `You must not ${what}. It is denied by the rule: ${text}${message === '' ? '' : `.${message}`}` },
  );
}

/** Returns the text for the model about a denial of its own request. Undefined for a rule without a message. */
export function denialMessage(rule: Rule, title: string): string | undefined {
  const message = messageOf(rule);
  return message === '' ? undefined : `The user's rules denied “${title}”.${message}`;
}

/** The message that the user has written for the agent. */
function messageOf({ reason: { params } }: Rule): string {
  return params?.['message'] === undefined ? '' : ` ${params['message']}`;
}

type RuleAskReason = Extract<AskReason, { type: 'rule' }>;

/** Returns the reason for a question that a rule of the user requires, or a call that repeats. */
export function ruleReasonOf(rule: Rule, kind: RuleAskReason['kind'], path?: string): AskReason {
  if (rule.origin === 'repetition' && kind !== 'address') {
    return { type: 'repetition', kind, ...(path !== undefined && { path }) };
  }
  return { type: 'rule', kind, rule: ruleText(answeringRuleOf(rule)), ...(path !== undefined && { path }) };
}
