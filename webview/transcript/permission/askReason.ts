/** Why ACP Host itself asks, in a line of the card. */
import type { AskReason } from '../../../src/core/model/content';
import { t } from '../../l10n';
import { oneLine, visible } from '../../markdown/textSafety';

export function reasonWords(reason: AskReason): string {
  if (reason.type === 'command') {
    const why = reason.unasked
      ? t('ACP Host asks because the agent did not ask for permission.')
      : t('ACP Host asks because your settings say so.');
    return reason.variables.length > 0
      ? `${why} ${t('The agent sets {names}.', { names: reason.variables.map((name) => oneLine(name)).join(', ') })}`
      : why;
  }
  const why = t('ACP Host asks because {path} is protected by the rule {rule}.', {
    path: visible(reason.path),
    rule: oneLine(reason.rule),
  });
  return reason.target === undefined ? why : `${why} ${t('It leads to {target}.', { target: visible(reason.target) })}`;
}
