/** Why ACP Host itself asks, in a line of the card. */
import type { AskReason } from '../../../src/core/model/content';
import type { PermissionEntry } from '../../../src/core/model/state';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';

/** The reason of a request; without the names of variables whose values the request shows. */
export function reasonOf({ subject: { reason, environment } }: PermissionEntry): AskReason | undefined {
  return reason?.type === 'command' && environment ? { ...reason, variables: [] } : reason;
}

/** The sentence that names the sub-session that asks; '' for a question of the agent itself. */
export function askerText({ askedBy }: Pick<PermissionEntry, 'askedBy'>): string {
  return askedBy === undefined ? '' : t('Sub-agent {name} asks', { name: oneLine(askedBy, 80) });
}

export function reasonText(reason: AskReason): string {
  if (reason.type === 'command') {
    const why = reason.unasked
      ? t("ACP Host is asking because the agent didn't ask for permission.")
      : t('ACP Host is asking because of your settings.');
    return reason.variables.length > 0
      ? `${why} ${t('The agent sets these environment variables: {names}.', { names: reason.variables.map((name) => oneLine(name)).join(', ') })}`
      : why;
  }
  if (reason.type === 'repetition') {
    return t('ACP Host is asking because the agent has made this same call twice in this turn. It may be stuck.');
  }
  if (reason.type === 'rule') {
    const rule = oneLine(reason.rule);
    return rule.startsWith('acpHost.')
      ? t('ACP Host is asking because of the setting {setting}.', { setting: rule })
      : t('ACP Host is asking because of the rule {rule}.', { rule });
  }
  const names = { path: escapeMisleading(reason.path), rule: oneLine(reason.rule) };
  const why = reason.overwrites
    ? t('ACP Host is asking because this would overwrite {path}, which is protected by the rule {rule}.', names)
    : t('ACP Host is asking because {path} is protected by the rule {rule}.', names);
  return reason.target === undefined ? why : `${why} ${t('It links to {target}.', { target: escapeMisleading(reason.target) })}`;
}
