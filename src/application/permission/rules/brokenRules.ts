/** The notice about rules that are not in force. Pure. */
import type { StoredRule } from '../../../policy/rules/userRule';
import { userRuleText } from '../../../text/messages/userRules';
import { type InertText, inertLine, joined } from '../../shared/escape';
import type { Translate } from '../../shared/translate';

/** The number of rules that the notice names with their reasons. */
const MAX_NAMED = 3;
const MAX_RULE = 80;
const MAX_REASON = 200;

export function brokenRulesNotice(rules: readonly StoredRule[], areSuspended: boolean, t: Translate): InertText {
  const named = rules.slice(0, MAX_NAMED).map(({ rule, problem = '', source }) =>
    t('{rule}: {reason}.', {
      rule: inertLine(source ?? userRuleText(rule, t), MAX_RULE),
      reason: inertLine(problem, MAX_REASON),
    }),
  );
  const rest = rules.length - named.length;
  const more = rest === 0 ? [] : [rest === 1 ? t('And 1 more.') : t('And {count} more.', { count: rest })];
  const effect = areSuspended
    ? t("A rule that may deny something can't be read. Until you correct it, no rule allows anything, and ACP Host asks you instead.")
    : t("These permission rules aren't in force.");
  return joined([effect, ...named, ...more], ' ');
}
