/** Why ACP Host asks a question of its own, in a quick pick's line. Pure. */
import type { AskReason } from '../../core/model/content';
import { type InertText, joined, own, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

const MAX_PATH = 400;

/**
 * Why ACP Host asks, behind what would be done in the quick pick's line; empty where the title says it.
 * @param short a path as the quick pick shows it
 */
export function reasonText(reason: AskReason, short: (path: string) => string, t: Translate): InertText {
  if (reason.type === 'command') {
    const why = reason.unasked ? t("the agent didn't ask for permission") : t('your settings require asking before each command');
    const { variables } = reason;
    const sets = t('sets {names}', {
      names: joined(
        variables.map((name) => inertLine(name, MAX_PATH)),
        ', ',
      ),
    });
    return variables.length > 0 ? joined([why, sets], ', ') : why;
  }
  if (reason.type === 'repetition') {
    return t('the same call for the third time in this turn');
  }
  if (reason.type === 'rule') {
    const rule = inertLine(reason.rule, MAX_PATH);
    return reason.rule.startsWith('acpHost.')
      ? t('required by the setting {setting}', { setting: rule })
      : t('required by the rule {rule}', { rule });
  }
  // The title names the rule.
  return reason.target === undefined ? own('') : t('requested as {path}', { path: inertLine(short(reason.path), MAX_PATH) });
}
