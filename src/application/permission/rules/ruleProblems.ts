/** The mistakes in rules, in the user's words. Pure. */
import type { RuleProblem } from '../../../policy/rules/parseRules';
import type { TranslateVerbatim } from '../../shared/translate';

/** A mistake, or a reason of the window: a rule of a remote machine that the user has not confirmed. */
export type Problem = RuleProblem | { readonly code: 'unconfirmed' | 'unchecked'; readonly detail?: string; readonly meant?: string };

export function problemText({ code, detail = '', meant }: Problem, t: TranslateVerbatim): string {
  switch (code) {
    case 'not_a_list':
      return t('must be a list of rules');
    case 'not_an_object':
      return t('a rule must be an object');
    case 'effect':
      return t('`effect` must be "allow", "ask" or "deny"');
    case 'unknown_member':
      return meant === undefined
        ? t('a rule has no member `{name}`', { name: detail })
        : t('a rule has no member `{name}` (perhaps `{meant}`)', { name: detail, meant });
    case 'effect_as_member':
      return t('a rule has no member `{effect}`; write `"effect": "{effect}"`, and a command, path, tool, MCP server or host', {
        effect: detail,
      });
    case 'not_a_text':
      return t("`{name}` must be a text that isn't empty", { name: detail });
    case 'not_texts':
      return t('`{name}` must be a list of texts', { name: detail });
    case 'no_subject':
      return t('a rule that allows must name a tool, a path, a command, an MCP server or a host');
    case 'two_subjects':
      return t("these members can't be in one rule: {names}", { names: detail });
    case 'path':
      return t('`{pattern}` is no pattern of paths', { pattern: detail });
    case 'command':
      return t("the pattern of the command isn't valid: {reason}", { reason: detail });
    case 'mcp':
      return t('`{name}` must be a server, or `server/tool`', { name: detail });
    case 'host':
      return t('`{name}` must be a host name, or `*.` and a host name', { name: detail });
    case 'folder':
      return t("`{path}` isn't an absolute path", { path: detail });
    case 'examples_without_subject':
      return t("a rule about everything can't have examples");
    case 'match':
      return t("the rule doesn't match its example {example}", { example: detail });
    case 'not_match':
      return t('the rule matches {example}, which it must not', { example: detail });
    case 'too_many':
      return t('there are too many rules');
    case 'unconfirmed':
      return t("this rule is in the settings of the remote machine and isn't confirmed");
    case 'unchecked':
      return t("this rule isn't checked yet");
  }
}
