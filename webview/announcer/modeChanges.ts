/** Announces a change of the agent's mode. The user may have pressed its key anywhere on the page, or the agent may have changed the mode. */
import type { ConfigOption } from '../../src/core/model/content';
import type { PermissionMode } from '../../src/core/modes/permissionMode';
import { modeLabel } from '../../src/text/messages/permissionModeNames';
import { oneLine } from '../../src/text/characters/textSafety';
import { choiceLabel } from '../options/label';
import { t } from '../base/l10n';

/** @returns the announcement of the session's permission mode, when it has changed */
export function permissionModeChange(before: PermissionMode, mode: PermissionMode): string[] {
  return mode === before ? [] : [t('Permission mode: {mode}', { mode: modeLabel(mode, t) })];
}

/** @returns the announcements about modes that have changed since `before` */
export function modeChanges(before: readonly ConfigOption[], config: readonly ConfigOption[]): string[] {
  if (before === config) {
    return [];
  }
  return config.flatMap((option) => {
    const old = before.find(({ configId }) => configId === option.configId);
    const isMode = option.type === 'select' && option.category === 'mode';
    if (!isMode || old?.type !== 'select' || old.currentValue === option.currentValue) {
      return [];
    }
    const choice = option.groups.flatMap(({ choices }) => choices).find(({ value }) => value === option.currentValue);
    const value = choice ? choiceLabel(option, choice) : oneLine(option.currentValue, 80);
    return [t('{name}: {value}', { name: oneLine(option.name, 80), value })];
  });
}
