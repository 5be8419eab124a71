/** The names of the permission modes. Not beside their descriptions, because the page loads those late. Pure. */
import type { PermissionMode } from '../../core/modes/permissionMode';
import type { TranslateVerbatim } from './translate';

export function modeLabel(mode: PermissionMode, t: TranslateVerbatim): string {
  switch (mode) {
    case 'ask':
      return t('Ask');
    case 'acceptEdits':
      return t('Accept edits');
    case 'planOnly':
      return t('Plan only');
    case 'allowEverything':
      return t('Allow everything');
  }
}

/** Returns the mode whose rule has this reason. */
export function modeOfCode(code: string | undefined): PermissionMode | undefined {
  switch (code) {
    case 'mode_accept_edits':
      return 'acceptEdits';
    case 'mode_plan_only':
      return 'planOnly';
    case 'mode_allow_everything':
      return 'allowEverything';
    default:
      return undefined;
  }
}
